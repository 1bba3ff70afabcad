"""Decides when recent entries of an index are written to disk: one bucket after another."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

BUCKETS = 256
STEP = 1024
"""New links after which the next bucket's turn comes."""


class Sweep:
    """Keeps an index of `urls` in memory for its newest entries and on disk for all others.

    Links arrive in random order of the index, so writing each at once would change a page of the file for
    every link. Instead an entry waits in its bucket, a contiguous range of keys, until that bucket is
    written as a whole; then several entries share a page. Exactly the entries with a `seq` above the
    bucket's mark wait, so they can be read again from `urls`, and a crash leaves nothing to repair.
    """

    def __init__(self, db: sqlite3.Connection, kind: str) -> None:
        self._db = db
        self._kind = kind
        self._marks = [0] * BUCKETS
        self._turn = 0

    def load(self, newest: int) -> None:
        """Read the marks; `newest` is the last `seq` there is."""
        self._marks = [0] * BUCKETS
        for bucket, seq in self._db.execute("SELECT bucket, seq FROM swept WHERE kind = ?", (self._kind,)):
            self._marks[bucket] = seq
        self._turn = newest // STEP

    @property
    def floor(self) -> int:
        """Every entry up to this `seq` is on disk."""
        return min(self._marks)

    def waits(self, bucket: int, seq: int) -> bool:
        """Whether an entry is still kept in memory."""
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
        self._db.execute("INSERT OR REPLACE INTO swept VALUES (?, ?, ?)", (self._kind, bucket, newest))
