"""Queued links of each host, best first: the newest in memory, the rest in `frontier`."""

from __future__ import annotations

import sqlite3
from bisect import bisect_left, insort
from collections.abc import Container

from lagotto.base.batch import Place
from lagotto.store.sqlite.links.seen import BUCKETS, Sweep
from lagotto.store.sqlite.schema import BEST_OF_HOSTS, HOST_BITS

FULL = 4096
"""Links from which on a bucket is written before its turn, so that no commit takes long."""


class Queue:
    """Links that may be leased now; a bucket is a shard, as the shard leads a host's number."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._recent: list[dict[int, list[Place]]] = [{} for _ in range(BUCKETS)]
        self._sizes = [0] * BUCKETS
        self._full: set[int] = set()
        self._sweep = Sweep(db, "frontier")

    def load(self, newest: int) -> None:
        """Forget what may have been rolled back; `add` must then be called for what `waits`."""
        for recent in self._recent:
            recent.clear()
        self._sizes = [0] * BUCKETS
        self._full.clear()
        self._sweep.load(newest)

    @property
    def floor(self) -> int:
        """Queued links up to this `seq` are all on disk."""
        return self._sweep.floor

    def waits(self, host: int, seq: int) -> bool:
        """Whether this link is still kept in memory."""
        return self._sweep.waits(host >> HOST_BITS, seq)

    def add(self, host: int, score: float, seq: int) -> None:
        """Queue a link."""
        shard = host >> HOST_BITS
        if not self._sweep.waits(shard, seq):
            self._db.execute("INSERT INTO frontier VALUES (?, ?, ?)", (host, score, seq))
            return
        links = self._recent[shard].get(host)
        if links is None:
            self._recent[shard][host] = [(-score, seq)]
        else:
            insort(links, (-score, seq))
        self._sizes[shard] += 1
        if self._sizes[shard] > FULL:
            self._full.add(shard)

    def remove(self, host: int, score: float, seq: int) -> bool:
        """Take a link out; False if it was not queued here."""
        shard = host >> HOST_BITS
        if not self._sweep.waits(shard, seq):
            query = "DELETE FROM frontier WHERE host = ? AND score = ? AND seq = ?"
            return self._db.execute(query, (host, score, seq)).rowcount > 0
        links = self._recent[shard].get(host, [])
        place = bisect_left(links, (-score, seq))
        if links[place : place + 1] != [(-score, seq)]:
            return False
        del links[place]
        if not links:
            del self._recent[shard][host]
        self._sizes[shard] -= 1
        return True

    def top(self, host: int, n: int) -> list[Place]:
        """The n best links of a host, in order."""
        best = self._recent[host >> HOST_BITS].get(host, [])[:n]
        query = "SELECT -score, seq FROM frontier WHERE host = ? ORDER BY score DESC, seq LIMIT ?"
        on_disk = self._db.execute(query, (host, n)).fetchall()
        return sorted(best + on_disk)[:n] if on_disk else best

    def best_of_hosts(self, shards: Container[int]) -> dict[int, Place]:
        """Hosts of these shards that have queued links, each with the place of its best one."""
        best = {
            host: (minus_score, seq)
            for host, minus_score, seq in self._db.execute(BEST_OF_HOSTS)
            if host >> HOST_BITS in shards
        }
        for shard, recent in enumerate(self._recent):
            if shard in shards:
                for host, links in recent.items():
                    best[host] = min(links[0], best.get(host, links[0]))
        return best

    def sweep(self, newest: int) -> None:
        """Write the buckets that are full or whose turn has come."""
        for shard in {*self._full, *self._sweep.due(newest)}:
            rows = [
                (host, -minus_score, seq)
                for host, links in sorted(self._recent[shard].items())
                for minus_score, seq in links
            ]
            self._db.executemany("INSERT INTO frontier VALUES (?, ?, ?)", rows)
            self._recent[shard] = {}
            self._sizes[shard] = 0
            self._sweep.written(shard, newest)
        self._full.clear()
