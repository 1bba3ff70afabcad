"""Queries to a SQLite file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from lagotto.store.disk_errors import disk_errors_explained
from lagotto.store.sql.queries import Queries


class SqliteQueries(Queries):
    """Runs queries on one connection; between two slices the write-ahead log can be emptied."""

    def __init__(self, db: sqlite3.Connection, path: Path) -> None:
        super().__init__(str(path))
        self.db = db
        self.path = path

    def __call__(self, query: str, *values: object) -> list[Any]:
        """All rows of a query."""
        with disk_errors_explained(self.path), closing(self.db.execute(query, values)) as cursor:
            return cursor.fetchall()
