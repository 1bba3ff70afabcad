"""The failures: URLs that brought no page, each with its reason in a word and in a sentence."""

from __future__ import annotations

from collections.abc import Iterator

from lagotto.base.protocols import Reader
from lagotto.base.reasons import describe, facts_of
from lagotto.harvest.export.options import ExportOptions
from lagotto.harvest.export.tables import INTEGER, TEXT, TIME, Table

COLUMNS = {
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
    return Table(COLUMNS, _lines(reader))


def _lines(reader: Reader) -> Iterator[list[object]]:
    for stored in reader.stored_pages():
        row = stored.row
        facts = facts_of(row.reason)
        if row.reason and (facts is None or facts.error):
            line: list[object] = [row.seq, row.url, row.host, row.status, row.reason, stored.detail]
            line += [describe(row.reason, stored.detail), stored.attempts]
            yield [*line, row.fetched_at, row.depth, row.parent]
