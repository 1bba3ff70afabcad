"""Files that survive a power cut.

A file that was written is on the disk only when it was synced, and its name only when its folder was.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from lagotto.store.disk_errors import disk_errors_explained


def sync(file: int) -> None:
    """Have the content of an open file, or the names in an open folder, on the disk."""
    os.fsync(file)


def sync_path(path: Path) -> None:
    """Sync a file or a folder by its name."""
    file = os.open(path, os.O_RDONLY)
    try:
        sync(file)
    finally:
        os.close(file)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that its owner alone can read, and its folder if that is missing.

    A kill or a power cut leaves the old content or the new one.
    """
    with disk_errors_explained(path):
        make_folder(path.parent)
        file, fresh = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with open(file, "wb") as stream:
                stream.write(content)
                stream.flush()
                sync(stream.fileno())
            os.replace(fresh, path)
        except BaseException:
            os.unlink(fresh)
            raise
        sync_path(path.parent)


def make_folder(path: Path) -> None:
    """Make a folder and those above it, if they are missing."""
    if not path.is_dir():
        make_folder(path.parent)
        path.mkdir(exist_ok=True)
        sync_path(path.parent)


def rename(fresh: Path, path: Path) -> None:
    """Give a file or a folder that is whole its name."""
    os.replace(fresh, path)
    sync_path(path.parent)
