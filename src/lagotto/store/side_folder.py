"""Where files lie that are made from a crawl and can be made again: its search index, its subtopics."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from lagotto.protocols import Storage
from lagotto.store.disk_errors import disk_errors_explained
from lagotto.urls import checksum


def side_folder(storage: Storage, name: str) -> Path:
    """A folder of this name in the crawl's own, or in the user's cache if there is none to write to."""
    folder = storage.folder
    if folder is not None and ((folder / name).is_dir() or os.access(folder, os.W_OK)):
        return folder / name
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "lagotto" / name / f"{checksum(storage.location) & (1 << 64) - 1:016x}"


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that appears whole or not at all, and its folder if that is missing."""
    with disk_errors_explained(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        file, fresh = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with open(file, "wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(fresh, path)
        except BaseException:
            os.unlink(fresh)
            raise
