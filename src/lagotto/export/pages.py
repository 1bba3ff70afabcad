"""The pages of a crawl as a table: a row for each concluded URL, or for each chunk of its text."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from lagotto.export.chunks import chunks_of
from lagotto.export.contents import html_of, markdown_of, text_of
from lagotto.export.options import ExportOptions
from lagotto.export.selection import selected
from lagotto.export.tables import INTEGER, NUMBER, TEXT, TIME, TRUTH, Table
from lagotto.protocols import Reader
from lagotto.records import FetchedRow
from lagotto.urls import checksum

_KINDS = {
    "seq": INTEGER,
    "status": INTEGER,
    "depth": INTEGER,
    "fetched_at": TIME,
    "relevance": NUMBER,
    "relevance_at_fetch": NUMBER,
    "link_score": NUMBER,
    "relevant": TRUTH,
}
_NAMES = [field.name for field in dataclasses.fields(FetchedRow)]
COLUMNS = {name: _KINDS.get(name, TEXT) for name in _NAMES if name != "text"}
CHUNK_COLUMNS = {
    "id": TEXT,
    "url": TEXT,
    "position": INTEGER,
    "heading": TEXT,
    "text": TEXT,
    "words": INTEGER,
    "title": TEXT,
    "language": TEXT,
    "relevance": NUMBER,
    "fetched_at": TIME,
}


def page_table(reader: Reader, options: ExportOptions) -> Table:
    """The wanted pages, or their chunks."""
    if options.chunks is not None:
        return Table(CHUNK_COLUMNS, _chunk_lines(reader, options, options.chunks))
    more = [name for name in ("text", "html", "markdown") if getattr(options, _OPTION_OF.get(name, name))]
    return Table(COLUMNS | dict.fromkeys(more, TEXT), _page_lines(reader, options))


_OPTION_OF = {"text": "with_text"}


def row_values(row: FetchedRow) -> list[object]:
    """Values of a row in the order of `COLUMNS`."""
    return [getattr(row, name) for name in COLUMNS]


def _page_lines(reader: Reader, options: ExportOptions) -> Iterator[list[object]]:
    with_text = options.with_text or options.markdown
    for stored in selected(reader, options, with_text=with_text):
        line = row_values(stored.row)
        if options.with_text:
            line.append(text_of(reader, stored))
        if options.html:
            line.append(html_of(reader, stored))
        if options.markdown:
            line.append(markdown_of(reader, stored))
        yield line


def _chunk_lines(reader: Reader, options: ExportOptions, words: int) -> Iterator[list[object]]:
    for stored in selected(reader, options, with_text=True):
        row = stored.row
        text = markdown_of(reader, stored, links=options.markdown)
        for position, chunk in enumerate(chunks_of(text or "", words)):
            name = f"{checksum(row.url) & (1 << 64) - 1:016x}-{position}"
            line: list[object] = [name, row.url, position, chunk.heading, chunk.text, chunk.words]
            yield [*line, row.title, row.language, row.relevance, row.fetched_at]
