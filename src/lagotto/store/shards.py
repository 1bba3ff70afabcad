"""Which shards this worker holds, and since which epoch."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from lagotto.errors import StaleEpoch
from lagotto.urls import SHARDS, shard_of

_ACQUIRE = """
INSERT INTO shards VALUES (?, 1, ?)
ON CONFLICT DO UPDATE SET epoch = epoch + 1, owner = excluded.owner RETURNING epoch
"""


class Shards:
    """Epochs of the shards held; whoever takes a shard raises its epoch, and older ones are stale."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self.held: dict[int, int] = {}
        """Shard -> epoch."""

    def acquire(self, shards: Iterable[int], owner: str) -> dict[int, int]:
        """Take shards from whoever has them; they count as held once this is committed."""
        return {shard: self._db.execute(_ACQUIRE, (shard, owner)).fetchone()[0] for shard in shards}

    def check(self, shards: Iterable[int]) -> None:
        """Raise `StaleEpoch` unless all these shards are still held."""
        for shard in shards:
            row = self._db.execute("SELECT epoch, owner FROM shards WHERE shard = ?", (shard,)).fetchone()
            if row is None or row[0] != self.held.get(shard):
                taken = f"was taken by {row[1]}" if row and shard in self.held else "is not held"
                raise StaleEpoch(f"shard {shard} {taken}; this worker must not commit to it")

    def hold(self, host: str) -> bool:
        """Whether a host belongs to this worker."""
        return len(self.held) == SHARDS or shard_of(host) in self.held
