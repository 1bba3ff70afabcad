"""Who works on a crawl: heartbeats of the workers, and what they can learn from them."""

from __future__ import annotations

from lagotto.base.batch import Census, Place
from lagotto.base.errors import InputError
from lagotto.base.urls import SHARDS
from lagotto.store.postgres.connection import Connection
from lagotto.store.postgres.shards import NOW, Shards
from lagotto.store.sql.shelf import Owners

_ENTER = f"UPDATE owners SET until = {NOW} + ?, idle_at = NULL, version = ? WHERE owner = ?"
_BEAT = f"UPDATE owners SET until = {NOW} + ?, idle_at = ? WHERE owner = ?"
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


class Team:
    """Reads and writes heartbeats."""

    def __init__(self, db: Connection, shards: Shards, owners: Owners) -> None:
        self._db = db
        self._shards = shards
        self._owners = owners

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

    def beat(self, owner: str, idle_at: int | None) -> None:
        """The worker lives, and keeps its shards."""
        # Nobody takes shards at the same time, which is done under a lock on this row.
        self._db.execute("SELECT FROM counters FOR SHARE")
        self._shards.extend()
        self._db.execute(_BEAT, (self._shards.lease, idle_at, owner))

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
