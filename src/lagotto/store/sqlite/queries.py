"""Queries to a SQLite file."""

from __future__ import annotations

import heapq
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from lagotto.store.disk_errors import disk_errors_explained
from lagotto.store.sql.database import Queries
from lagotto.store.sqlite.schema import QUEUED_HOSTS


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


FLOOR = """
SELECT CASE WHEN count(*) < 256 THEN 0 ELSE min(seq) END FROM swept WHERE kind = ?
"""
"""All links up to this `seq` are in the index of this kind."""
# Queued links that are not in frontier yet; sweep.Sweep says why.
_RECENT = """
SELECT u.score, u.seq
FROM urls u LEFT JOIN swept m ON m.kind = 'frontier' AND m.bucket = u.host >> 32
WHERE u.seq > ? AND u.seq > coalesce(m.seq, 0) AND u.page IS NULL AND NOT u.held
    AND u.seq NOT IN (SELECT seq FROM deferred)
"""


def best_links(queries: SqliteQueries, n: int, host: str) -> list[int]:
    """The n best links that could be leased now, over all hosts or of one, by `seq`."""
    [(floor,)] = queries(FLOOR, "frontier")
    first_of_host = "SELECT score, seq FROM frontier WHERE host = ? ORDER BY score DESC, seq LIMIT ?"
    order = "ORDER BY u.score DESC, u.seq LIMIT ?"
    if host:
        [(id,)] = queries("SELECT id FROM hosts WHERE name = ?", host) or [(-1,)]
        best = queries(f"{_RECENT} AND u.host = ? {order}", floor, id, n)
        hosts = [id] if queries(first_of_host, id, 1) else []
    else:
        best = queries(f"{_RECENT} {order}", floor, n)
        hosts = [id for (id,) in queries(QUEUED_HOSTS)]
    heads = [(*queries(first_of_host, id, 1)[0], id) for id in hosts]
    for _, _, id in heapq.nsmallest(n, heads, key=_best_first):
        best += queries(first_of_host, id, n)
    return [seq for _, seq in heapq.nsmallest(n, best, key=_best_first)]


def _best_first(link: tuple[Any, ...]) -> tuple[float, int]:
    return (-link[0], link[1])
