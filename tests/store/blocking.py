"""The SQLite store without `await`, for tests of its insides: none of its calls ever suspends."""

from __future__ import annotations

import sqlite3
from collections.abc import Coroutine, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from lagotto.base.batch import Batch, Committed, Place
from lagotto.base.records import Lease, Outcome
from lagotto.base.urls import SHARDS
from lagotto.lab.checks import store_calls
from lagotto.store.sqlite.reader import SqliteReader
from lagotto.store.sqlite.storage import MemoryStorage, SqliteStorage
from lagotto.store.sqlite.store import SqliteStore
from tests.store import stores

T = TypeVar("T")


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that never suspends."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    raise AssertionError("the coroutine suspended")


class Blocking:
    """A store whose calls return at once, one for each part of a batch."""

    def __init__(self, store: SqliteStore) -> None:
        self.store = store
        self.directory = store.directory
        self.notes = store.notes

    @classmethod
    def create(cls, directory: Path, *, config: bytes = b"", keep_text: bool = True) -> Blocking:
        return cls(run(SqliteStorage(directory).create(config, keep_text=keep_text)))

    @classmethod
    def open(cls, directory: Path) -> Blocking:
        return cls(run(SqliteStorage(directory).open()))

    @classmethod
    def memory(cls) -> Blocking:
        return cls(run(MemoryStorage().create()))

    def hold_all(self, owner: str = "test") -> Blocking:
        run(self.store.acquire(range(SHARDS), owner))
        return self

    def write(self, batch: Batch) -> Committed:
        return run(self.store.commit(batch))

    def commit(self, outcomes: Sequence[Outcome]) -> Committed:
        return run(store_calls.commit(self.store, outcomes))

    def add_seeds(self, seeds: Sequence[Lease]) -> Committed:
        return run(store_calls.queue(self.store, seeds))

    def rescore(self, scores: Iterable[tuple[int, float, list[float]]]) -> None:
        run(store_calls.rescore(self.store, scores))

    def rerank(self, ranks: Iterable[tuple[int, float]]) -> None:
        run(store_calls.rerank(self.store, ranks))

    def expand(self, page_id: int, sample: bytes | None = None) -> Committed:
        return run(store_calls.expand(self.store, page_id, sample=sample))

    def snapshot(self, state: bytes, *, at_once: bool = False) -> None:
        run(store_calls.snapshot(self.store, state, at_once=at_once))

    def hosts(self) -> dict[str, Place | None]:
        return run(self.store.hosts())

    def top(self, host: str = "a.example", n: int = 1000, now: float = store_calls.NOW) -> list[Lease]:
        return run(store_calls.top(self.store, host, n, now))

    def next_retry(self, host: str) -> float | None:
        return run(store_calls.next_retry(self.store, host))

    def near_duplicate(self, simhash: int) -> str | None:
        return run(store_calls.near_duplicate(self.store, simhash))

    def shelf_top(self) -> tuple[int, str, float] | None:
        return run(store_calls.shelf_top(self.store))

    def barrier(self) -> int:
        return run(store_calls.barrier(self.store))

    def restore(self) -> tuple[bytes | None, list[bytes]]:
        return run(store_calls.restored(self.store))

    def warc_ends(self) -> dict[str, int]:
        return run(self.store.warc_ends())

    def reader(self) -> SqliteReader:
        return self.store.reader()

    @property
    def known(self) -> int:
        return self.store._links.count

    @property
    def concluded(self) -> int:
        return self.store._batches.pages.count

    @property
    def db(self) -> sqlite3.Connection:
        return self.store._db

    def kill(self) -> None:
        stores.kill(self.store)

    def close(self) -> None:
        run(self.store.close())
