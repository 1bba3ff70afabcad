"""Bringing a crawl of an older format up to date, with a copy of its database kept."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from lagotto.store import columns
from lagotto.store.disk_errors import disk_errors_explained
from lagotto.store.durable import rename
from lagotto.store.sqlite import checksums, database
from lagotto.store.sqlite.doctor import commits_in
from lagotto.store.sqlite.lock import Lock


def migrate(directory: Path, lock: Lock) -> str:
    """Bring the crawl to the current format; returns what was done, as a sentence.

    A kill at any moment leaves either the old format or the new one. `lock` must be held.
    """
    path = directory / database.FILE
    with disk_errors_explained(path), closing(database.connect_to_write(path)) as db:
        [(version,)] = db.execute("PRAGMA user_version")
        copy = directory / f"{database.FILE}.format-{version}"
        # A killed migration may have got so far, with the new format still in the write-ahead log.
        if version < columns.FORMAT:
            lock.record(commits_in(db))
            _copy(db, copy)
            db.execute("BEGIN IMMEDIATE")
            for step in range(version, columns.FORMAT):
                # `executescript` would end the transaction.
                for statement in columns.spelled(columns.MIGRATIONS[step], "sqlite").split(";\n"):
                    db.execute(statement)
            checksums.seal_all(db)
            db.execute(f"PRAGMA user_version = {columns.FORMAT}")
            db.execute("COMMIT")
        database.checkpoint(db, path, mode="TRUNCATE")
    return f"brought from format {version} to {columns.FORMAT}; the old database is kept as {copy}"


def _copy(db: sqlite3.Connection, path: Path) -> None:
    """Copy the database as it is, the write-ahead log included; the copy is there wholly or not at all."""
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    with closing(sqlite3.connect(fresh)) as copy:
        db.backup(copy)
    rename(fresh, path)
