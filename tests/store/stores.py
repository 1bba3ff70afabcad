"""Stores for the contract checks: on disk, on disk with everything swept at once, and in memory."""

from __future__ import annotations

from pathlib import Path

from lagotto.seams import Store
from lagotto.store import SqliteStore, database


class OnDisk:
    """Each new store in a directory of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._made = 0
        self._open: list[SqliteStore] = []

    def new(self) -> SqliteStore:
        self._made += 1
        return self._keep(SqliteStore.create(self.folder / str(self._made)))

    def again(self, store: Store) -> SqliteStore:
        kill(store)
        return self._keep(SqliteStore.open(directory_of(store)))

    def beside(self, store: Store) -> SqliteStore:
        """Lock and all are left out: this is what the epochs are for."""
        directory = directory_of(store)
        return self._keep(SqliteStore(database.connect_to_write(directory / database.FILE), None, None))

    def close(self) -> None:
        for store in self._open:
            kill(store)

    def _keep(self, store: SqliteStore) -> SqliteStore:
        self._open.append(store)
        return store


def directory_of(store: Store) -> Path:
    assert isinstance(store, SqliteStore)
    assert store.directory is not None
    return store.directory


def kill(store: Store) -> None:
    """Let go of everything as a killed process does: no checkpoint of ours, no farewell in the lock."""
    assert isinstance(store, SqliteStore)
    if store._checkpoints is not None:
        store._checkpoints.close()
    store._db.close()
    if store._lock is not None:
        store._lock.abandon()
