"""What was learned: samples in commit order, versions of topic and model."""

from __future__ import annotations

import time
from collections.abc import Iterable

from lagotto.batch import Samples, Version
from lagotto.store.sql.database import Database


class Learned:
    """Samples and versions; calls that write belong in a transaction."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add_samples(self, samples: Iterable[bytes]) -> None:
        """Add what `Strategy.learn` took in."""
        self._db.executemany("INSERT INTO samples (sample) VALUES (?)", [(sample,) for sample in samples])

    def samples(self, since: int) -> Samples:
        """Samples after a number, in order."""
        rows = self._db.execute("SELECT n, sample FROM samples WHERE n > ? ORDER BY n", (since,)).fetchall()
        if not rows:
            return Samples([], since)
        # Samples are removed from the first on. Numbers can also be missing as a commit failed.
        complete = rows[0][0] == since + 1 or self._has_up_to(since)
        return Samples([sample for _, sample in rows], rows[-1][0], complete)

    def _has_up_to(self, number: int) -> bool:
        return bool(self._db.execute("SELECT 1 FROM samples WHERE n <= ? LIMIT 1", (number,)).fetchone())

    def add_version(self, version: Version) -> None:
        """Keep a new version of something, under the next number."""
        query = "SELECT coalesce(max(version), 0) + 1 FROM versions WHERE kind = ?"
        number: int = self._db.execute(query, (version.kind,)).fetchone()[0]
        row = (version.kind, number, version.created or time.time(), version.content)
        self._db.execute("INSERT INTO versions VALUES (?, ?, ?, ?)", row)
