"""URLs without a page, as tables: links that wait to be fetched, and failures with their reasons."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from lagotto.base.protocols import Reader
from lagotto.base.reasons import describe, facts_of
from lagotto.base.records import SEED_SCORE
from lagotto.base.urls import host_of
from lagotto.base.views import WaitingLink
from lagotto.harvest.export.options import ExportOptions
from lagotto.harvest.export.tables import INTEGER, NUMBER, TEXT, TIME, Table

FRONTIER_COLUMNS = {
    "url": TEXT,
    "state": TEXT,
    "score": NUMBER,
    "host": TEXT,
    "depth": INTEGER,
    "parent": TEXT,
    "anchor": TEXT,
    "retry_at": TIME,
    "waiting_for": TEXT,
}


def frontier_table(reader: Reader, options: ExportOptions) -> Table:
    """All links in order of discovery, or the best ones, best first."""
    links: Iterable[WaitingLink] = reader.waiting_links()
    if options.top is not None:
        links = heapq.nlargest(options.top, links, key=lambda waiting: waiting.link.score)
    return Table(FRONTIER_COLUMNS, _frontier_lines(links))


def _frontier_lines(links: Iterable[WaitingLink]) -> Iterator[list[object]]:
    for waiting in links:
        link = waiting.link
        score = None if link.score >= SEED_SCORE else link.score
        line: list[object] = [link.url, waiting.state, score, host_of(link.url), link.depth]
        yield [*line, link.parent, link.anchor, _time(waiting.retry_at), waiting.waiting_for]


def _time(at: float | None) -> str | None:
    if at is None:
        return None
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")[:-6] + "Z"


FAILURE_COLUMNS = {
    "seq": INTEGER,
    "url": TEXT,
    "host": TEXT,
    "status": INTEGER,
    "reason": TEXT,
    "detail": TEXT,
    "meaning": TEXT,
    "attempts": INTEGER,
    "fetched_at": TIME,
    "depth": INTEGER,
    "parent": TEXT,
}


def failure_table(reader: Reader, options: ExportOptions) -> Table:
    """Failures in the order of the fetch; redirects, duplicates and sitemaps are none."""
    return Table(FAILURE_COLUMNS, _failure_lines(reader))


def _failure_lines(reader: Reader) -> Iterator[list[object]]:
    for stored in reader.stored_pages():
        row = stored.row
        facts = facts_of(row.reason)
        if row.reason and (facts is None or facts.error):
            line: list[object] = [row.seq, row.url, row.host, row.status, row.reason, stored.detail]
            line += [describe(row.reason, stored.detail), stored.attempts]
            yield [*line, row.fetched_at, row.depth, row.parent]
