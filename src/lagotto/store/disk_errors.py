"""Sentences for errors of SQLite and of the operating system."""

from __future__ import annotations

import os
import sqlite3
from errno import EDQUOT, EFBIG, ENOSPC
from pathlib import Path

from lagotto.base.errors import CrawlDirectoryError, DamagedStore, DiskFull, InUse

_NOT_WRITTEN = frozenset(
    {
        sqlite3.SQLITE_IOERR_WRITE,
        sqlite3.SQLITE_IOERR_FSYNC,
        sqlite3.SQLITE_IOERR_TRUNCATE,
        sqlite3.SQLITE_IOERR_SHMSIZE,
    }
)
_SIGNS_OF_DAMAGE = ("Could not decode", "no such table", "no such column", "function raised exception")
"""What SQLite says without an error code of its own if names or texts in a file have changed."""


class disk_errors_explained:
    """Turns errors of SQLite and of the operating system into sentences.

    A class, because a generator would cost as much time as the query inside it.
    """

    __slots__ = ("_path",)

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        explained = None
        if isinstance(error, sqlite3.Error):
            explained = sqlite_error(error, self._path)
        elif isinstance(error, UnicodeDecodeError):
            explained = _damaged(self._path, error)
        elif isinstance(error, OSError):
            explained = os_error(error, self._path)
        if explained is not None:
            raise explained from error


def sqlite_error(error: sqlite3.Error, path: Path) -> CrawlDirectoryError | None:
    """An error of SQLite as a sentence; None if it is a mistake in the program."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    if code == sqlite3.SQLITE_FULL:
        return DiskFull(_no_room(path))
    if code in _NOT_WRITTEN:
        return _not_writable(path) or DiskFull(_no_room(path))
    match code & 0xFF:
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return _damaged(path, error)
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return InUse(f"another program is writing to {path}; close it and try again")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_IOERR:
            return CrawlDirectoryError(_unusable(path, str(error)))
    return _damaged(path, error) if any(sign in str(error) for sign in _SIGNS_OF_DAMAGE) else None


def _damaged(path: Path, error: Exception) -> DamagedStore:
    return DamagedStore(f"{path} is damaged ({error}); restore it from a copy")


def os_error(error: OSError, path: Path) -> CrawlDirectoryError:
    """An error of the operating system as a sentence."""
    if error.errno in (ENOSPC, EDQUOT, EFBIG):
        return DiskFull(_no_room(path))
    return CrawlDirectoryError(_unusable(path, error.strerror or str(error)))


def _not_writable(path: Path) -> CrawlDirectoryError | None:
    """The error if the file may not be written to at all, which SQLite reports like a full disk."""
    for file in (path, Path(f"{path}-wal"), Path(f"{path}-shm")):
        try:
            if file.exists():
                os.close(os.open(file, os.O_WRONLY))
        except OSError as error:
            return os_error(error, file)
    return None


def _no_room(path: Path) -> str:
    return f"no room is left for {path}; nothing is lost: make room and try again"


def _unusable(path: Path, why: str) -> str:
    return f"{path} cannot be used ({why}); check the disk and the permissions"
