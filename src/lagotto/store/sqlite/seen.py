"""Which URLs are known: a cache, the newest checksums in memory, a Bloom filter, and a table."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator

from rbloom import Bloom

from lagotto.store import crash_points
from lagotto.store.sql.database import Cache

REMEMBERED = 200_000
FALSE_POSITIVES = 0.01
FIRST_LAYER = 1_000_000
FILLED_AT_ONCE = 20_000
_LAST_ID = 2**63 - 1


class Filter:
    """A Bloom filter that grows: when a layer is full, one four times as large is put on top."""

    def __init__(self, expected: int) -> None:
        self._room = max(expected, FIRST_LAYER)
        self._size = self._room
        self._layers = [Bloom(self._size, FALSE_POSITIVES)]

    def __contains__(self, id: int) -> bool:
        for layer in self._layers:  # noqa: SIM110 - any() costs three times as much, for every link
            if id in layer:
                return True
        return False

    def update(self, ids: Collection[int]) -> None:
        """Add checksums."""
        if len(ids) > self._room:
            self._size = self._room = max(4 * self._size, len(ids))
            self._layers.append(Bloom(self._size, FALSE_POSITIVES))
        self._room -= len(ids)
        self._layers[-1].update(ids)


class Seen:
    """From a URL's checksum to its `seq`.

    Each commit fills a part of the filter, so that a large crawl opens without delay. The filter holds
    all checksums up to `_filled`.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._recent: list[dict[int, int]] = [{} for _ in range(BUCKETS)]
        self._sweep = Sweep(db, "known")
        self._filter = Filter(0)
        self._filled = -_LAST_ID - 1
        self.scores: Cache[int, float] = Cache(REMEMBERED)
        """Checksum -> score that a rediscovery must exceed to matter; infinite once concluded."""

    def load(self, newest: int, *, others_wrote: bool = False) -> None:
        """Forget what may have been rolled back. Afterwards call `add` for each link that `waits` lists.

        The filter does not know what other workers wrote to disk, so it is filled anew if they did.
        """
        for recent in self._recent:
            recent.clear()
        self.scores.clear()
        self._sweep.load(newest)
        if others_wrote or self._filled < _LAST_ID:
            self._filter = Filter(newest + newest // 2)
            self._filled = -_LAST_ID - 1

    @property
    def floor(self) -> int:
        """Checksums of all links up to this `seq` are on disk."""
        return self._sweep.floor

    def waits(self, id: int, seq: int) -> bool:
        """Whether this checksum is still kept in memory."""
        return self._sweep.waits(_bucket(id), seq)

    def find(self, id: int) -> int | None:
        """The URL's `seq`, None if it is not known."""
        seq = self._recent[_bucket(id)].get(id)
        if seq is not None or (id <= self._filled and id not in self._filter):
            return seq
        row = self._db.execute("SELECT seq FROM known WHERE id = ?", (id,)).fetchone()
        return None if row is None else int(row[0])

    def add(self, id: int, seq: int) -> None:
        """A link became known."""
        self._recent[_bucket(id)][id] = seq

    def sweep(self, newest: int) -> None:
        """Write the buckets whose turn has come, and fill the next part of the filter."""
        for bucket in self._sweep.due(newest):
            recent = self._recent[bucket]
            self._db.executemany("INSERT INTO known VALUES (?, ?)", sorted(recent.items()))
            crash_points.point("sweep.inside")
            self._filter.update(recent.keys())
            recent.clear()
            self._sweep.written(bucket, newest)
        if self._filled < _LAST_ID:
            self._fill()

    def _fill(self) -> None:
        query = "SELECT id FROM known WHERE id > ? ORDER BY id LIMIT ?"
        ids = [id for (id,) in self._db.execute(query, (self._filled, FILLED_AT_ONCE))]
        self._filter.update(ids)
        self._filled = ids[-1] if len(ids) == FILLED_AT_ONCE else _LAST_ID


def _bucket(id: int) -> int:
    """The first eight bits of a signed checksum."""
    return (id >> 56) + 128


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
