"""Which shards this worker holds, and since which epoch."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable
from math import inf

from lagotto.base.errors import StaleEpoch
from lagotto.base.urls import SHARDS, shard_of
from lagotto.base.views import ShardHolder

_ACQUIRE = """
INSERT INTO shards VALUES (?, 1, ?, ?)
ON CONFLICT DO UPDATE SET epoch = epoch + 1, owner = excluded.owner, until = excluded.until RETURNING epoch
"""


class Shards:
    """Epochs of the held shards; taking a shard raises its epoch, and older epochs are stale."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self.owner = ""
        self.held: dict[int, int] = {}
        """Shard -> epoch."""
        self._lease = inf
        self._checked = False

    def load(self) -> None:
        """Another connection may have written, or a transaction was rolled back: compare epochs again."""
        self._checked = False

    def acquire(self, shards: Iterable[int], owner: str, lease: float) -> dict[int, int]:
        """Take shards from their present owners; they are held once this is committed."""
        until = time.time() + lease
        return {shard: self._db.execute(_ACQUIRE, (shard, owner, until)).fetchone()[0] for shard in shards}

    def hold(self, taken: dict[int, int], owner: str, lease: float) -> None:
        """Shards were acquired and that is committed."""
        self.held.update(taken)
        self.owner = owner
        self._lease = lease
        self._checked = False

    def renew(self) -> None:
        """Extend the lease of all held shards."""
        until = time.time() + self._lease
        rows = [(until, shard) for shard in self.held]
        self._db.executemany("UPDATE shards SET until = ? WHERE shard = ?", rows)

    def release(self, shards: Iterable[int]) -> None:
        """Give up those of these shards that are still held."""
        rows = [(shard, self.held[shard]) for shard in shards if shard in self.held]
        query = "UPDATE shards SET owner = '', until = 0 WHERE shard = ? AND epoch = ?"
        self._db.executemany(query, rows)

    def drop(self, shards: Iterable[int]) -> None:
        """Shards were released and that is committed."""
        for shard in shards:
            self.held.pop(shard, None)
        self._checked = False

    def check(self, shards: Iterable[int] = ()) -> None:
        """Raise `StaleEpoch` unless these shards are held and no held one was taken; in a transaction."""
        if not self._checked:
            current = dict(self._db.execute("SELECT shard, epoch FROM shards"))
            self._refuse([shard for shard, epoch in self.held.items() if current.get(shard) != epoch])
            self._checked = True
        self._refuse([shard for shard in shards if shard not in self.held])

    def _refuse(self, lost: list[int]) -> None:
        if not lost:
            return
        shard = lost[0]
        row = self._db.execute("SELECT owner FROM shards WHERE shard = ?", (shard,)).fetchone()
        fate = f"was taken by {row[0]}" if row and row[0] and shard in self.held else "is not held"
        raise StaleEpoch(f"shard {shard} {fate}; this worker must not commit to it", lost)

    @property
    def holds_all(self) -> bool:
        """Whether this worker holds every shard."""
        return len(self.held) == SHARDS

    def holds(self, host: str) -> bool:
        """Whether a host belongs to this worker."""
        return shard_of(host) in self.held

    def holders(self) -> list[ShardHolder]:
        """Shards that were ever taken."""
        query = "SELECT shard, owner, epoch, until FROM shards ORDER BY shard"
        return [ShardHolder(*row) for row in self._db.execute(query)]
