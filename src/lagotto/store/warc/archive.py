"""Where one worker of a shared crawl keeps answers: files of its own, sealed when they are finished."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from lagotto.store.warc.object_store import ObjectStore
from lagotto.store.warc.writer import FOLDER, WarcWriter


class Archive:
    """WARC files of one worker, in a folder or in an object store."""

    def __init__(
        self, files: str, owner: str, *, max_bytes: int, info: Mapping[str, str] | None = None
    ) -> None:
        """`files` is a path that the workers share, or a URL that fsspec knows."""
        self._remote = ObjectStore(files) if "://" in files else None
        self._staging = Path(tempfile.mkdtemp(prefix="lagotto-warc-")) if self._remote else None
        folder = self._staging or Path(files) / FOLDER
        prefix = f"lagotto-{owner}"
        self.writer = WarcWriter(folder, {}, prefix=prefix, max_bytes=max_bytes, info=info)

    def take_sealed(self) -> list[str]:
        """Seal the files that are finished: copy them if need be; returns their names."""
        finished, self.writer.finished = self.writer.finished, []
        for path in finished:
            if self._remote is not None:
                self._remote.put(path)
                path.unlink()
        return [path.name for path in finished]

    def close(self) -> list[str]:
        """Finish the last file; returns the names of the files that were sealed."""
        self.writer.close()
        sealed = self.take_sealed()
        if self._staging is not None:
            shutil.rmtree(self._staging, ignore_errors=True)
        return sealed


def seal_abandoned(files: str, ends: Mapping[str, int]) -> list[str]:
    """Cut files of dead workers after their last committed record; returns those that could be reached.

    What a worker had written to its own disk, to be copied later, is lost with that disk.
    """
    if "://" in files:
        there = set(ObjectStore(files).names())
        return [name for name in ends if name in there]
    sealed = []
    for name, end in ends.items():
        path = Path(files) / FOLDER / name
        if path.exists() and path.stat().st_size >= end:
            os.truncate(path, end)
            sealed.append(name)
    return sealed
