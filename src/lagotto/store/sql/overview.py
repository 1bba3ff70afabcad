"""A crawl as a whole, for people to look at: some of its pages in an order, its hosts, how it went."""

from __future__ import annotations

from collections import Counter
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
from lagotto.base.reasons import Reason
from lagotto.base.views import ChosenPages, KnownHost, Moment, PageChoice, PageOrder
from lagotto.store.sql.database import Database, Queries
from lagotto.store.sql.rows import QUEUED

IS_PAGE = f"status = 200 AND reason != '{Reason.SITEMAP}'"
_ORDERS: dict[PageOrder, str] = {
    "newest": "page DESC",
    "oldest": "page",
    "relevance": "relevance DESC, page",
    "uncertain": "abs(relevance - 0.5), page",
}
_AT_ONCE = 20_000
"""Links that are counted by one query, so that the crawl's log can be emptied between two of them."""
_LINKS = f"""
SELECT u.host, count(*) FILTER (WHERE u.page IS NULL AND u.held = {QUEUED}),
    count(*) FILTER (WHERE p.host != u.host),
    max(CASE WHEN u.page IS NULL AND u.held = {QUEUED} THEN u.score END)
FROM urls u LEFT JOIN urls p ON p.seq = u.parent WHERE u.seq > ? AND u.seq <= ? GROUP BY u.host
"""
_GIVEN = f"""
SELECT host, count(*), count(*) FILTER (WHERE {IS_PAGE}), count(*) FILTER (WHERE relevant)
FROM pages GROUP BY host
"""
_BETWEEN = f"""
SELECT max(fetched_at), count(*), count(*) FILTER (WHERE {IS_PAGE}), count(*) FILTER (WHERE relevant)
FROM pages WHERE page > ? AND page <= ?
"""
_PARENT = "SELECT p.page FROM urls u JOIN urls p ON p.seq = u.parent WHERE u.seq = ?"


class Overview:
    """Reads figures about all pages and links."""

    def __init__(self, queries: Queries) -> None:
        self._queries = queries

    def chosen(self, choice: PageChoice, order: PageOrder, offset: int, limit: int) -> ChosenPages:
        """Numbers of some of the concluded URLs that are wanted."""
        tests = ["TRUE"]
        values: list[str | int] = []
        if choice.relevant is not None:
            tests.append("relevant" if choice.relevant else "NOT relevant")
        if choice.host:
            tests.append("host = (SELECT id FROM hosts WHERE name = ?)")
            values.append(choice.host)
        if choice.reason is not None:
            tests.append("reason = ?")
            values.append(choice.reason)
        if choice.marked is not None:
            tests.append("mark IS NOT NULL" if choice.marked else "mark IS NULL")
        if choice.least_parts:
            tests.append("length(parts) >= ?")
            values.append(4 * choice.least_parts)
        if order in ("relevance", "uncertain"):
            tests.append("relevance IS NOT NULL")
        which = f"FROM pages WHERE {' AND '.join(tests)}"
        [(total,)] = self._queries(f"SELECT count(*) {which}", *values)
        rows = self._queries(
            f"SELECT page {which} ORDER BY {_ORDERS[order]} LIMIT ? OFFSET ?", *values, limit, offset
        )
        return ChosenPages([page for (page,) in rows], total)

    def known_hosts(self) -> list[KnownHost]:
        """All hosts of known URLs."""
        queued: Counter[int] = Counter()
        citations: Counter[int] = Counter()
        best: dict[int, float] = {}
        [(last,)] = self._queries("SELECT coalesce(max(seq), 0) FROM urls")
        for first in range(0, last, _AT_ONCE):
            for host, waiting, cited, score in self._queries(_LINKS, first, first + _AT_ONCE):
                queued[host] += waiting
                citations[host] += cited
                if score is not None:
                    best[host] = max(score, best.get(host, score))
        given = {host: figures for host, *figures in self._queries(_GIVEN)}
        found = []
        for id, name in self._queries("SELECT id, name FROM hosts ORDER BY id"):
            concluded, pages, relevant = given.get(id, (0, 0, 0))
            found.append(KnownHost(name, concluded, pages, relevant, queued[id], best.get(id), citations[id]))
        return found

    def course(self, points: int) -> list[Moment]:
        """How the crawl went, at evenly spread conclusions."""
        [(last, known)] = self._queries(
            "SELECT (SELECT coalesce(max(page), 0) FROM pages), (SELECT coalesce(max(seq), 0) FROM urls)"
        )
        step = max(1, -(-last // points))
        found: list[Moment] = []
        before = Moment(0.0, 0, 0, 0, 0)
        for end in sorted({*range(step, last, step), last} if last else ()):
            [(at, concluded, pages, relevant)] = self._queries(_BETWEEN, before.concluded, end)
            before = Moment(
                at,
                before.concluded + concluded,
                before.pages + pages,
                before.relevant + relevant,
                known if end == last else self._known_after(end, before.known, known),
            )
            found.append(before)
        return found

    def _known_after(self, page: int, low: int, high: int) -> int:
        """The last link that was found on a page up to this one: links are in order of discovery."""
        while low < high:
            middle = (low + high + 1) // 2
            rows = self._queries(_PARENT, middle)
            if rows and rows[0][0] is not None and rows[0][0] > page:
                high = middle - 1
            else:
                low = middle
        return low


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
