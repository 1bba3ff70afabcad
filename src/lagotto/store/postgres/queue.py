"""Reading the queue: which hosts have links, the best of each, what other workers have brought."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any

from lagotto.base.batch import Arrivals, HostHeads, Place
from lagotto.base.records import Lease
from lagotto.base.urls import checksum, host_of, shard_of
from lagotto.store.postgres.connection import Connection
from lagotto.store.postgres.schema import QUEUED
from lagotto.store.values import unpack

BEST_OF_HOSTS = f"""
WITH RECURSIVE best AS (
    SELECT first.* FROM unnest(?[]::smallint[]) AS held (shard) CROSS JOIN LATERAL (
        SELECT shard, host, score, seq, url FROM urls
        WHERE shard = held.shard AND {QUEUED} ORDER BY host, score DESC, seq LIMIT 1
    ) AS first
    UNION ALL
    SELECT next.* FROM best CROSS JOIN LATERAL (
        SELECT shard, host, score, seq, url FROM urls
        WHERE shard = best.shard AND host > best.host AND {QUEUED} ORDER BY host, score DESC, seq LIMIT 1
    ) AS next
)
SELECT shard, host, score, seq, url FROM best
"""
"""The best queued link of every host, found by leaping from host to host."""
_DEFERRING = """
SELECT DISTINCT ON (shard, host) url FROM urls
WHERE shard = ANY(?[]::smallint[]) AND retry_at IS NOT NULL
"""
_LEASE = """
u.seq, u.url, u.score, u.parts, u.depth, u.attempts, u.hops, u.anchor, coalesce(p.url, u.source, '')
"""
_WANTED = (
    "unnest(?[]::smallint[], ?[]::bigint[], ?[]::integer[]) WITH ORDINALITY AS wanted (shard, host, n, place)"
)
_HEADS = f"""
SELECT wanted.place, {_LEASE} FROM {_WANTED} CROSS JOIN LATERAL (
    (SELECT * FROM urls WHERE shard = wanted.shard AND host = wanted.host AND {QUEUED}
        ORDER BY score DESC, seq LIMIT wanted.n)
    UNION ALL
    (SELECT * FROM urls WHERE shard = wanted.shard AND host = wanted.host
        AND retry_at IS NOT NULL AND retry_at <= ? ORDER BY score DESC, seq LIMIT wanted.n)
) AS u LEFT JOIN urls p ON p.seq = u.parent
ORDER BY wanted.place, u.score DESC, u.seq
"""
_RETRIES = f"""
SELECT wanted.place, min(urls.retry_at),
    (SELECT true FROM urls WHERE shard = wanted.shard AND host = wanted.host AND {QUEUED} LIMIT 1) IS NOT NULL
FROM {_WANTED}
LEFT JOIN urls ON urls.shard = wanted.shard AND urls.host = wanted.host AND urls.retry_at IS NOT NULL
GROUP BY wanted.place, wanted.shard, wanted.host
"""
"""For the same condition as EXISTS the server would read all queued links, until it has counted them."""
_LAST = "SELECT coalesce(max(n), 0) FROM arrivals"
_FIRST = "SELECT n FROM arrivals ORDER BY n LIMIT 1"
_ARRIVALS = f"""
SELECT {_LEASE} FROM (
    SELECT id, shard, min(n) AS n FROM arrivals WHERE n > ? AND n <= ? AND shard = ANY(?[]::smallint[])
    GROUP BY id, shard
) AS arrived JOIN urls u USING (id, shard) LEFT JOIN urls p ON p.seq = u.parent
WHERE u.page IS NULL AND u.held = 0 AND u.retry_at IS NULL ORDER BY arrived.n
"""


class Queue:
    """Reads queued links; nothing is changed."""

    def __init__(self, db: Connection) -> None:
        self.db = db

    def hosts(self, shards: Collection[int]) -> dict[str, Place | None]:
        """Hosts of these shards that have queued links -> place of the best, None where some are deferred."""
        held = sorted(shards)
        found: dict[str, Place | None] = {}
        for _, _, score, seq, url in self.db.execute(BEST_OF_HOSTS, (held,)).fetchall():
            found[host_of(url)] = (-score, seq)
        for (url,) in self.db.execute(_DEFERRING, (held,)).fetchall():
            found[host_of(url)] = None
        return found

    def heads(self, wanted: Mapping[str, int], now: float) -> dict[str, HostHeads]:
        """The best links of each host that may be leased now, and where the best of them stands."""
        hosts = list(wanted)
        keys = [[shard_of(host) for host in hosts], [checksum(host) for host in hosts]]
        counts = [max(1, wanted[host]) for host in hosts]
        best: dict[str, list[Lease]] = defaultdict(list)
        for place, *row in self.db.execute(_HEADS, (*keys, counts, now)).fetchall():
            best[hosts[place - 1]].append(_lease(*row))
        retries = self.db.execute(_RETRIES, (*keys, counts)).fetchall()
        found = {}
        for place, retry_at, queued in retries:
            host = hosts[place - 1]
            links = best[host]
            first = (-links[0].score, links[0].seq) if links else None
            found[host] = HostHeads(links[: wanted[host]], first, 0.0 if queued else retry_at)
        return found

    def arrivals(self, since: int | None, shards: Collection[int]) -> Arrivals:
        """Links of these shards that other workers queued after a number and that may be leased now."""
        row = self.db.execute(_LAST).fetchone()
        assert row is not None
        last: int = row[0]
        if since is None or since == last:
            return Arrivals([], last)
        rows = self.db.execute(_ARRIVALS, (since, last, sorted(shards))).fetchall()
        first = self.db.execute(_FIRST).fetchone()  # Looked at last: they may be removed at any time.
        complete = first is not None and first[0] <= since + 1
        return Arrivals([_lease(*row) for row in rows], last, complete)


def _lease(
    seq: int,
    url: str,
    score: float,
    parts: bytes | None,
    depth: int,
    attempts: int,
    hops: int,
    anchor: str,
    parent: str,
    *_: Any,
) -> Lease:
    return Lease(
        id=checksum(url),
        url=url,
        host=host_of(url),
        score=score,
        parts=unpack(parts),
        depth=depth,
        parent=parent,
        seq=seq,
        attempts=attempts,
        hops=hops,
        anchor=anchor,
    )
