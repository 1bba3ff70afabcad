"""The tables of a crawl, in a schema of its own.

They have the columns of the embedded store's tables, so that both are read by the same queries. `urls`, by
far the largest, is split by shard; `deferred` is a view of it.
"""

from __future__ import annotations

from lagotto.store.columns import LINKS, Column, definitions, shared_tables, spelled

PARTITIONS = 8
"""Parts of `urls`; each holds the same number of shards."""

QUEUED = "page IS NULL AND held = 0 AND retry_at IS NULL"
"""Links that may be leased now, as the partial index of the queue has it."""

_VARIABLE = ("TEXT", "BLOB")
URLS: tuple[Column, ...] = (
    Column("id", "BIG"),
    Column("shard", "SMALL"),
    *(column for column in LINKS if column.type not in _VARIABLE),
    Column("retry_at", "REAL", ""),  # set while the link must wait
    Column("attempts", "INT", "NOT NULL DEFAULT 0"),
    *(column for column in LINKS if column.type in _VARIABLE),
    Column("reason", "TEXT", "NOT NULL DEFAULT ''"),
    Column("detail", "TEXT", "NOT NULL DEFAULT ''"),
)
"""Numbers come first, as the server aligns each of them."""

_OWN = f"""
CREATE INDEX urls_by_seq ON urls (seq);
CREATE INDEX urls_queued ON urls (shard, host, score DESC, seq) WHERE {QUEUED};
CREATE INDEX urls_deferred ON urls (shard, host, retry_at) WHERE retry_at IS NOT NULL;
CREATE INDEX urls_held ON urls (held) WHERE held > 0;
CREATE VIEW deferred AS
    SELECT seq, host, retry_at, attempts, reason, detail FROM urls WHERE retry_at IS NOT NULL;

CREATE TABLE crawl (name text PRIMARY KEY, value text NOT NULL);
-- One row, which every commit locks: how often shards changed hands, and how many URLs are known.
CREATE TABLE counters (epochs bigint NOT NULL, known bigint NOT NULL);
INSERT INTO counters VALUES (0, 0);
ALTER TABLE owners
    ADD until double precision NOT NULL DEFAULT 0,  -- stamp of its last sign of life, 0 once it is gone
    ADD idle_at bigint,              -- last arrival that it knew when it had nothing left to do
    ADD version text NOT NULL DEFAULT '',
    ADD offer double precision,      -- place of the best link that it could lease: minus the score, then seq
    ADD offer_seq bigint,
    ADD offered_at double precision NOT NULL DEFAULT 0;
-- Links that a worker queued for shards that it does not hold, in order.
CREATE TABLE arrivals (
    n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bigint NOT NULL, shard smallint NOT NULL
);
ALTER TABLE warcs ADD sealed boolean NOT NULL DEFAULT false;
CREATE INDEX commands_waiting ON commands (n) WHERE taken_at IS NULL;
-- What is compressed already is not compressed again.
ALTER TABLE texts ALTER COLUMN text SET STORAGE EXTERNAL;
ALTER TABLE terms ALTER COLUMN terms SET STORAGE EXTERNAL;
"""


def statements(shards: int) -> str:
    """All statements that make the tables."""
    each = shards // PARTITIONS
    key = "PRIMARY KEY (id, shard)"
    urls = f"CREATE TABLE urls (\n    {definitions(URLS)},\n    {key}\n) PARTITION BY RANGE (shard);\n"
    parts = (
        f"CREATE TABLE urls_{n} PARTITION OF urls FOR VALUES FROM ({n * each}) TO ({(n + 1) * each});\n"
        for n in range(PARTITIONS)
    )
    return shared_tables("postgres") + spelled(urls, "postgres") + "".join(parts) + _OWN
