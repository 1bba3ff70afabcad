"""Fills a crawl in PostgreSQL with queued links, as pages would have brought them, without crawling."""

from __future__ import annotations

import random

import psycopg
from psycopg import sql

from lagotto.base.urls import checksum, shard_of
from lagotto.store.postgres.location import read_location
from lagotto.store.values import pack

AT_ONCE = 250_000
_KEEP_HOSTS = "INSERT INTO hosts SELECT * FROM unnest(%s::bigint[], %s::text[]) ON CONFLICT DO NOTHING"
_COPY = "COPY urls (id, shard, held, depth, hops, seq, host, score, parent, parts, url, anchor) FROM STDIN"


def fill(location: str, hosts: int, known: int, urls: int) -> None:
    """Add links to random hosts until so many URLs are known."""
    names = [f"host{number}.example" for number in range(hosts)]
    ids = [checksum(name) for name in names]
    shards = [shard_of(name) for name in names]
    draw = random.Random(11)
    parts = pack([0.25, 0.5, 0.125, 0.0])
    place = read_location(location)
    with psycopg.connect(place.database) as db:
        db.execute(sql.SQL("SET search_path TO {}").format(sql.Identifier(place.schema)))
        db.execute(_KEEP_HOSTS, (ids, names))
        for first in range(known + 1, urls + 1, AT_ONCE):
            last = min(first + AT_ONCE - 1, urls)
            with db.cursor().copy(_COPY) as copy:
                for seq in range(first, last + 1):
                    host = draw.randrange(hosts)
                    url = f"http://{names[host]}/filled/page-{seq}-with-some-words.html"
                    score, parent = draw.random(), max(1, seq // 50)
                    copy.write_row(
                        (
                            checksum(url),
                            shards[host],
                            0,
                            3,
                            0,
                            seq,
                            ids[host],
                            score,
                            parent,
                            parts,
                            url,
                            "words",
                        )
                    )
            db.execute("UPDATE counters SET known = %s", (last,))
            db.commit()
            print(f"{last:,} URLs", flush=True)
