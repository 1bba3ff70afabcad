"""Queries that read a crawl's database, with what goes wrong said in a sentence."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from lagotto.errors import DamagedStore
from lagotto.store.disk_errors import disk_errors_explained

SLICE = 100
"""Rows with texts that are read at once."""


class Queries:
    """Runs queries on one connection."""

    def __init__(self, db: sqlite3.Connection, path: Path) -> None:
        self.db = db
        self.path = path

    def __call__(self, query: str, *values: object) -> list[Any]:
        """All rows of a query."""
        with disk_errors_explained(self.path), closing(self.db.execute(query, values)) as cursor:
            return cursor.fetchall()

    def slices(self, query: str, after: int = 0) -> Iterator[Any]:
        """Rows of a query in slices, each of which begins after the number that the last one ended with.

        Between two slices nothing is read, so that the crawl's write-ahead log can be emptied.
        """
        last = after
        while rows := self(query, last):
            yield from rows
            last = rows[-1][0]

    def damaged(self, what: str) -> DamagedStore:
        """The error that something in the database is not as it was written."""
        return DamagedStore(
            f"{what} in {self.path} is damaged; `lagotto doctor` names all that is, restore it from a copy"
        )
