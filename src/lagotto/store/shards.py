"""Which shards this worker holds, and since which epoch."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from lagotto.errors import StaleEpoch
from lagotto.urls import SHARDS, shard_of

_ACQUIRE = """
INSERT INTO shards VALUES (?, 1, ?)
ON CONFLICT DO UPDATE SET epoch = epoch + 1, owner = excluded.owner RETURNING epoch
"""


class Shards:
    """Epochs of the shards held; whoever takes a shard raises its epoch, and older ones are stale."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self.held: dict[int, int] = {}
        """Shard -> epoch."""
        self._current: dict[int, int] = {}
        """Shard -> epoch, as of the version of the database that was looked at last."""
        self._version: int | None = None

    def acquire(self, shards: Iterable[int], owner: str) -> dict[int, int]:
        """Take shards from whoever has them; they count as held once this is committed."""
        self._version = None
        return {shard: self._db.execute(_ACQUIRE, (shard, owner)).fetchone()[0] for shard in shards}

    def check(self, shards: Iterable[int]) -> None:
        """Raise `StaleEpoch` unless all these shards are still held; belongs in a transaction.

        The version of a database changes when another connection writes to it, and only then is there
        anything to look at.
        """
        version: int = self._db.execute("PRAGMA data_version").fetchone()[0]
        if version != self._version:
            self._current = dict(self._db.execute("SELECT shard, epoch FROM shards"))
            self._version = version
        for shard in shards:
            if shard not in self.held or self._current.get(shard) != self.held[shard]:
                raise StaleEpoch(f"shard {shard} {self._fate(shard)}; this worker must not commit to it")

    def _fate(self, shard: int) -> str:
        row = self._db.execute("SELECT owner FROM shards WHERE shard = ?", (shard,)).fetchone()
        return f"was taken by {row[0]}" if row and shard in self.held else "is not held"

    def hold(self, host: str) -> bool:
        """Whether a host belongs to this worker."""
        return len(self.held) == SHARDS or shard_of(host) in self.held
