"""When recent entries of an index go to disk: bucket after bucket, in turn."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

BUCKETS = 256
STEP = 1024
"""New links after which the next bucket's turn comes."""


class Sweep:
    """Keeps an index of `urls` in memory for its newest entries and on disk for all others.

    Links come in an order that has nothing to do with the order of the index, so writing each at
    once would touch a page of the file for every link. Instead an entry waits in its bucket, a
    contiguous range of keys, until that bucket's turn comes, and then several entries share a page.
    The entries that wait are exactly those whose `seq` lies beyond the bucket's mark, so they can be
    read again from `urls`, and after a crash there is nothing to repair.
    """

    def __init__(self, db: sqlite3.Connection, kind: str) -> None:
        self._db = db
        self._kind = kind
        self._marks = [0] * BUCKETS
        self._turn = 0

    def load(self, newest: int) -> None:
        """Read the marks; `newest` is the last `seq` there is."""
        self._marks = [0] * BUCKETS
        for bucket, seq in self._db.execute("SELECT bucket, seq FROM marks WHERE kind = ?", (self._kind,)):
            self._marks[bucket] = seq
        self._turn = newest // STEP

    @property
    def floor(self) -> int:
        """Every entry up to this `seq` is on disk."""
        return min(self._marks)

    def waits(self, bucket: int, seq: int) -> bool:
        """Whether an entry belongs in memory still."""
        return seq > self._marks[bucket]

    def due(self, newest: int) -> Iterator[int]:
        """Buckets whose turn has come; the caller writes each and calls `written`."""
        turn = newest // STEP
        for turn_of_bucket in range(max(self._turn, turn - BUCKETS) + 1, turn + 1):
            yield turn_of_bucket % BUCKETS
        self._turn = turn

    def written(self, bucket: int, newest: int) -> None:
        """All entries of the bucket are in their table now."""
        self._marks[bucket] = newest
        self._db.execute("INSERT OR REPLACE INTO marks VALUES (?, ?, ?)", (self._kind, bucket, newest))
