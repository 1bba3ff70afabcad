"""The strategy's state, written in pieces, so that no commit has to wait for all of it.

A snapshot counts once its last piece is there. Until then the one before it does, with all samples
since: both lead to the same state. The two lie in two slots, and each new one takes the older's.
"""

from __future__ import annotations

import sqlite3
import time

from msgspec import Struct

PIECE = 1 << 20
"""Bytes that a commit writes."""
LET_GO = 50
"""Samples that a commit removes once a snapshot has made them needless."""


class _Unwritten(Struct):
    """A snapshot on its way into the store."""

    number: int
    state: memoryview
    samples: int
    """Number of the last sample that went into it."""
    written: int = 0
    """Pieces that are there already."""


class Snapshots:
    """Keeps the strategy's state; all calls belong in a transaction."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._unwritten: _Unwritten | None = None
        self._samples_to_go = False

    def load(self) -> None:
        """Begin anew after opening, or after a transaction that failed: what was not written is given up."""
        self._unwritten = None
        self._samples_to_go = True

    @property
    def complete(self) -> bool:
        """Whether the newest state is wholly written."""
        return self._unwritten is None

    def begin(self, state: bytes) -> None:
        """Keep a state that all samples so far have gone into: its first piece now."""
        [(number,)] = self._db.execute("SELECT coalesce(max(n), 0) + 1 FROM snapshots")
        [(samples,)] = self._db.execute("SELECT coalesce(max(n), 0) FROM samples")
        self._unwritten = _Unwritten(number, memoryview(state), samples)
        self.go_on()

    def go_on(self) -> None:
        """Write the next piece of a state, or let go of samples that one has made needless."""
        if self._unwritten is not None:
            self._write(self._unwritten)
        elif self._samples_to_go:
            self._let_samples_go()

    def restore(self) -> tuple[bytes | None, list[bytes]]:
        """The latest complete snapshot, and the samples since."""
        row = self._db.execute("SELECT n, pieces, samples FROM snapshots").fetchone()
        number, pieces, known = row or (0, 0, 0)
        query = "SELECT content FROM pieces WHERE slot = ? AND piece < ? ORDER BY piece"
        state = b"".join(content for (content,) in self._db.execute(query, (number % 2, pieces)))
        query = "SELECT sample FROM samples WHERE n > ? ORDER BY n"
        samples = [sample for (sample,) in self._db.execute(query, (known,))]
        return (None if row is None else state), samples

    def _write(self, snapshot: _Unwritten) -> None:
        start = snapshot.written * PIECE
        piece = snapshot.state[start : start + PIECE]
        row = (snapshot.number % 2, snapshot.written, piece)
        self._db.execute("INSERT OR REPLACE INTO pieces (slot, piece, content) VALUES (?, ?, ?)", row)
        snapshot.written += 1
        if start + PIECE >= len(snapshot.state):
            self._db.execute("DELETE FROM snapshots")
            whole = (snapshot.number, time.time(), snapshot.written, snapshot.samples)
            self._db.execute("INSERT INTO snapshots VALUES (?, ?, ?, ?)", whole)
            self._unwritten = None
            self._samples_to_go = True

    def _let_samples_go(self) -> None:
        """Remove some needless samples, but never the last: the next one's number follows from it."""
        query = """
            DELETE FROM samples WHERE n < (SELECT samples FROM snapshots)
            AND n < (SELECT min(n) FROM samples) + ?
        """
        self._samples_to_go = self._db.execute(query, (LET_GO,)).rowcount > 0
