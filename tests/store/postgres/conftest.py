"""Crawls in a PostgreSQL server of the tests' own."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4

import pytest

from lagotto.base.protocols import Storage, Store
from lagotto.store.postgres.storage import PostgresStorage
from lagotto.store.postgres.store import PostgresStore
from tests.postgres import server_for


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Location of a database."""
    return server_for(tmp_path_factory)


class PostgresStores:
    """Each place is another schema of one database."""

    def __init__(self, database: str, folder: Path) -> None:
        self.database = database
        self._folder = folder
        self._name = uuid4().hex[:12]
        self._made = count(1)
        self._places: list[_Remembering] = []

    def place(self) -> PostgresStorage:
        name = f"{self._name}-{next(self._made)}"
        files = quote(str(self._folder / name))
        joint = "&" if "?" in self.database else "?"
        self._places.append(_Remembering(f"{self.database}{joint}crawl={name}&files={files}"))
        return self._places[-1]

    def kill(self, store: Store) -> None:
        """The process is gone, and its connection with it."""
        assert isinstance(store, PostgresStore)
        store.drop()
        store._thread.shutdown()

    async def beside(self, storage: Storage) -> Store:
        return await storage.open()

    def close(self) -> None:
        for place in self._places:
            place.close()


class _Remembering(PostgresStorage):
    """Remembers the stores that were opened, so that they can be closed after a test."""

    def __init__(self, location: str) -> None:
        super().__init__(location)
        self._opened_stores: list[PostgresStore] = []

    async def create(self, config: bytes, *, keep_text: bool = True) -> PostgresStore:
        self._opened_stores.append(await super().create(config, keep_text=keep_text))
        return self._opened_stores[-1]

    async def open(self, *, keep_text: bool = True) -> PostgresStore:
        self._opened_stores.append(await super().open(keep_text=keep_text))
        return self._opened_stores[-1]

    def close(self) -> None:
        for store in self._opened_stores:
            store.drop()
            store._thread.shutdown()
        if self.exists():
            self.discard()


@pytest.fixture
def stores(database: str, tmp_path: Path) -> Iterator[PostgresStores]:
    """Places for crawls that are removed after the test."""
    made = PostgresStores(database, tmp_path)
    yield made
    made.close()
