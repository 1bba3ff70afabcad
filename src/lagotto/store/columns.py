"""Every column of the tables, declared once for SQLite and PostgreSQL.

`PAGES` and `LINKS` are declared column by column, as they have records: a column of a page says what fills
it, and a record that has a field of its name is filled by it. Both schemas, the lists of columns in
statements, the readers of rows and the checksum of a page row follow from that. The other tables are
`SHARED` as SQL, with the types of `TYPES`.

A new column needs its line here, a step in `MIGRATIONS`, and a field in the record that fills it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from lagotto.base.facts import decode_facts, encode_facts
from lagotto.base.records import Outcome, Page
from lagotto.store.values import hexadecimal, parts_json, plain

FORMAT = 1
"""Format of a stored crawl; raised whenever the tables change, or what is kept in them."""

MIGRATIONS: dict[int, str] = {}
"""Format -> statements that make the next format of it, with the types of `TYPES`."""

Dialect = Literal["sqlite", "postgres"]
TYPES: dict[Dialect, dict[str, str]] = {
    "sqlite": {
        "SMALL": "INTEGER",
        "INT": "INTEGER",
        "BIG": "INTEGER",
        "BOOL": "INTEGER",
        "REAL": "REAL",
        "TEXT": "TEXT",
        "BLOB": "BLOB",
        "COUNTED": "INTEGER PRIMARY KEY",
        "BY_KEY": "WITHOUT ROWID",
    },
    "postgres": {
        "SMALL": "smallint",
        "INT": "integer",
        "BIG": "bigint",
        "BOOL": "boolean",
        "REAL": "double precision",
        "TEXT": "text",
        "BLOB": "bytea",
        "COUNTED": "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
        "BY_KEY": "",
    },
}
"""What each type is called; `COUNTED` is a key that the database gives, `BY_KEY` a way to store a table."""

_WORD = re.compile(r"\b(?:" + "|".join(TYPES["sqlite"]) + r")\b")


def spelled(statements: str, dialect: Dialect) -> str:
    """Statements with their types as a database writes them.

    >>> spelled("CREATE TABLE gone (page BIG PRIMARY KEY, at REAL NOT NULL)", "postgres")
    'CREATE TABLE gone (page bigint PRIMARY KEY, at double precision NOT NULL)'
    """
    return _WORD.sub(lambda word: TYPES[dialect][word[0]], statements)


class Column(Struct, frozen=True):
    """A column of a table."""

    name: str
    type: str
    rule: str = "NOT NULL"
    """Its constraint; empty if it may be NULL."""
    fill: Callable[[Outcome, Page], object] | None = None
    """Its value for an answer; None if the store fills it."""
    read: Callable[[Any], Any] | None = None
    """From the stored value to that of a record's field."""
    checked: bool = True
    """Whether the checksum of the row covers it."""

    @property
    def definition(self) -> str:
        """The column as `CREATE TABLE` has it."""
        return f"{self.name} {self.type} {self.rule}".rstrip()


def _outcome(name: str) -> Callable[[Outcome, Page], object]:
    return lambda outcome, _: getattr(outcome, name)


def _page(name: str) -> Callable[[Outcome, Page], object]:
    return lambda _, page: getattr(page, name)


def _warc(name: str) -> Callable[[Outcome, Page], object]:
    return lambda outcome, _: None if outcome.warc is None else getattr(outcome.warc, name)


def _final_url(outcome: Outcome, _: Page) -> str | None:
    return None if outcome.final_url in ("", outcome.lease.url) else outcome.final_url


def _judged(outcome: Outcome, _: Page) -> str | None:
    return None if outcome.judgement is None else parts_json(outcome.judgement.parts)


def _left_out(outcome: Outcome, _: Page) -> str | None:
    return msgspec.json.encode(outcome.left_out).decode() if outcome.left_out else None


def _verdict(stored: object) -> bool | None:
    return None if stored is None else bool(stored)


def _counts(stored: str | None) -> dict[str, Any]:
    return msgspec.json.decode(stored) if stored else {}


PAGES: tuple[Column, ...] = (
    Column("page", "BIG", "PRIMARY KEY"),
    Column("seq", "BIG"),
    Column("host", "BIG"),
    Column("fetched_at", "REAL", fill=_outcome("fetched_at")),
    Column("status", "INT", fill=_outcome("status")),
    Column("reason", "TEXT", fill=_outcome("reason")),
    Column("detail", "TEXT", fill=_outcome("detail")),
    Column("final_url", "TEXT", "", fill=_final_url),  # NULL if it is the URL itself
    Column("attempts", "INT"),
    Column("score", "REAL"),  # as leased
    Column("parts", "BLOB", ""),
    Column("relevance", "REAL", ""),  # what counts now: a user's mark, or else the newest judgement
    Column("relevant", "BOOL", "", read=_verdict),
    Column("judged", "TEXT", "", fill=_judged, read=_counts),  # parts of the newest judgement
    Column("title", "TEXT", fill=_page("title")),
    Column("description", "TEXT", fill=_page("description")),
    Column("language", "TEXT", fill=_page("language")),
    Column("encoding", "TEXT", fill=_page("encoding")),
    Column("links", "INT", fill=lambda _, page: len(page.links)),
    Column("fingerprint", "BIG", "", fill=lambda _, page: page.fingerprint or None, read=hexadecimal),
    Column("simhash", "BIG", "", fill=lambda _, page: page.simhash or None),
    Column("near_duplicate_of", "TEXT", fill=_outcome("near_duplicate_of")),
    Column("content_type", "TEXT", fill=_outcome("content_type")),
    Column("declared_type", "TEXT", fill=_outcome("declared_type")),
    Column("size", "INT", fill=_outcome("size")),
    Column("truncated", "BOOL", fill=_outcome("truncated"), read=bool),
    Column("etag", "TEXT", fill=_outcome("etag")),
    Column("last_modified", "TEXT", fill=_outcome("last_modified")),
    Column("address", "TEXT", fill=_outcome("address")),
    Column("warc", "TEXT", "", fill=_warc("file")),
    Column("warc_offset", "BIG", "", fill=_warc("offset")),
    Column("warc_length", "BIG", "", fill=_warc("length")),
    Column("left_out", "TEXT", "", fill=_left_out, read=_counts),  # reason -> links that were not queued
    Column("relevance_at_fetch", "REAL", ""),
    Column("relevant_at_fetch", "BOOL", "", read=_verdict),
    Column("model", "INT", "NOT NULL DEFAULT 0"),  # version that made the newest judgement; 0: at the fetch
    Column("mark", "BOOL", "", read=_verdict),  # a user's mark
    Column("relevance_by_model", "REAL", ""),  # newest judgement of a marked page
    Column("relevant_by_model", "BOOL", ""),
    Column("text_checksum", "BIG", ""),  # of the text as it is stored; NULL if none was kept
    Column(
        "facts",  # what the page says of itself; NULL for nothing
        "TEXT",
        "",
        fill=lambda _, page: encode_facts(page.facts, page.headings),
        read=decode_facts,
    ),
    Column("checksum", "BIG", "", checked=False),  # of all other columns, and of the URL; only in SQLite
)
"""One row for every concluded URL, in the order of the commits."""

KEYS = ("page", "seq", "host")
"""Numbers by which rows are joined; fields of these names in records are something else."""
PLACE = ("warc", "warc_offset", "warc_length")
"""Where the answer lies in the WARC files."""
VERSION = ("fetched_at", "title", "fingerprint", "relevance", "relevant", *PLACE)
"""Columns of a page that are kept of its earlier versions."""

VISITS: tuple[Column, ...] = (
    Column("n", "COUNTED", ""),
    Column("page", "BIG"),
    Column("at", "REAL"),
    Column("found", "TEXT"),  # a `Found`
    Column("status", "INT"),
    Column("reason", "TEXT"),
    Column("detail", "TEXT"),
    Column("warc", "TEXT", ""),
    Column("warc_offset", "BIG", ""),
    Column("warc_length", "BIG", ""),
)
"""Later visits to concluded URLs, in the order of the commits."""

LINKS: tuple[Column, ...] = (
    Column("held", "SMALL"),  # 1 while only shelved pages link to it, 2 while it is set aside
    Column("depth", "INT"),
    Column("hops", "INT"),
    Column("seq", "BIG"),  # order of discovery
    Column("host", "BIG"),
    Column("page", "BIG", ""),  # number of its row in pages, once concluded
    Column("score", "REAL"),
    Column("parent", "BIG", ""),  # seq of the page that gave the score
    Column("source", "TEXT", ""),  # the parent, if it is no URL of this crawl
    Column("parts", "BLOB", ""),  # parts of the score, as 32-bit floats
    Column("url", "TEXT"),
    Column("anchor", "TEXT"),
)
"""Columns of `urls`: every URL that is held, queued or concluded."""

SHARED = """
-- Who holds each shard until when; an empty owner has released it.
CREATE TABLE shards (shard SMALL PRIMARY KEY, epoch BIG NOT NULL, owner TEXT NOT NULL, until REAL NOT NULL);
-- What each worker has used, and its last named batch with the answer it got.
CREATE TABLE owners (
    owner TEXT PRIMARY KEY,
    pages BIG NOT NULL DEFAULT 0,
    bytes BIG NOT NULL DEFAULT 0,
    seconds REAL NOT NULL DEFAULT 0,
    batch TEXT NOT NULL DEFAULT '',
    answer BLOB
) BY_KEY;
CREATE TABLE hosts (id BIG PRIMARY KEY, name TEXT NOT NULL);

-- Marks of users that count now, in the order in which they were taken.
CREATE TABLE marks (
    page BIG PRIMARY KEY, n BIG NOT NULL, mark BOOL NOT NULL, who TEXT NOT NULL, at REAL NOT NULL
);
-- Checksums of the URLs that a page links to, as 64-bit integers.
CREATE TABLE targets (page BIG PRIMARY KEY, ids BLOB NOT NULL);
CREATE TABLE texts (page BIG PRIMARY KEY, text BLOB NOT NULL);
-- Term counts, and how they were counted.
CREATE TABLE terms (page BIG PRIMARY KEY, counting BIG NOT NULL, terms BLOB NOT NULL);
CREATE TABLE contents (fingerprint BIG PRIMARY KEY, page BIG NOT NULL);
CREATE TABLE bands (band INT, simhash BIG, page BIG NOT NULL, PRIMARY KEY (band, simhash)) BY_KEY;
CREATE TABLE warcs (file TEXT PRIMARY KEY, committed BIG NOT NULL, owner TEXT NOT NULL) BY_KEY;

-- Pages that the server said were gone, with when it said so first.
CREATE TABLE gone (page BIG PRIMARY KEY, at REAL NOT NULL);

-- Pages that wait to be expanded, and what they said of the links they hold.
CREATE TABLE shelf (id BIG PRIMARY KEY, page BIG NOT NULL, rank REAL NOT NULL);
CREATE INDEX shelf_by_rank ON shelf (rank DESC, page);
CREATE TABLE claims (page BIG PRIMARY KEY, claims BLOB NOT NULL);
CREATE TABLE barrier (seq BIG PRIMARY KEY);

CREATE TABLE samples (n COUNTED, sample BLOB NOT NULL);
-- An owner's newest complete snapshot lies in pieces in slot n % 2; all samples up to a number went into it.
CREATE TABLE snapshots (
    owner TEXT PRIMARY KEY, n BIG NOT NULL, taken_at REAL NOT NULL, pieces INT NOT NULL, samples BIG NOT NULL
) BY_KEY;
CREATE TABLE pieces (
    owner TEXT NOT NULL, slot SMALL NOT NULL, piece INT NOT NULL, content BLOB NOT NULL,
    UNIQUE (owner, slot, piece)
);
CREATE TABLE versions (
    kind TEXT, version INT, created REAL NOT NULL, content BLOB NOT NULL, PRIMARY KEY (kind, version)
) BY_KEY;

-- What happened, in order. An event about a concluded page has its number, all others have content as JSON.
CREATE TABLE events (n COUNTED, kind TEXT NOT NULL, page BIG, content TEXT);
-- Commands. In SQLite those that wait are lines of commands.jsonl; in PostgreSQL they have no taken_at.
CREATE TABLE commands (
    n BIG PRIMARY KEY,
    content BLOB NOT NULL,
    who TEXT NOT NULL,
    at REAL NOT NULL,
    taken_at REAL,
    outcome TEXT NOT NULL DEFAULT '',
    applied BOOL NOT NULL DEFAULT FALSE
);
CREATE TABLE host_waits (host TEXT PRIMARY KEY, until REAL NOT NULL) BY_KEY;
"""
"""Tables that are the same in both databases, besides `pages`, `earlier` and `visits`."""


def shared_tables(dialect: Dialect) -> str:
    """Statements that make the tables that both databases have."""
    kept = [_named(PAGES, name) for name in VERSION]
    earlier = [
        Column("n", "COUNTED", ""),
        Column("page", "BIG"),
        *kept,
        Column("text", "BLOB", ""),
        _named(PAGES, "text_checksum"),
    ]
    declared = {"pages": PAGES, "earlier": earlier, "visits": VISITS}
    tables = (f"CREATE TABLE {name} (\n    {definitions(declared[name])}\n);\n" for name in declared)
    index = "CREATE INDEX earlier_of_page ON earlier (page, n);\n"
    return spelled(SHARED + "".join(tables) + index, dialect)


def definitions(columns: Iterable[Column]) -> str:
    """Columns as `CREATE TABLE` has them."""
    return ",\n    ".join(column.definition for column in columns)


def listed(names: Iterable[str], table: str = "") -> str:
    """Names of columns as statements have them.

    >>> listed(("page", "seq"), "p")
    'p.page, p.seq'
    """
    return ", ".join(f"{table}.{name}" if table else name for name in names)


def type_of(name: str, dialect: Dialect, columns: Sequence[Column]) -> str:
    """What a database calls the type of a column."""
    return TYPES[dialect][_named(columns, name).type]


def _named(columns: Sequence[Column], name: str) -> Column:
    return next(column for column in columns if column.name == name)


def answer_values(outcome: Outcome, page: Page) -> dict[str, object]:
    """Columns of `pages` that an answer fills, and their values."""
    values = {each.name: each.fill(outcome, page) for each in PAGES if each.fill is not None}
    return {name: plain(value) if isinstance(value, str) else value for name, value in values.items()}


class RecordColumns:
    """The columns of `pages` that a record has fields for, and how their values become those fields."""

    def __init__(self, fields: Iterable[str]) -> None:
        there = set(fields)
        columns = [column for column in PAGES if column.name in there and column.name not in KEYS]
        self.names = [column.name for column in columns]
        self._reads = [(column.name, column.read) for column in columns if column.read is not None]

    def fields(self, values: Sequence[Any]) -> dict[str, Any]:
        """Fields of the record, from the values of these columns in their order."""
        found = dict(zip(self.names, values, strict=True))
        for name, read in self._reads:
            found[name] = read(found[name])
        return found
