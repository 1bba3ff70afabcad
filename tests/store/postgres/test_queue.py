"""What the server reads to answer, before it has counted the rows of any table."""

from __future__ import annotations

import json
from itertools import count

from lagotto.store.postgres import queue
from lagotto.store.postgres.connection import Connection
from lagotto.store.postgres.reader import PostgresReader
from tests.store.postgres.conftest import PostgresStores

LINKS = 40_000
FEW_BLOCKS = 200
"""A table or an index of all links has many more."""
_FILL = f"""
INSERT INTO urls (id, shard, held, depth, hops, seq, host, score, parent, parts, url, anchor)
SELECT n, n % 256, 0, 1, 0, 1000 + n, n % 4000, 1.0, 0, '', 'http://host' || n % 4000 || '.example/' || n, ''
FROM generate_series(1, {LINKS}) AS n
"""


def blocks_read(db: Connection, query: str, values: str) -> int:
    """How many blocks the server reads for a query, prepared as workers do it."""
    number = count(1)
    statement = "".join(f"${next(number)}" if each == "?" else each for each in query.replace("?[]", "?"))
    db.raw.execute(f"PREPARE measured AS {statement}".encode())
    row = db.raw.execute(
        f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE measured ({values})".encode()
    ).fetchone()
    assert row is not None
    found = row[0] if isinstance(row[0], list) else json.loads(row[0])
    plan = found[0]["Plan"]
    blocks: int = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
    return blocks


async def test_a_look_at_some_hosts_does_not_read_all_links(stores: PostgresStores) -> None:
    store = await stores.place().create(b"")
    store.db.raw.execute(_FILL.encode())
    wanted = (range(1, 21), range(1, 21), [9] * 20)  # Shard, host, number of links.
    arrays = ", ".join(f"'{{{', '.join(map(str, values))}}}'" for values in wanted)
    assert blocks_read(store.db, queue._RETRIES, arrays) < FEW_BLOCKS
    await store.close()


async def test_readers_look_rows_up_by_key_also_after_a_lost_connection(stores: PostgresStores) -> None:
    """A crawl that went on had read all of five million links for each hundred pages: 44 s instead of 2."""
    storage = stores.place()
    store = await storage.create(b"")
    reader = store.reader()
    assert isinstance(reader, PostgresReader)
    for _ in range(2):
        assert reader._postgres("SHOW enable_hashjoin") == [("off",)]
        reader._postgres.db.close()
    await store.close()
