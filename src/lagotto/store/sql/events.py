"""Events: written at the end of a transaction, read in their order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from lagotto.base.events import (
    CommandTaken,
    Deferred,
    EventRecord,
    Expanded,
    JudgedAgain,
    Marked,
    PageDone,
    Revisited,
)
from lagotto.store.sql.database import Database

PAGE = "page"
Other = Deferred | Expanded | Marked | JudgedAgain | CommandTaken | Revisited
"""Events that are kept as JSON."""

EVENTS = """
SELECT e.n, e.content, p.page, u.url, p.status, p.reason,
    p.relevance_at_fetch, p.relevant_at_fetch, p.left_out, p.detail, p.size
FROM events e LEFT JOIN pages p ON p.page = e.page LEFT JOIN urls u ON u.seq = p.seq
WHERE e.n > ? ORDER BY e.n LIMIT ?
"""
"""Events after a number, at most so many."""
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Other).decode
_decode_counts = msgspec.json.Decoder(dict[str, int]).decode


class Events:
    """Gathers events and writes them at the end of a transaction."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._rows: list[tuple[str, int | None, str | None]] = []

    def load(self) -> None:
        """Forget what was not written."""
        self._rows = []

    def page(self, number: int) -> None:
        """A URL was concluded; all else is in its page row."""
        self._rows.append((PAGE, number, None))

    def add(self, event: Other) -> None:
        """Something else happened."""
        self._rows.append((str(event.__struct_config__.tag), None, _encode(event).decode()))

    def write(self) -> None:
        """Write what was gathered."""
        if self._rows:
            self._db.executemany("INSERT INTO events (kind, page, content) VALUES (?, ?, ?)", self._rows)
            self._rows = []


def read_events(rows: list[Any]) -> Iterator[EventRecord]:
    """Events from rows of the query `EVENTS`."""
    for n, content, page, url, status, reason, relevance, relevant, left_out, detail, size in rows:
        if content is not None:
            event: EventRecord = _decode(content)
            event.n = n
            yield event
            continue
        verdict = None if relevant is None else bool(relevant)
        counts = _decode_counts(left_out) if left_out else {}
        yield PageDone(url, status, reason, relevance, verdict, counts, page, detail, size, n)
