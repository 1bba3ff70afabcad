"""Reading a database file beside SQLite, in a process that may have it open.

A process loses all its locks on a file when it closes any descriptor of it. Without its locks a connection
takes a log for its own that another process has replaced, and reads nonsense. So a file that was read here is
closed only when this process has no connection to it.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO
from weakref import WeakSet

_Identity = tuple[int, int]
"""Device and inode of a file."""
_lock = threading.RLock()
_connected: dict[_Identity, WeakSet[CountedConnection]] = {}
_kept: list[tuple[_Identity, BinaryIO]] = []
"""Files that were read and must not be closed yet."""


class CountedConnection(sqlite3.Connection):
    """A connection that is known as long as it is open."""

    def close(self) -> None:
        """Close it, and the files that were kept open for it."""
        with _lock:
            super().close()
            for connections in _connected.values():
                connections.discard(self)
            _close_kept()


def open_connection(name: str, *, uri: bool, cached_statements: int, timeout: float) -> sqlite3.Connection:
    """A connection without transactions of its own, which is known from now on."""
    with _lock:
        db = sqlite3.connect(
            name,
            isolation_level=None,
            uri=uri,
            cached_statements=cached_statements,
            timeout=timeout,
            factory=CountedConnection,
        )
        [(_, _, path), *_] = db.execute("PRAGMA database_list").fetchall()
        if path and os.path.exists(path):
            _connected.setdefault(_identity(os.stat(path)), WeakSet()).add(db)
        return db


@contextmanager
def read_beside(path: Path) -> Iterator[BinaryIO]:
    """The file, to be read; closed as soon as that harms no connection."""
    with _lock:
        stream = path.open("rb")
        _kept.append((_identity(os.fstat(stream.fileno())), stream))
        try:
            yield stream
        finally:
            _close_kept()


def _close_kept() -> None:
    for entry in list(_kept):
        identity, stream = entry
        if not _connected.get(identity):
            _connected.pop(identity, None)
            _kept.remove(entry)
            stream.close()


def _identity(found: os.stat_result) -> _Identity:
    return found.st_dev, found.st_ino
