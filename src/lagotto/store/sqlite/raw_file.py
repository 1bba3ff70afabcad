"""Reading a database file beside SQLite, in a process that may have it open.

A process loses all its locks on a file when it closes any descriptor of it. Without its locks a connection
takes a log for its own that another process has replaced, and reads nonsense. So a file that was read here is
closed only when this process has no connection to it.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO
from weakref import WeakSet

import msgspec
import xxhash

from lagotto.store.sql.rows import signed, text_checksum
from lagotto.store.sqlite.schema import WITH_FACTS

COLUMNS = (
    *("page", "seq", "host", "fetched_at", "status", "reason", "detail", "final_url", "attempts", "score"),
    *("parts", "relevance", "relevant", "judged", "title", "description", "language", "encoding", "links"),
    *("fingerprint", "simhash", "near_duplicate_of", "content_type", "declared_type", "size", "truncated"),
    *("etag", "last_modified", "address", "warc", "warc_offset", "warc_length", "left_out"),
    *("relevance_at_fetch", "relevant_at_fetch", "model", "mark", "relevance_by_model", "relevant_by_model"),
    "text_checksum",
)
"""Columns of `pages` that the checksum covers: all but itself and `facts`, which come last."""

ROW_CHECKSUM = f"""row_checksum({", ".join(f"p.{name}" for name in COLUMNS)},
    u.url, u.depth, u.hops, u.anchor, u.page, coalesce(parent.url, u.source, ''), p.facts)"""
"""Checksum of the row `p` with its URL `u` and that one's parent, as an SQL expression."""

_JOINED = "urls u LEFT JOIN urls parent ON parent.seq = u.parent"
_SEAL = f"""
UPDATE pages AS p SET checksum = (SELECT {ROW_CHECKSUM} FROM {_JOINED} WHERE u.seq = p.seq)
"""
_BROKEN = f"""
SELECT p.page FROM pages p LEFT JOIN urls u ON u.seq = p.seq LEFT JOIN urls parent ON parent.seq = u.parent
WHERE p.checksum IS NOT {ROW_CHECKSUM} ORDER BY p.page
"""
_BROKEN_TEXTS = """
SELECT p.page FROM pages p LEFT JOIN texts t USING (page)
WHERE p.text_checksum IS NOT CASE WHEN t.text IS NULL THEN NULL ELSE text_checksum(t.text) END
UNION SELECT t.page FROM texts t LEFT JOIN pages p USING (page) WHERE p.page IS NULL ORDER BY 1
"""
_encoder = msgspec.msgpack.Encoder()


def register(db: sqlite3.Connection) -> None:
    """Teach a connection the functions `row_checksum` and `text_checksum`."""
    db.create_function("row_checksum", -1, _row_checksum, deterministic=True)
    db.create_function("text_checksum", 1, text_checksum, deterministic=True)


def seal(db: sqlite3.Connection, pages: Iterable[int]) -> None:
    """Write the checksums of these rows, which have changed."""
    db.executemany(f"{_SEAL} WHERE p.page = ?", [(page,) for page in pages])


def seal_all(db: sqlite3.Connection) -> None:
    """Write all checksums, of a crawl that has none yet or that was changed on purpose."""
    of_text = "SELECT text_checksum(t.text) FROM texts t WHERE t.page = pages.page"
    db.execute(f"UPDATE pages SET text_checksum = ({of_text})")
    db.execute(_SEAL)


def broken_rows(db: sqlite3.Connection) -> Iterator[int]:
    """Numbers of pages whose row is not as it was written."""
    [(version,)] = db.execute("PRAGMA user_version")
    query = _BROKEN if version >= WITH_FACTS else _BROKEN.replace("p.facts", "NULL")
    return (page for (page,) in db.execute(query))


def broken_texts(db: sqlite3.Connection) -> Iterator[int]:
    """Numbers of pages whose text is not as it was written, or missing."""
    return (page for (page,) in db.execute(_BROKEN_TEXTS))


def _row_checksum(*values: object) -> int:
    if values[-1] is None:
        values = values[:-1]  # Rows of format 6 have no facts, and keep their checksum.
    return signed(xxhash.xxh3_64_intdigest(_encoder.encode(values)))


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
