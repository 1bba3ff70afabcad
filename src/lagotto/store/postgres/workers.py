"""Who works on a crawl: heartbeats of the workers, and the shards that each holds since which epoch."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from math import inf

from msgspec import Struct

from lagotto.base.batch import Census, Place
from lagotto.base.errors import InputError, StaleEpoch
from lagotto.base.urls import SHARDS
from lagotto.base.views import ShardHolder
from lagotto.store.postgres.connection import Connection
from lagotto.store.sql.shelf import Owners

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
_ENTER = f"UPDATE owners SET until = {NOW} + ?, idle_at = NULL, version = ? WHERE owner = ?"
_BEAT = f"""
INSERT INTO owners (until, idle_at, version, owner) VALUES ({NOW} + ?, ?, ?, ?)
ON CONFLICT (owner) DO UPDATE SET until = excluded.until, idle_at = excluded.idle_at
"""
"""The row of a worker that was silent for a lease may be removed; it lives again if it wakes up."""
_OTHER_VERSION = f"SELECT owner, version FROM owners WHERE until > {NOW} AND version NOT IN ('', ?) LIMIT 1"
_GO_ON = f"""
UPDATE crawl SET value = '' WHERE name = 'ended'
AND NOT EXISTS (SELECT FROM owners WHERE until > {NOW} AND owner != ?)
"""
_WORKERS = """
SELECT owners.owner, owners.until, idle_at, count(shard)
FROM owners LEFT JOIN shards ON shards.owner = owners.owner
WHERE owners.until != 0 GROUP BY owners.owner ORDER BY owners.owner
"""
_GONE = "UPDATE owners SET until = 0, idle_at = NULL, offer = NULL WHERE owner = ? AND until = ?"
_STATE = f"""
SELECT (SELECT coalesce(max(n), 0) FROM arrivals),
    (SELECT value FROM crawl WHERE name = 'ended'),
    (SELECT count(*) FROM commands WHERE taken_at IS NOT NULL),
    {NOW}
"""
_OFFER = f"UPDATE owners SET offer = ?, offer_seq = ?, offered_at = {NOW} WHERE owner = ?"
_OFFERED = f"""
SELECT offer, offer_seq FROM owners
WHERE owner != ? AND until != 0 AND offered_at BETWEEN {NOW} - ? AND {NOW} AND offer IS NOT NULL
ORDER BY offer, offer_seq LIMIT 1
"""
_END = "INSERT INTO crawl VALUES ('ended', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"


class _Seen(Struct):
    stamp: float
    since: float


class Watch:
    """Remembers when the stamps of other workers were first seen."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        self._seen: dict[str, _Seen] = {}

    def look(self, stamps: Mapping[str, float]) -> None:
        """Take note of the latest stamp of every worker."""
        now, before = self.now(), self._seen
        self._seen = {
            owner: before[owner] if owner in before and before[owner].stamp == stamp else _Seen(stamp, now)
            for owner, stamp in stamps.items()
        }

    def silent(self, owner: str, stamp: float, lease: float) -> bool:
        """Whether a worker has had this stamp for so many seconds."""
        seen = self._seen.get(owner)
        return seen is not None and seen.stamp == stamp and self.now() - seen.since >= lease


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


class Team:
    """Reads and writes heartbeats."""

    def __init__(self, db: Connection, shards: Shards, owners: Owners) -> None:
        self._db = db
        self._shards = shards
        self._owners = owners
        self._version = ""

    def enter(self, owner: str, lease: float, version: str) -> None:
        """A worker begins; all that live must have the same version. If none lives, the crawl goes on."""
        row = self._db.execute(_OTHER_VERSION, (version,)).fetchone()
        if row is not None:
            raise InputError(
                f"worker {row[0]} runs Lagotto {row[1]}, this is {version}; "
                "all workers of a crawl need the same version"
            )
        self._db.execute(_GO_ON, (owner,))
        self._db.execute(_ENTER, (lease, version, owner))
        self._version = version

    def beat(self, owner: str, idle_at: int | None) -> None:
        """The worker lives, and keeps its shards."""
        # Nobody takes shards at the same time, which is done under a lock on this row.
        self._db.execute("SELECT FROM counters FOR SHARE")
        self._shards.extend()
        self._db.execute(_BEAT, (self._shards.lease, idle_at, self._version, owner))

    def stir(self, owner: str) -> None:
        """The worker is not idle any more: shards or links may have come, which it has yet to look at."""
        self._db.execute("UPDATE owners SET idle_at = NULL WHERE owner = ? AND idle_at IS NOT NULL", (owner,))

    def census(self) -> Census:
        """Who works on the crawl; a worker that was silent for a lease does so no more.

        All is read from one snapshot: the crawl is over if at one moment every worker that lives had nothing
        left to do, knew all links that had arrived, and no shard was without an owner.
        """
        watch, lease = self._shards.watch, self._shards.lease
        with self._db.transaction():
            self._db.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            found = self._db.execute(_WORKERS).fetchall()
            row = self._db.execute(_STATE).fetchone()
        assert row is not None
        watch.look({owner: stamp for owner, stamp, *_ in found})
        last, ended, taken, now = row
        workers, idle = {}, True
        for owner, stamp, idle_at, shards in found:
            if watch.silent(owner, stamp, lease):
                self._db.execute(_GONE, (owner, stamp))
                continue
            workers[owner] = shards
            idle = idle and idle_at is not None and idle_at >= last
        free = SHARDS - sum(workers.values())
        return Census(
            workers=workers,
            free=free,
            over=idle and bool(workers) and not free,
            ended=ended or "",
            taken=taken,
            spent=self._owners.spent(),
            time=now,
        )

    def offer(self, owner: str, best: Place | None) -> Place | None:
        """Say what the worker could lease; returns the best of what others offer who have their lease."""
        with self._db.transaction(piped=True):
            # What is lost in a crash is told anew a moment later: it need not wait for the disk.
            self._db.execute("SET LOCAL synchronous_commit = off")
            self._db.execute(_OFFER, (*(best or (None, None)), owner))
            return self.offered(owner)

    def offered(self, owner: str) -> Place | None:
        """The best of what others offer who have their lease."""
        row = self._db.execute(_OFFERED, (owner, self._shards.lease)).fetchone()
        return None if row is None else (row[0], row[1])

    def end(self, why: str) -> None:
        """Say why the crawl has ended, or that it goes on."""
        self._db.execute(_END, (why,))

    def leave(self, owner: str) -> None:
        """The worker is gone."""
        self._shards.release(list(self._shards.held))
        self._db.execute(
            "UPDATE owners SET until = 0, idle_at = NULL, offer = NULL WHERE owner = ?", (owner,)
        )
