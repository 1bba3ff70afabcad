"""Bringing a crawl of an older format up to date, with a copy of its database kept."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
from msgspec import Struct

from lagotto.base.batch import MIGRATED, Command
from lagotto.store.disk_errors import disk_errors_explained
from lagotto.store.sql.reader import OWNER
from lagotto.store.sqlite import commands, database
from lagotto.store.sqlite import raw_file as checksums
from lagotto.store.sqlite.lock import Lock
from lagotto.store.sqlite.recovery import commits_in
from lagotto.store.sqlite.schema import FACTS, REVISITED, SEALED, TERMS, VERSION, WITH_FACTS

FEEDBACK_FILE = "feedback.jsonl"
"""Where format 4 kept the marks of users."""

_TO_5 = f"""
ALTER TABLE shards ADD COLUMN until REAL NOT NULL DEFAULT 9e999;
CREATE TABLE owners (
    owner TEXT PRIMARY KEY,
    pages INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL DEFAULT 0,
    seconds REAL NOT NULL DEFAULT 0,
    batch TEXT NOT NULL DEFAULT '',
    answer BLOB
) WITHOUT ROWID;
INSERT INTO owners (owner, pages, bytes, seconds)
    SELECT '{OWNER}', coalesce(sum(status = 200 AND reason != 'sitemap'), 0), coalesce(sum(size), 0),
        coalesce(max(fetched_at) - min(fetched_at), 0)
    FROM pages;
ALTER TABLE marks RENAME TO swept;
CREATE TABLE marks (
    page INTEGER PRIMARY KEY, n INTEGER NOT NULL, mark INTEGER NOT NULL, who TEXT NOT NULL, at REAL NOT NULL
);
CREATE TABLE targets (page INTEGER PRIMARY KEY, ids BLOB NOT NULL);
ALTER TABLE pages ADD COLUMN left_out TEXT;
ALTER TABLE pages ADD COLUMN relevance_at_fetch REAL;
ALTER TABLE pages ADD COLUMN relevant_at_fetch INTEGER;
ALTER TABLE pages ADD COLUMN model INTEGER NOT NULL DEFAULT 0;
ALTER TABLE pages ADD COLUMN mark INTEGER;
ALTER TABLE pages ADD COLUMN relevance_by_model REAL;
ALTER TABLE pages ADD COLUMN relevant_by_model INTEGER;
ALTER TABLE pages ADD COLUMN text_checksum INTEGER;
ALTER TABLE pages ADD COLUMN checksum INTEGER;
UPDATE pages SET relevance_at_fetch = relevance, relevant_at_fetch = relevant;
ALTER TABLE warcs ADD COLUMN owner TEXT NOT NULL DEFAULT '{OWNER}';
ALTER TABLE snapshots RENAME TO old_snapshots;
CREATE TABLE snapshots (
    owner TEXT PRIMARY KEY,
    n INTEGER NOT NULL,
    taken_at REAL NOT NULL,
    pieces INTEGER NOT NULL,
    samples INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO snapshots SELECT '{OWNER}', n, taken_at, pieces, samples FROM old_snapshots;
DROP TABLE old_snapshots;
ALTER TABLE pieces RENAME TO old_pieces;
CREATE TABLE pieces (
    owner TEXT NOT NULL,
    slot INTEGER NOT NULL,
    piece INTEGER NOT NULL,
    content BLOB NOT NULL,
    UNIQUE (owner, slot, piece)
);
INSERT INTO pieces SELECT '{OWNER}', slot, piece, content FROM old_pieces;
DROP TABLE old_pieces;
CREATE TABLE events (n INTEGER PRIMARY KEY, kind TEXT NOT NULL, page INTEGER, content TEXT);
INSERT INTO events SELECT page, 'page', page, NULL FROM pages ORDER BY page;
CREATE TABLE commands (
    n INTEGER PRIMARY KEY,
    content BLOB NOT NULL,
    who TEXT NOT NULL,
    at REAL NOT NULL,
    taken_at REAL NOT NULL,
    outcome TEXT NOT NULL,
    applied INTEGER NOT NULL
);
CREATE TABLE arrivals (n INTEGER PRIMARY KEY, seq INTEGER NOT NULL);
CREATE TABLE host_waits (host TEXT PRIMARY KEY, until REAL NOT NULL) WITHOUT ROWID;
"""


class _Feedback(Struct):
    """A line of the old file of marks."""

    url: str
    on: bool
    at: float = 0.0


def migrate(directory: Path, lock: Lock) -> str:
    """Bring the crawl to the current format; returns what was done, as a sentence.

    A kill at any moment leaves either the old format or the new one. `lock` must be held.
    """
    path = directory / database.FILE
    with disk_errors_explained(path), closing(database.connect_to_write(path)) as db:
        [(version,)] = db.execute("PRAGMA user_version")
        copy = directory / f"{database.FILE}.format-{version}"
        # A killed migration may have got so far, with the new format still in the write-ahead log.
        if version < VERSION:
            lock.record(commits_in(db))
            _copy(db, copy)
            given = _take_over_feedback(directory) if version < 5 else []
            db.execute("BEGIN IMMEDIATE")
            if version < 5:
                _run(db, _TO_5)
                _apply_feedback(db, given)
            if version < 6:
                _run(db, REVISITED)
            if version < WITH_FACTS:
                _run(db, FACTS)
            _run(db, TERMS)
            if version < SEALED:
                checksums.seal_all(db)
            db.execute(f"PRAGMA user_version = {VERSION}")
            db.execute("COMMIT")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return f"brought from format {version} to {VERSION}; the old database is kept as {copy}"


def _run(db: sqlite3.Connection, statements: str) -> None:
    """Run statements one by one; `executescript` would end the transaction."""
    for statement in statements.split(";\n"):
        db.execute(statement)


def _copy(db: sqlite3.Connection, path: Path) -> None:
    """Copy the database as it is, the write-ahead log included; the copy is there wholly or not at all."""
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    with closing(sqlite3.connect(fresh)) as copy:
        db.backup(copy)
    os.replace(fresh, path)


def _take_over_feedback(directory: Path) -> list[_Feedback]:
    """Make commands of the old marks; returns them in order."""
    try:
        lines = (directory / FEEDBACK_FILE).read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return []
    given = []
    for line in lines:
        try:
            given.append(msgspec.json.decode(line, type=_Feedback))
        except msgspec.DecodeError:
            continue
    fresh = directory / f"{commands.FILE}.new"
    fresh.unlink(missing_ok=True)
    sending = commands.CommandFile(directory, fresh.name)
    for mark in given:
        sending.send(Command(mark_command(mark.url, mark.on), MIGRATED, mark.at))
    if given:
        os.replace(fresh, directory / commands.FILE)
    return given


def _apply_feedback(db: sqlite3.Connection, given: list[_Feedback]) -> None:
    """Record the marks that the crawl had taken, and let them count; the others wait as commands."""
    [(taken,)] = db.execute("SELECT count(*) FROM versions WHERE kind = 'feedback'")
    for n, mark in enumerate(given[:taken], 1):
        row = (n, mark_command(mark.url, mark.on), MIGRATED, mark.at, mark.at, "", 1)
        db.execute("INSERT INTO commands VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        found = db.execute("SELECT page FROM urls WHERE url = ? AND page IS NOT NULL", (mark.url,)).fetchone()
        if found is None:
            continue
        query = """
            UPDATE pages SET relevance_by_model = coalesce(relevance_by_model, relevance),
                relevant_by_model = coalesce(relevant_by_model, relevant),
                mark = ?1, relevance = ?1, relevant = ?1
            WHERE page = ?2
        """
        db.execute(query, (mark.on, found[0]))
        kept = (found[0], n, mark.on, MIGRATED, mark.at)
        db.execute("INSERT OR REPLACE INTO marks VALUES (?, ?, ?, ?, ?)", kept)


def mark_command(url: str, on: bool) -> bytes:
    """A mark as the JSON of a command."""
    return msgspec.json.encode({"kind": "mark", "url": url, "on": on})
