"""What was learned: samples in commit order, versions of topic and model."""

from __future__ import annotations

import time
from collections.abc import Iterable

from msgspec import Struct

from lagotto.base.batch import Restored, Samples, Snapshot, Version
from lagotto.store.sql.database import Database


class Learned:
    """Samples and versions; calls that write belong in a transaction."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add_samples(self, samples: Iterable[bytes]) -> None:
        """Add what `Strategy.learn` took in."""
        self._db.executemany("INSERT INTO samples (sample) VALUES (?)", [(sample,) for sample in samples])

    def samples(self, since: int) -> Samples:
        """Samples after a number, in order."""
        rows = self._db.execute("SELECT n, sample FROM samples WHERE n > ? ORDER BY n", (since,)).fetchall()
        if not rows:
            return Samples([], since)
        # Samples are removed from the first on. Numbers can also be missing as a commit failed.
        complete = rows[0][0] == since + 1 or self._has_up_to(since)
        return Samples([sample for _, sample in rows], rows[-1][0], complete)

    def _has_up_to(self, number: int) -> bool:
        return bool(self._db.execute("SELECT 1 FROM samples WHERE n <= ? LIMIT 1", (number,)).fetchone())

    def add_version(self, version: Version) -> None:
        """Keep a new version of something, under the next number."""
        query = "SELECT coalesce(max(version), 0) + 1 FROM versions WHERE kind = ?"
        number: int = self._db.execute(query, (version.kind,)).fetchone()[0]
        row = (version.kind, number, version.created or time.time(), version.content)
        self._db.execute("INSERT INTO versions VALUES (?, ?, ?, ?)", row)


PIECE = 1 << 20
"""Bytes of a snapshot that one commit writes."""
REMOVED_AT_ONCE = 50
"""Samples that one commit removes, once every owner's snapshot covers them."""

_WRITE_PIECE = """
INSERT INTO pieces VALUES (?, ?, ?, ?)
ON CONFLICT (owner, slot, piece) DO UPDATE SET content = excluded.content
"""
_WRITE_SNAPSHOT = """
INSERT INTO snapshots VALUES (?, ?, ?, ?, ?)
ON CONFLICT (owner) DO UPDATE SET
    n = excluded.n, taken_at = excluded.taken_at, pieces = excluded.pieces, samples = excluded.samples
"""


class _Unwritten(Struct):
    """A snapshot that is being written."""

    number: int
    state: memoryview
    samples: int
    """Number of the last sample that went into it."""
    written: int = 0
    """Pieces that are there already."""


class Snapshots:
    """Keeps the strategy's state; all calls belong in a transaction."""

    def __init__(self, db: Database, owner: str = "") -> None:
        self._db = db
        self.owner = owner
        self._unwritten: _Unwritten | None = None
        self._removing = False

    def load(self) -> None:
        """Forget an unfinished snapshot, after opening and after a failed transaction."""
        self._unwritten = None
        self._removing = True

    @property
    def complete(self) -> bool:
        """Whether the newest state is wholly written."""
        return self._unwritten is None

    def begin(self, snapshot: Snapshot) -> None:
        """Write the first piece of a state, or all of it."""
        row = self._db.execute("SELECT n + 1 FROM snapshots WHERE owner = ?", (self.owner,)).fetchone()
        number = row[0] if row else 1
        samples = self.last_sample() if snapshot.samples is None else snapshot.samples
        self._unwritten = _Unwritten(number, memoryview(snapshot.state), samples)
        self.write_next()
        while snapshot.at_once and not self.complete:
            self.write_next()

    def last_sample(self) -> int:
        """Number of the newest sample."""
        last: int = self._db.execute("SELECT coalesce(max(n), 0) FROM samples").fetchone()[0]
        return last

    def write_next(self) -> None:
        """Write the next piece of a state; when all is written, remove some samples that it covers."""
        if self._unwritten is not None:
            self._write(self._unwritten)
        elif self._removing:
            self._remove_samples()

    def restore(self) -> Restored:
        """The owner's latest complete snapshot, and the samples since."""
        query = "SELECT n, pieces, samples FROM snapshots WHERE owner = ?"
        row = self._db.execute(query, (self.owner,)).fetchone()
        number, pieces, known = row or (0, 0, 0)
        query = "SELECT content FROM pieces WHERE owner = ? AND slot = ? AND piece < ? ORDER BY piece"
        found = self._db.execute(query, (self.owner, number % 2, pieces))
        state = b"".join(content for (content,) in found)
        query = "SELECT sample FROM samples WHERE n > ? ORDER BY n"
        samples = [sample for (sample,) in self._db.execute(query, (known,))]
        return Restored(None if row is None else state, samples, max(known, self.last_sample()))

    def _write(self, snapshot: _Unwritten) -> None:
        start = snapshot.written * PIECE
        piece = snapshot.state[start : start + PIECE]
        row = (self.owner, snapshot.number % 2, snapshot.written, piece)
        self._db.execute(_WRITE_PIECE, row)
        snapshot.written += 1
        if start + PIECE >= len(snapshot.state):
            whole = (self.owner, snapshot.number, time.time(), snapshot.written, snapshot.samples)
            self._db.execute(_WRITE_SNAPSHOT, whole)
            self._unwritten = None
            self._removing = True

    def _remove_samples(self) -> None:
        """Remove some covered samples, but never the last: the next number follows from it."""
        query = """
            DELETE FROM samples WHERE n < (SELECT min(samples) FROM snapshots)
            AND n < (SELECT min(n) FROM samples) + ? RETURNING n
        """
        self._removing = bool(self._db.execute(query, (REMOVED_AT_ONCE,)).fetchall())
