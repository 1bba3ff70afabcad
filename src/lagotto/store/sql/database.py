"""A connection to a database, as far as statements need it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol


class Database(Protocol):
    """Runs statements with `?` for each value; a cursor is what DB-API 2 says."""

    def execute(self, query: str, values: Sequence[Any] = ..., /) -> Any:
        """Run one statement; returns its cursor."""
        ...

    def executemany(self, query: str, rows: Iterable[Sequence[Any]], /) -> Any:
        """Run a statement for each row of values."""
        ...
