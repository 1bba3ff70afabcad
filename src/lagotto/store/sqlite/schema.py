"""The tables of a crawl, in one SQLite file.

`urls` is the truth about every known link and only ever grows at its end. `known` and `frontier`
are its two orders, by checksum and by host and score; they lag behind it by what `sweep.Sweep`
keeps in memory. PostgreSQL would have them as plain indexes.
"""

from __future__ import annotations

APPLICATION_ID = 0x4C61676F
"""Says in the file's header that it is a crawl: `Lago` in ASCII."""

VERSION = 8
"""Kept as `user_version`; raised whenever the tables change, or what is kept in them."""

OLDEST = 4
"""Oldest format that can be brought up to date."""

SEALED = 5
"""Oldest format whose rows and texts have checksums."""

WITH_FACTS = 7
"""Oldest format that keeps what pages say of themselves."""

HOST_BITS = 32
"""A host's number is its shard followed by this many bits, so hosts of one shard lie together."""

REVISITED = """
-- Later visits to concluded URLs, in the order of the commits; found is a `Found`.
CREATE TABLE visits (
    n INTEGER PRIMARY KEY,
    page INTEGER NOT NULL,
    at REAL NOT NULL,
    found TEXT NOT NULL,
    status INTEGER NOT NULL,
    reason TEXT NOT NULL,
    detail TEXT NOT NULL,
    warc TEXT,
    warc_offset INTEGER,
    warc_length INTEGER
);
-- What pages were like before they changed; pages has what they are like now.
CREATE TABLE earlier (
    n INTEGER PRIMARY KEY,
    page INTEGER NOT NULL,
    fetched_at REAL NOT NULL,
    title TEXT NOT NULL,
    fingerprint INTEGER,
    relevance REAL,
    relevant INTEGER,
    warc TEXT,
    warc_offset INTEGER,
    warc_length INTEGER,
    text BLOB,
    text_checksum INTEGER        -- of the text as it is stored; NULL if none was kept
);
CREATE INDEX earlier_of_page ON earlier (page, n);
-- Pages that the server said were gone, with when it said so first.
CREATE TABLE gone (page INTEGER PRIMARY KEY, at REAL NOT NULL);
"""
"""Tables that format 6 has beyond format 5."""

FACTS = "ALTER TABLE pages ADD COLUMN facts TEXT"
"""What format 7 has beyond format 6."""

TERMS = "CREATE TABLE terms (page INTEGER PRIMARY KEY, counting INTEGER NOT NULL, terms BLOB NOT NULL)"
"""What format 8 has beyond format 7: term counts, and how they were counted."""

SCHEMA = f"""
CREATE TABLE crawl (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
-- Who holds each shard until when; an empty owner has released it.
CREATE TABLE shards (
    shard INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, owner TEXT NOT NULL, until REAL NOT NULL
);
-- What each worker has used, and its last named batch with the answer it got.
CREATE TABLE owners (
    owner TEXT PRIMARY KEY,
    pages INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL DEFAULT 0,
    seconds REAL NOT NULL DEFAULT 0,
    batch TEXT NOT NULL DEFAULT '',
    answer BLOB
) WITHOUT ROWID;
CREATE TABLE hosts (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

-- Every URL that is held, queued or concluded, in order of discovery.
CREATE TABLE urls (
    seq INTEGER PRIMARY KEY,
    host INTEGER NOT NULL,
    page INTEGER,                -- number of its row in pages, once concluded
    held INTEGER NOT NULL,       -- 1 while only shelved pages link to it, 2 while it is set aside
    score REAL NOT NULL,
    depth INTEGER NOT NULL,
    hops INTEGER NOT NULL,
    parent INTEGER,              -- seq of the page that gave the score
    source TEXT,                 -- the parent, if it is no URL of this crawl
    parts BLOB,                  -- parts of the score, as 32-bit floats
    url TEXT NOT NULL,
    anchor TEXT NOT NULL
);
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

-- One row for every concluded URL, in the order of the commits.
CREATE TABLE pages (
    page INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL,
    host INTEGER NOT NULL,
    fetched_at REAL NOT NULL,
    status INTEGER NOT NULL,
    reason TEXT NOT NULL,
    detail TEXT NOT NULL,
    final_url TEXT,              -- NULL if it is the URL itself
    attempts INTEGER NOT NULL,
    score REAL NOT NULL,         -- as leased
    parts BLOB,
    relevance REAL,              -- what counts now: a user's mark, or else the newest judgement
    relevant INTEGER,
    judged TEXT,                 -- parts of the newest judgement, as JSON
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    language TEXT NOT NULL,
    encoding TEXT NOT NULL,
    links INTEGER NOT NULL,
    fingerprint INTEGER,
    simhash INTEGER,
    near_duplicate_of TEXT NOT NULL,
    content_type TEXT NOT NULL,
    declared_type TEXT NOT NULL,
    size INTEGER NOT NULL,
    truncated INTEGER NOT NULL,
    etag TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    address TEXT NOT NULL,
    warc TEXT,
    warc_offset INTEGER,
    warc_length INTEGER,
    left_out TEXT,               -- reason -> links that did not enter the frontier, as JSON; NULL for none
    relevance_at_fetch REAL,
    relevant_at_fetch INTEGER,
    model INTEGER NOT NULL DEFAULT 0,  -- version of the model that made the newest judgement; 0: at the fetch
    mark INTEGER,                -- a user's mark: 1, 0 or NULL
    relevance_by_model REAL,     -- newest judgement of a marked page
    relevant_by_model INTEGER,
    text_checksum INTEGER,       -- of the text as it is stored; NULL if none was kept
    checksum INTEGER,            -- of all other columns, and of the URL; see checksums.py
    facts TEXT                   -- what the page says of itself, as JSON; NULL for nothing
);
-- Marks of users that count now, in the order in which they were taken.
CREATE TABLE marks (
    page INTEGER PRIMARY KEY, n INTEGER NOT NULL, mark INTEGER NOT NULL, who TEXT NOT NULL, at REAL NOT NULL
);
-- Checksums of the URLs that a page links to, as 64-bit integers.
CREATE TABLE targets (page INTEGER PRIMARY KEY, ids BLOB NOT NULL);
CREATE TABLE texts (page INTEGER PRIMARY KEY, text BLOB NOT NULL);
{TERMS};
CREATE TABLE contents (fingerprint INTEGER PRIMARY KEY, page INTEGER NOT NULL);
CREATE TABLE bands (
    band INTEGER, simhash INTEGER, page INTEGER NOT NULL, PRIMARY KEY (band, simhash)
) WITHOUT ROWID;
CREATE TABLE warcs (file TEXT PRIMARY KEY, committed INTEGER NOT NULL, owner TEXT NOT NULL) WITHOUT ROWID;

-- Pages that wait to be expanded, and what they said of the links they hold.
CREATE TABLE shelf (id INTEGER PRIMARY KEY, page INTEGER NOT NULL, rank REAL NOT NULL);
CREATE INDEX shelf_by_rank ON shelf (rank DESC, page);
CREATE TABLE claims (page INTEGER PRIMARY KEY, claims BLOB NOT NULL);
CREATE TABLE barrier (seq INTEGER PRIMARY KEY);

CREATE TABLE samples (n INTEGER PRIMARY KEY, sample BLOB NOT NULL);
-- An owner's newest complete snapshot lies in pieces in slot n % 2; all samples up to a number went into it.
CREATE TABLE snapshots (
    owner TEXT PRIMARY KEY,
    n INTEGER NOT NULL,
    taken_at REAL NOT NULL,
    pieces INTEGER NOT NULL,
    samples INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE pieces (
    owner TEXT NOT NULL,
    slot INTEGER NOT NULL,
    piece INTEGER NOT NULL,
    content BLOB NOT NULL,
    UNIQUE (owner, slot, piece)
);
CREATE TABLE versions (
    kind TEXT, version INTEGER, created REAL NOT NULL, content BLOB NOT NULL, PRIMARY KEY (kind, version)
) WITHOUT ROWID;

-- What happened, in order. An event about a concluded page has its number, all others have content as JSON.
CREATE TABLE events (n INTEGER PRIMARY KEY, kind TEXT NOT NULL, page INTEGER, content TEXT);
-- Commands that were taken up; those that wait are lines of commands.jsonl.
CREATE TABLE commands (
    n INTEGER PRIMARY KEY,
    content BLOB NOT NULL,
    who TEXT NOT NULL,
    at REAL NOT NULL,
    taken_at REAL NOT NULL,
    outcome TEXT NOT NULL,
    applied INTEGER NOT NULL
);
CREATE TABLE host_waits (host TEXT PRIMARY KEY, until REAL NOT NULL) WITHOUT ROWID;
{REVISITED}"""

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
