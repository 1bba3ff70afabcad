"""The frontier: links that are known and not fetched, with what they wait for."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from lagotto.base.protocols import Reader
from lagotto.base.records import SEED_SCORE
from lagotto.base.urls import host_of
from lagotto.base.views import WaitingLink
from lagotto.harvest.export.options import ExportOptions
from lagotto.harvest.export.tables import INTEGER, NUMBER, TEXT, TIME, Table

COLUMNS = {
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
    return Table(COLUMNS, _lines(links))


def _lines(links: Iterable[WaitingLink]) -> Iterator[list[object]]:
    for waiting in links:
        link = waiting.link
        score = None if link.score >= SEED_SCORE else link.score
        line: list[object] = [link.url, waiting.state, score, host_of(link.url), link.depth]
        yield [*line, link.parent, link.anchor, _time(waiting.retry_at), waiting.waiting_for]


def _time(at: float | None) -> str | None:
    if at is None:
        return None
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")[:-6] + "Z"
