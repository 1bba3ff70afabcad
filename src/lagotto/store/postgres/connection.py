"""Connections to PostgreSQL that read and write text as SQLite does."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import lru_cache
from typing import Any

import psycopg
from psycopg import sql
from psycopg.adapt import Buffer, Dumper, Loader
from psycopg.pq import Format, TransactionStatus

from lagotto.base.errors import CrawlDirectoryError
from lagotto.base.urls import checksum
from lagotto.store.postgres.location import PostgresLocation

# The store says itself that a connection is lost. The driver's warnings go only where a program wants them.
logging.getLogger(psycopg.__name__).addHandler(logging.NullHandler())

OLDEST_SERVER = 150000
"""PostgreSQL 15, as the server reports it."""
LONGEST_PAUSE = 5
"""Seconds without a statement after which the server ends a transaction: others wait for its locks."""
_TEXT = 25
"""The object identifier of the type `text`."""
_ESCAPE = "\ue000"
"""PostgreSQL's text has no NUL. This character for private use takes its place, followed by a digit."""
_NETWORK = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
    "application_name": "lagotto",
    "client_encoding": "utf8",
}


def escape(text: str) -> bytes:
    """Text as it is stored: lone surrogates become question marks, NUL is kept."""
    if "\0" in text or _ESCAPE in text:
        text = text.replace(_ESCAPE, f"{_ESCAPE}1").replace("\0", f"{_ESCAPE}0")
    return text.encode("utf-8", "replace")


def unescape(stored: Buffer) -> str:
    """Text as it was before `escape`."""
    text = bytes(stored).decode()
    if _ESCAPE in text:
        text = text.replace(f"{_ESCAPE}0", "\0").replace(f"{_ESCAPE}1", _ESCAPE)
    return text


class _TextDumper(Dumper):
    oid = _TEXT

    def dump(self, obj: str) -> bytes:
        return escape(obj)


class _BinaryTextDumper(_TextDumper):
    format = Format.BINARY


class _TextLoader(Loader):
    def load(self, data: Buffer) -> str:
        return unescape(data)


class _BinaryTextLoader(_TextLoader):
    format = Format.BINARY


class Connection:
    """A connection for statements with `?` for each value, and `?[]` for each list."""

    def __init__(self, location: PostgresLocation) -> None:
        self.location = location
        self.raw = _connect(location)

    def reopen(self) -> None:
        """Connect anew after the connection was lost."""
        self.close()
        self.raw = _connect(self.location)

    def execute(self, query: str, values: Sequence[Any] = ()) -> psycopg.Cursor[tuple[Any, ...]]:
        """Run one statement."""
        return self.raw.execute(_translated(query), values, binary=True)

    def executemany(self, query: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement for each row."""
        found = list(rows)
        if found:
            self.raw.cursor().executemany(_translated(query), found)

    @contextmanager
    def transaction(self, isolation: str = "READ COMMITTED", *, piped: bool = False) -> Iterator[None]:
        """All statements inside are committed together, or none.

        If `piped`, a statement is only waited for when its rows are fetched, and one that fails may be told
        by a later one.
        """
        try:
            with self.raw.pipeline() if piped else nullcontext():
                self.raw.execute(f"BEGIN ISOLATION LEVEL {isolation}")
                yield
                self.raw.execute("COMMIT")
        except BaseException:
            if self.usable:
                with suppress(psycopg.Error):
                    self.raw.execute("ROLLBACK")
            raise

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        return self.raw.info.transaction_status not in (TransactionStatus.IDLE, TransactionStatus.UNKNOWN)

    @property
    def usable(self) -> bool:
        """Whether the connection is open, as far as this side knows."""
        return not self.raw.closed

    def close(self) -> None:
        """Close the connection."""
        self.raw.close()


@lru_cache(maxsize=512)
def _translated(query: str) -> str:
    """A statement as psycopg takes it; lists go in the binary form, which is twice as fast."""
    return query.replace("?[]", "%b").replace("?", "%s")


def _connect(location: PostgresLocation) -> psycopg.Connection[tuple[Any, ...]]:
    """Connect to the database, with the crawl's schema as the place of all tables."""
    raw = psycopg.connect(location.database, autocommit=True, **_NETWORK)  # type: ignore[arg-type]
    try:
        if raw.info.server_version < OLDEST_SERVER:
            major = raw.info.server_version // 10000
            raise CrawlDirectoryError(
                f"{location.shown} is PostgreSQL {major}; Lagotto needs {OLDEST_SERVER // 10000} or newer"
            )
        for dumper in (_TextDumper, _BinaryTextDumper):
            raw.adapters.register_dumper(str, dumper)
        for loader in (_TextLoader, _BinaryTextLoader):
            raw.adapters.register_loader("text", loader)
        raw.execute(f"SET idle_in_transaction_session_timeout = '{LONGEST_PAUSE}s'")
        raw.execute(sql.SQL("SET search_path TO {}").format(sql.Identifier(location.schema)))
    except BaseException:
        raw.close()
        raise
    return raw


_BY_INDEX = b"SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_seqscan = off; SET jit = off"
_PLAN_ONCE = b"SET plan_cache_mode = force_generic_plan"
"""The server would plan the same statements again and again, which takes as long as running them."""


def plan_by_index(db: Connection) -> None:
    """Have rows looked up by key: the server would read whole tables until it has counted their rows."""
    db.raw.execute(_BY_INDEX)


def enter(db: Connection) -> None:
    """Set a worker's connection up; others see the crawl as open for as long as it lasts."""
    plan_by_index(db)
    db.raw.execute(_PLAN_ONCE)
    db.execute("SELECT pg_advisory_lock_shared(?)", (checksum(db.location.schema),))


def is_open(db: Connection) -> bool:
    """Whether some worker has the crawl open."""
    key = (checksum(db.location.schema),)
    row = db.execute("SELECT pg_try_advisory_lock(?)", key).fetchone()
    if row is not None and row[0]:
        db.execute("SELECT pg_advisory_unlock(?)", key)
        return False
    return True
