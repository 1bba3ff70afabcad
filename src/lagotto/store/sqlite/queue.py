"""Hosts, and the queued links of each, best first: the newest in memory, the rest in `frontier`.

`urls.score` owns a link's score. What else knows it are caches of that column, written by `known_links.Links`
in the same transaction and read again from `urls` after a failure. `frontier`, with the newest links in
`Queue`, is an index by host and score: a plain SQL index would change two pages of the file for each link.
`Seen.scores` remembers scores of links met lately, so that most links that are found again need no query.
"""

from __future__ import annotations

import sqlite3
from bisect import bisect_left, insort
from collections.abc import Container, Mapping
from typing import TypeVar

from lagotto.base.batch import Place
from lagotto.base.urls import shard_of
from lagotto.store.sql.database import Cache
from lagotto.store.sqlite.schema import HOST_BITS
from lagotto.store.sqlite.seen import BUCKETS, Sweep

REMEMBERED = 250_000

V = TypeVar("V")


class Hosts:
    """Gives each host a number in which its shard comes first."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._numbers: Cache[str, int] = Cache(REMEMBERED)
        self._last: dict[int, int] = {}

    def load(self) -> None:
        """Forget what may have been rolled back."""
        self._numbers.clear()
        self._last.clear()

    def find(self, name: str) -> int | None:
        """The host's number, if it has one."""
        number = self._numbers.get(name)
        if number is None:
            row = self._db.execute("SELECT id FROM hosts WHERE name = ?", (name,)).fetchone()
            if row is not None:
                self._numbers[name] = number = row[0]
        return number

    def number(self, name: str) -> int:
        """The host's number, a new one if need be."""
        number = self.find(name)
        if number is None:
            shard = shard_of(name)
            number = self._last_number(shard) + 1
            self._db.execute("INSERT INTO hosts VALUES (?, ?)", (number, name))
            self._last[shard] = self._numbers[name] = number
        return number

    def named(self, numbered: Mapping[int, V]) -> dict[str, V]:
        """What belongs to hosts by number, by name instead; in the order of the numbers."""
        rows = self._db.execute("SELECT id, name FROM hosts")
        return {name: numbered[number] for number, name in rows if number in numbered}

    def _last_number(self, shard: int) -> int:
        if shard not in self._last:
            first, end = shard << HOST_BITS, (shard + 1) << HOST_BITS
            query = "SELECT max(id) FROM hosts WHERE id >= ? AND id < ?"
            self._last[shard] = self._db.execute(query, (first, end)).fetchone()[0] or first
        return self._last[shard]


QUEUED_HOSTS = """
WITH RECURSIVE queued (host) AS (
    SELECT min(host) FROM frontier
    UNION ALL
    SELECT (SELECT min(host) FROM frontier WHERE host > queued.host) FROM queued WHERE host IS NOT NULL
)
SELECT host FROM queued WHERE host IS NOT NULL
"""
"""Distinct hosts in `frontier`, found by leaping from one to the next."""

BEST_OF_HOSTS = QUEUED_HOSTS.replace(
    "SELECT host FROM",
    """SELECT host,
    (SELECT -score FROM frontier f WHERE f.host = queued.host ORDER BY f.score DESC, f.seq LIMIT 1),
    (SELECT seq FROM frontier f WHERE f.host = queued.host ORDER BY f.score DESC, f.seq LIMIT 1)
FROM""",
)
"""Distinct hosts in `frontier`, each with minus score and `seq` of its best link."""
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
        """Forget what may have been rolled back. Afterwards call `add` for each link that `waits` lists."""
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
