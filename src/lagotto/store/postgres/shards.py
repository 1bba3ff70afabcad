"""Which shards this worker holds, and since which epoch."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from lagotto.base.errors import StaleEpoch
from lagotto.base.urls import SHARDS
from lagotto.base.views import ShardHolder
from lagotto.store.postgres.connection import Connection
from lagotto.store.postgres.news import Watch

NOW = "extract(epoch FROM clock_timestamp())::double precision"
"""Wall-clock time of the database. No lease ends by it: see `watch`."""
_ACQUIRE = f"""
INSERT INTO shards SELECT shard, 1, ?, {NOW} + ? FROM unnest(?[]::smallint[]) AS wanted (shard)
ON CONFLICT (shard) DO UPDATE SET epoch = shards.epoch + 1, owner = excluded.owner, until = excluded.until
RETURNING shard, epoch
"""
_RENEW = f"UPDATE shards SET until = {NOW} + ? WHERE shard = ANY(?[]::smallint[])"
_RELEASE = """
UPDATE shards SET owner = '', until = 0 FROM unnest(?[]::smallint[], ?[]::bigint[]) AS given (shard, epoch)
WHERE shards.shard = given.shard AND shards.epoch = given.epoch
"""

_EXTEND = f"""
UPDATE shards SET until = {NOW} + ? FROM unnest(?[]::smallint[], ?[]::bigint[]) AS held (shard, epoch)
WHERE shards.shard = held.shard AND shards.epoch = held.epoch RETURNING shards.shard
"""
_HELD = """
SELECT shards.shard, shards.owner, owners.until FROM shards JOIN owners ON owners.owner = shards.owner
"""


class Shards:
    """Epochs of the held shards; taking a shard raises its epoch, and older epochs are stale."""

    def __init__(self, db: Connection) -> None:
        self.db = db
        self.owner = ""
        self.held: dict[int, int] = {}
        """Shard -> epoch."""
        self.lease = inf
        self.watch = Watch()
        self._checked = -1
        """Number of changes of hands after which all held shards were still held."""

    def acquire(self, shards: Iterable[int], owner: str, lease: float) -> dict[int, int]:
        """Take shards from their present owners; they are held once this is committed."""
        self.db.execute("UPDATE counters SET epochs = epochs + 1")
        return dict(self.db.execute(_ACQUIRE, (owner, lease, list(shards))).fetchall())

    def hold(self, taken: dict[int, int], owner: str, lease: float) -> None:
        """Shards were acquired and that is committed."""
        self.held.update(taken)
        self.owner = owner
        self.lease = lease
        self._checked = -1

    def renew(self) -> None:
        """Extend the lease of all held shards."""
        self.db.execute(_RENEW, (self.lease, list(self.held)))

    def release(self, shards: Iterable[int]) -> None:
        """Give up those of these shards that are still held."""
        given = [shard for shard in shards if shard in self.held]
        self.db.execute(_RELEASE, (given, [self.held[shard] for shard in given]))

    def drop(self, shards: Iterable[int]) -> None:
        """Shards were released and that is committed."""
        for shard in shards:
            self.held.pop(shard, None)

    def check(self, epochs: int, shards: Iterable[int] = ()) -> None:
        """Raise `StaleEpoch` unless these shards are held and no held one was taken.

        `epochs` is how often shards have changed hands; while it stays the same nothing was taken.
        """
        if self._checked != epochs:
            current = dict(self.db.execute("SELECT shard, epoch FROM shards").fetchall())
            self._refuse([shard for shard, epoch in self.held.items() if current.get(shard) != epoch])
            self._checked = epochs
        self._refuse([shard for shard in shards if shard not in self.held])

    def _refuse(self, lost: list[int]) -> None:
        if not lost:
            return
        shard = lost[0]
        row = self.db.execute("SELECT owner FROM shards WHERE shard = ?", (shard,)).fetchone()
        fate = f"was taken by {row[0]}" if row and row[0] and shard in self.held else "is not held"
        raise StaleEpoch(f"shard {shard} {fate}; this worker must not commit to it", lost)

    def extend(self) -> None:
        """Extend the leases of the held shards, unless one was taken."""
        held = list(self.held)
        kept = self.db.execute(_EXTEND, (self.lease, held, [self.held[shard] for shard in held])).fetchall()
        self._refuse(sorted(self.held.keys() - {shard for (shard,) in kept}))

    def free(self) -> list[int]:
        """Shards that nobody holds, or whose owner has left or been silent for a lease."""
        held = {
            shard
            for shard, owner, stamp in self.db.execute(_HELD).fetchall()
            if stamp and not self.watch.silent(owner, stamp, self.lease)
        }
        return [shard for shard in range(SHARDS) if shard not in held]

    def holders(self) -> list[ShardHolder]:
        """Shards that were ever taken."""
        query = "SELECT shard, owner, epoch, until FROM shards ORDER BY shard"
        return [ShardHolder(*row) for row in self.db.execute(query).fetchall()]
