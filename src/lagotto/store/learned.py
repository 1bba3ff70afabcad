"""What was learned: samples in commit order, versions of topic and model."""

from __future__ import annotations

import sqlite3
import time

from msgspec import Struct


class Version(Struct, frozen=True):
    """One state of something that changes during a crawl, such as its topic."""

    kind: str
    version: int
    created: float
    content: bytes


class Learned:
    """Samples and versions; all calls belong in a transaction."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def add_sample(self, sample: bytes) -> None:
        """Add what `Strategy.learn` took in."""
        self._db.execute("INSERT INTO samples (sample) VALUES (?)", (sample,))

    def add_version(self, kind: str, content: bytes) -> int:
        """Keep a new version of something; returns its number, counted from 1."""
        query = "SELECT coalesce(max(version), 0) + 1 FROM versions WHERE kind = ?"
        version: int = self._db.execute(query, (kind,)).fetchone()[0]
        self._db.execute("INSERT INTO versions VALUES (?, ?, ?, ?)", (kind, version, time.time(), content))
        return version

    def versions(self, kind: str) -> list[Version]:
        """All versions of something, oldest first."""
        query = "SELECT kind, version, created, content FROM versions WHERE kind = ? ORDER BY version"
        return [Version(*row) for row in self._db.execute(query, (kind,))]
