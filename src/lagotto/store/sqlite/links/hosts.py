"""Hosts and their numbers."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import TypeVar

from lagotto.base.urls import shard_of
from lagotto.store.sql.database import Cache
from lagotto.store.sqlite.schema import HOST_BITS

REMEMBERED = 250_000

V = TypeVar("V")


class Hosts:
    """Gives each host a number in which its shard comes first."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._numbers: Cache[str, int] = Cache(REMEMBERED)
        self._last: dict[int, int] = {}

    def load(self) -> None:
        """Forget what may have been rolled back."""
        self._numbers.clear()
        self._last.clear()

    def find(self, name: str) -> int | None:
        """The host's number, if it has one."""
        number = self._numbers.get(name)
        if number is None:
            row = self._db.execute("SELECT id FROM hosts WHERE name = ?", (name,)).fetchone()
            if row is not None:
                self._numbers[name] = number = row[0]
        return number

    def number(self, name: str) -> int:
        """The host's number, a new one if need be."""
        number = self.find(name)
        if number is None:
            shard = shard_of(name)
            number = self._last_number(shard) + 1
            self._db.execute("INSERT INTO hosts VALUES (?, ?)", (number, name))
            self._last[shard] = self._numbers[name] = number
        return number

    def named(self, numbered: Mapping[int, V]) -> dict[str, V]:
        """What belongs to hosts by number, by name instead; in the order of the numbers."""
        rows = self._db.execute("SELECT id, name FROM hosts")
        return {name: numbered[number] for number, name in rows if number in numbered}

    def _last_number(self, shard: int) -> int:
        if shard not in self._last:
            first, end = shard << HOST_BITS, (shard + 1) << HOST_BITS
            query = "SELECT max(id) FROM hosts WHERE id >= ? AND id < ?"
            self._last[shard] = self._db.execute(query, (first, end)).fetchone()[0] or first
        return self._last[shard]
