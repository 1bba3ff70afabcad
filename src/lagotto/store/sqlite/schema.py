"""The tables of a crawl, in one SQLite file.

`urls` is the truth about every known link and only ever grows at its end. `known` and `frontier`
are its two orders, by checksum and by host and score; they lag behind it by what `seen.Sweep`
keeps in memory. PostgreSQL has them as plain indexes.
"""

from __future__ import annotations

from msgspec.structs import replace

from lagotto.store.columns import LINKS, definitions, shared_tables, spelled

APPLICATION_ID = 0x4C61676F
"""Says in the file's header that it is a crawl: `Lago` in ASCII."""

HOST_BITS = 32
"""A host's number is its shard followed by this many bits, so hosts of one shard lie together."""

_OWN = """
CREATE TABLE crawl (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE UNIQUE INDEX hosts_by_name ON hosts (name);
CREATE INDEX urls_held ON urls (seq) WHERE held;

CREATE TABLE known (id INTEGER PRIMARY KEY, seq INTEGER NOT NULL);
CREATE TABLE frontier (
    host INTEGER, score REAL, seq INTEGER, PRIMARY KEY (host, score DESC, seq)
) WITHOUT ROWID;
-- Up to which seq each bucket of known and frontier has been written.
CREATE TABLE swept (
    kind TEXT, bucket INTEGER, seq INTEGER NOT NULL, PRIMARY KEY (kind, bucket)
) WITHOUT ROWID;

-- Queued links that must wait; they are not in frontier.
CREATE TABLE deferred (
    seq INTEGER PRIMARY KEY,
    host INTEGER NOT NULL,
    retry_at REAL NOT NULL,
    attempts INTEGER NOT NULL,
    reason TEXT NOT NULL,
    detail TEXT NOT NULL
);
CREATE INDEX deferred_by_host ON deferred (host, retry_at);

-- Links that a worker queued for shards that it does not hold, in order.
CREATE TABLE arrivals (n INTEGER PRIMARY KEY, seq INTEGER NOT NULL);
"""


def statements() -> str:
    """All statements that make the tables."""
    links = [replace(each, rule="PRIMARY KEY") if each.name == "seq" else each for each in LINKS]
    urls = spelled(f"CREATE TABLE urls (\n    {definitions(links)}\n);\n", "sqlite")
    return shared_tables("sqlite") + urls + _OWN
