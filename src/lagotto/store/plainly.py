"""Saying plainly what went wrong with a file of the crawl."""

from __future__ import annotations

import sqlite3
from errno import EDQUOT, EFBIG, ENOSPC
from pathlib import Path

from lagotto.errors import CrawlDirectoryError, DamagedStore, DiskFull, InUse

_NO_ROOM = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR_WRITE,
        sqlite3.SQLITE_IOERR_FSYNC,
        sqlite3.SQLITE_IOERR_TRUNCATE,
        sqlite3.SQLITE_IOERR_SHMSIZE,
    }
)


class said_plainly:
    """Turns errors of SQLite and of the operating system into sentences.

    A class, because a generator would cost as much as the query it guards.
    """

    __slots__ = ("_path",)

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        told = None
        if isinstance(error, sqlite3.Error):
            told = plain_error(error, self._path)
        elif isinstance(error, OSError):
            told = os_error(error, self._path)
        if told is not None:
            raise told from error


def plain_error(error: sqlite3.Error, path: Path) -> CrawlDirectoryError | None:
    """The error for people that an error of SQLite means; None if it is a mistake in the program."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    if code in _NO_ROOM:
        return DiskFull(_no_room(path))
    match code & 0xFF:
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return DamagedStore(f"{path} is damaged ({error}); restore it from a copy")
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return InUse(f"another program is writing to {path}; close it and try again")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_IOERR:
            return CrawlDirectoryError(_unusable(path, str(error)))
    return None


def os_error(error: OSError, path: Path) -> CrawlDirectoryError:
    """The error for people that an error of the operating system means."""
    if error.errno in (ENOSPC, EDQUOT, EFBIG):
        return DiskFull(_no_room(path))
    return CrawlDirectoryError(_unusable(path, error.strerror or str(error)))


def _no_room(path: Path) -> str:
    return f"no room is left for {path}; nothing is lost: make room and go on with `lagotto resume`"


def _unusable(path: Path, why: str) -> str:
    return f"{path} cannot be used ({why}); check the disk and the permissions"
