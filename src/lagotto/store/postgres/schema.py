"""The tables of a crawl, in a schema of its own.

They have the columns of the embedded store's tables, so that both are read by the same queries. `urls`, by
far the largest, is split by shard; `deferred` is a view of it.
"""

from __future__ import annotations

VERSION = 3
"""Kept in `crawl` as `format`; raised whenever the tables change, or what is kept in them."""

PARTITIONS = 8
"""Parts of `urls`; each holds the same number of shards."""

QUEUED = "page IS NULL AND held = 0 AND retry_at IS NULL"
"""Links that may be leased now, as the partial index of the queue has it."""

TERMS = """
CREATE TABLE terms (page bigint PRIMARY KEY, counting bigint NOT NULL, terms bytea NOT NULL);
ALTER TABLE terms ALTER COLUMN terms SET STORAGE EXTERNAL;
"""
"""Term counts of pages, and how they were counted; format 3 has them."""

_URLS = """
-- Every URL that is held, queued or concluded; seq is the order of discovery.
CREATE TABLE urls (
    id bigint NOT NULL,
    shard smallint NOT NULL,
    held smallint NOT NULL,
    depth integer NOT NULL,
    hops integer NOT NULL,
    seq bigint NOT NULL,
    host bigint NOT NULL,
    page bigint,
    score double precision NOT NULL,
    parent bigint,
    retry_at double precision,
    attempts integer NOT NULL DEFAULT 0,
    source text,
    parts bytea,
    url text NOT NULL,
    anchor text NOT NULL,
    reason text NOT NULL DEFAULT '',
    detail text NOT NULL DEFAULT '',
    PRIMARY KEY (id, shard)
) PARTITION BY RANGE (shard);
CREATE INDEX urls_by_seq ON urls (seq);
CREATE INDEX urls_queued ON urls (shard, host, score DESC, seq)
    WHERE page IS NULL AND held = 0 AND retry_at IS NULL;
CREATE INDEX urls_deferred ON urls (shard, host, retry_at) WHERE retry_at IS NOT NULL;
CREATE INDEX urls_held ON urls (held) WHERE held > 0;
CREATE VIEW deferred AS
    SELECT seq, host, retry_at, attempts, reason, detail FROM urls WHERE retry_at IS NOT NULL;
"""

_REST = """
CREATE TABLE crawl (name text PRIMARY KEY, value text NOT NULL);
-- One row, which every commit locks: how often shards changed hands, and how many URLs are known.
CREATE TABLE counters (epochs bigint NOT NULL, known bigint NOT NULL);
INSERT INTO counters VALUES (0, 0);
-- Who holds each shard, and until when if it gives no sign of life; an empty owner has released it.
CREATE TABLE shards (
    shard smallint PRIMARY KEY, epoch bigint NOT NULL, owner text NOT NULL, until double precision NOT NULL
);
-- What each worker has used, its last named batch with the answer, and the stamp of its last sign of life,
-- which is 0 once it is gone.
CREATE TABLE owners (
    owner text PRIMARY KEY,
    pages bigint NOT NULL DEFAULT 0,
    bytes bigint NOT NULL DEFAULT 0,
    seconds double precision NOT NULL DEFAULT 0,
    batch text NOT NULL DEFAULT '',
    answer bytea,
    until double precision NOT NULL DEFAULT 0,
    idle_at bigint,              -- last arrival that it knew when it had nothing left to do
    version text NOT NULL DEFAULT '',
    offer double precision,      -- place of the best link that it could lease: minus the score, then seq
    offer_seq bigint,
    offered_at double precision NOT NULL DEFAULT 0
);
CREATE TABLE hosts (id bigint PRIMARY KEY, name text NOT NULL);
-- Links that a worker queued for shards that it does not hold, in order.
CREATE TABLE arrivals (
    n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id bigint NOT NULL, shard smallint NOT NULL
);
-- One row for every concluded URL, in the order of the commits.
CREATE TABLE pages (
    page bigint PRIMARY KEY,
    seq bigint NOT NULL,
    host bigint NOT NULL,
    fetched_at double precision NOT NULL,
    status integer NOT NULL,
    reason text NOT NULL,
    detail text NOT NULL,
    final_url text,
    attempts integer NOT NULL,
    score double precision NOT NULL,
    parts bytea,
    relevance double precision,
    relevant boolean,
    judged text,
    title text NOT NULL,
    description text NOT NULL,
    language text NOT NULL,
    encoding text NOT NULL,
    links integer NOT NULL,
    fingerprint bigint,
    simhash bigint,
    near_duplicate_of text NOT NULL,
    content_type text NOT NULL,
    declared_type text NOT NULL,
    size integer NOT NULL,
    truncated boolean NOT NULL,
    etag text NOT NULL,
    last_modified text NOT NULL,
    address text NOT NULL,
    warc text,
    warc_offset bigint,
    warc_length bigint,
    left_out text,
    relevance_at_fetch double precision,
    relevant_at_fetch boolean,
    model integer NOT NULL DEFAULT 0,
    mark boolean,
    relevance_by_model double precision,
    relevant_by_model boolean,
    text_checksum bigint,
    facts text
);
CREATE TABLE marks (
    page bigint PRIMARY KEY, n bigint NOT NULL, mark boolean NOT NULL, who text NOT NULL,
    at double precision NOT NULL
);
CREATE TABLE targets (page bigint PRIMARY KEY, ids bytea NOT NULL);
CREATE TABLE texts (page bigint PRIMARY KEY, text bytea NOT NULL);
ALTER TABLE texts ALTER COLUMN text SET STORAGE EXTERNAL;
CREATE TABLE contents (fingerprint bigint PRIMARY KEY, page bigint NOT NULL);
CREATE TABLE bands (
    band integer NOT NULL, simhash bigint NOT NULL, page bigint NOT NULL, PRIMARY KEY (band, simhash)
);
CREATE TABLE warcs (
    file text PRIMARY KEY, committed bigint NOT NULL, owner text NOT NULL,
    sealed boolean NOT NULL DEFAULT false
);
CREATE TABLE shelf (id bigint PRIMARY KEY, page bigint NOT NULL, rank double precision NOT NULL);
CREATE INDEX shelf_by_rank ON shelf (rank DESC, page);
CREATE TABLE claims (page bigint PRIMARY KEY, claims bytea NOT NULL);
CREATE TABLE barrier (seq bigint PRIMARY KEY);
CREATE TABLE samples (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, sample bytea NOT NULL);
CREATE TABLE snapshots (
    owner text PRIMARY KEY, n bigint NOT NULL, taken_at double precision NOT NULL, pieces integer NOT NULL,
    samples bigint NOT NULL
);
CREATE TABLE pieces (
    owner text NOT NULL, slot smallint NOT NULL, piece integer NOT NULL, content bytea NOT NULL,
    PRIMARY KEY (owner, slot, piece)
);
CREATE TABLE versions (
    kind text NOT NULL, version integer NOT NULL, created double precision NOT NULL, content bytea NOT NULL,
    PRIMARY KEY (kind, version)
);
CREATE TABLE events (
    n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, kind text NOT NULL, page bigint, content text
);
-- All commands; those that wait have no taken_at.
CREATE TABLE commands (
    n bigint PRIMARY KEY,
    content bytea NOT NULL,
    who text NOT NULL,
    at double precision NOT NULL,
    taken_at double precision,
    outcome text NOT NULL DEFAULT '',
    applied boolean NOT NULL DEFAULT false
);
CREATE INDEX commands_waiting ON commands (n) WHERE taken_at IS NULL;
CREATE TABLE host_waits (host text PRIMARY KEY, until double precision NOT NULL);
CREATE TABLE visits (
    n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    page bigint NOT NULL,
    at double precision NOT NULL,
    found text NOT NULL,
    status integer NOT NULL,
    reason text NOT NULL,
    detail text NOT NULL,
    warc text,
    warc_offset bigint,
    warc_length bigint
);
CREATE TABLE earlier (
    n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    page bigint NOT NULL,
    fetched_at double precision NOT NULL,
    title text NOT NULL,
    fingerprint bigint,
    relevance double precision,
    relevant boolean,
    warc text,
    warc_offset bigint,
    warc_length bigint,
    text bytea,
    text_checksum bigint
);
CREATE INDEX earlier_of_page ON earlier (page, n);
CREATE TABLE gone (page bigint PRIMARY KEY, at double precision NOT NULL);
"""


def statements(shards: int) -> str:
    """All statements that make the tables."""
    each = shards // PARTITIONS
    parts = (
        f"CREATE TABLE urls_{n} PARTITION OF urls FOR VALUES FROM ({n * each}) TO ({(n + 1) * each});\n"
        for n in range(PARTITIONS)
    )
    return _URLS + "".join(parts) + _REST + TERMS
