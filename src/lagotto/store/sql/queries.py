"""Queries that read a crawl's database, with what goes wrong said in a sentence."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

from lagotto.errors import DamagedStore

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
