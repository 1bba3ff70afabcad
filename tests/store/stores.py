"""Stores for the contract checks: on disk, on disk with everything swept at once, and in memory."""

from __future__ import annotations

from pathlib import Path

from lagotto.base.batch import Batch, Committed
from lagotto.base.protocols import Storage, Store
from lagotto.lab.checks.store_calls import hold_all
from lagotto.store.sqlite import database
from lagotto.store.sqlite.commands import CommandFile, CommandList
from lagotto.store.sqlite.storage import MemoryStorage, SqliteStorage
from lagotto.store.sqlite.store import SqliteStore


class OnDisk:
    """Each new store in a directory of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._made = 0
        self._open: list[SqliteStore] = []

    def place(self) -> SqliteStorage:
        self._made += 1
        return _Remembering(self.folder / str(self._made), self._open)

    def kill(self, store: Store) -> None:
        kill(store)

    async def beside(self, storage: Storage) -> SqliteStore:
        """The lock is left out: this is what the epochs are for."""
        directory = Path(storage.location)
        db = database.connect_to_write(directory / database.FILE)
        store = SqliteStore(db, directory, CommandFile(directory))
        self._open.append(store)
        return store

    def close(self) -> None:
        for store in self._open:
            kill(store)


class _Remembering(SqliteStorage):
    """Remembers the stores that were opened, so that they can be closed after a check."""

    def __init__(self, directory: Path, opened: list[SqliteStore]) -> None:
        super().__init__(directory)
        self._opened = opened

    async def create(self, config: bytes, *, keep_text: bool = True) -> SqliteStore:
        self._opened.append(await super().create(config, keep_text=keep_text))
        return self._opened[-1]

    async def open(self, *, keep_text: bool = True) -> SqliteStore:
        self._opened.append(await super().open(keep_text=keep_text))
        return self._opened[-1]


class RecordingStore(SqliteStore):
    """A store in memory that remembers what was committed."""

    def __init__(self) -> None:
        db = database.connect(":memory:")
        database.set_up(db)
        super().__init__(db, None, CommandList())
        self.batches: list[Batch] = []

    async def commit(self, batch: Batch) -> Committed:
        """Commit, and remember."""
        committed = await super().commit(batch)
        self.batches.append(batch)
        return committed


async def in_memory() -> SqliteStore:
    """A store in memory that holds all shards."""
    store = await MemoryStorage().create()
    await hold_all(store)
    return store


def kill(store: Store) -> None:
    """Let go of everything as a killed process does: no checkpoint of ours, no checksum in the lock."""
    assert isinstance(store, SqliteStore)
    if store._checkpoints is not None:
        store._checkpoints.close()
    store._db.close()
    if store._lock is not None:
        store._lock.abandon()
