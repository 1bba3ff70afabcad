"""Files and folders that take their name only when they are whole."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from lagotto.base.errors import InputError
from lagotto.store.disk_errors import os_error


@contextmanager
def appearing(path: Path, *, force: bool = False) -> Iterator[BinaryIO]:
    """A file to write to; nothing is left of it if the writing fails."""
    if path.is_dir():
        raise InputError(f"{path} is a directory; name a file to export to")
    if os.path.lexists(path):
        if not path.is_file():
            raise InputError(f"{path} is not an ordinary file; name another one to export to")
        if not force:
            raise InputError(f"{path} exists; name another file, or replace it with --force")
    try:
        _remove_abandoned(path)
        file, name = tempfile.mkstemp(dir=path.parent, prefix=_unfinished(path))
        try:
            with open(file, "wb") as stream:
                fcntl.flock(stream, fcntl.LOCK_EX)
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            os.chmod(name, 0o644)
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise os_error(error, path) from error


@contextmanager
def appearing_folder(path: Path, *, force: bool = False, holds: tuple[str, ...]) -> Iterator[Path]:
    """A folder to write to; nothing is left of it if the writing fails.

    `holds` names what lies in such a folder. Only a folder that has nothing else in it is ever replaced.
    """
    there = os.path.lexists(path)
    if there and not (path.is_dir() and not path.is_symlink()):
        raise InputError(f"{path} exists and is not an empty directory; name a new one to export to")
    names = {entry.name for entry in path.iterdir()} if there else set()
    if names and not force:
        raise InputError(
            f"{path} exists and is not an empty directory; name a new one, or replace an export with --force"
        )
    if names - set(holds):
        raise InputError(
            f"{path} holds {min(names - set(holds))}, which is no part of an export; name a new directory"
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(path)
        fresh = Path(tempfile.mkdtemp(dir=path.parent, prefix=_unfinished(path)))
        try:
            fresh.chmod(0o755)
            with _held(fresh):
                yield fresh
            if names:
                _swap(fresh, path)
            else:
                fresh.replace(path)
        except BaseException:
            shutil.rmtree(fresh)
            raise
    except OSError as error:
        raise os_error(error, path) from error


def _unfinished(path: Path) -> str:
    """How the names begin under which an export to a path is written."""
    return f".{path.name[:100]}.export-"


@contextmanager
def _held(path: Path) -> Iterator[bool]:
    """Hold the lock on a file or folder; gives whether that was possible."""
    handle = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield True
    except BlockingIOError:
        yield False
    finally:
        os.close(handle)


def _remove_abandoned(path: Path) -> None:
    """Remove what killed exports to this path have left; one that still writes holds its lock."""
    for old in path.parent.iterdir() if path.parent.is_dir() else ():
        if old.name.startswith(_unfinished(path)) and not old.is_symlink():
            with suppress(OSError), _held(old) as held:  # It may be another user's, or be gone by now.
                if held and old.is_dir():
                    shutil.rmtree(old)
                elif held:
                    old.unlink()


def _swap(fresh: Path, path: Path) -> None:
    """Put a folder in the place of another, which comes back if that fails."""
    old = Path(tempfile.mkdtemp(dir=path.parent, prefix=_unfinished(path)))
    path.replace(old)
    try:
        fresh.replace(path)
    except OSError:
        old.replace(path)
        raise
    shutil.rmtree(old)
