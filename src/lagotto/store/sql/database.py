"""A connection to a database, as far as statements need it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, Protocol, TypeVar

from lagotto.base.errors import DamagedStore

K = TypeVar("K")
V = TypeVar("V")


class Cache(Generic[K, V]):
    """Two generations: when the young one is full it becomes the old one, and the old one goes."""

    __slots__ = ("_old", "_room", "_young")

    def __init__(self, room: int) -> None:
        self._room = room // 2
        self._young: dict[K, V] = {}
        self._old: dict[K, V] = {}

    def get(self, key: K) -> V | None:
        """The value, if it is still remembered."""
        value = self._young.get(key)
        if value is None and (value := self._old.get(key)) is not None:
            self[key] = value
        return value

    def __setitem__(self, key: K, value: V) -> None:
        self._young[key] = value
        if len(self._young) > self._room:
            self._old = self._young
            self._young = {}

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def clear(self) -> None:
        """Forget everything."""
        self._young = {}
        self._old = {}


class Database(Protocol):
    """Runs statements with `?` for each value; a cursor is what DB-API 2 says."""

    def execute(self, query: str, values: Sequence[Any] = ..., /) -> Any:
        """Run one statement; returns its cursor."""
        ...

    def executemany(self, query: str, rows: Iterable[Sequence[Any]], /) -> Any:
        """Run a statement for each row of values."""
        ...


SLICE = 100
"""Rows with texts that are read at once."""


class Queries(ABC):
    """Runs queries on one connection."""

    def __init__(self, name: str) -> None:
        """`name` says where the database is, for error messages."""
        self.name = name

    @abstractmethod
    def __call__(self, query: str, *values: object) -> list[Any]:
        """All rows of a query."""

    def slices(self, query: str, after: int = 0) -> Iterator[Any]:
        """Rows of a query in slices, each of which begins after the number that the last one ended with.

        Between two slices nothing is read, so that no old rows are kept for the reader.
        """
        last = after
        while rows := self(query, last):
            yield from rows
            last = rows[-1][0]

    def damaged(self, what: str) -> DamagedStore:
        """The error that something in the database is not as it was written."""
        return DamagedStore(
            f"{what} in {self.name} is damaged; `lagotto doctor` names all that is, restore it from a copy"
        )
