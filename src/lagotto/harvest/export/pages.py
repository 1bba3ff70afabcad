"""The pages of a crawl as a table: a row for each concluded URL, or for each chunk of its text.

A chunk is a piece of Markdown for retrieval, cut at headings, then between blocks, then between words.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from lagotto.base.facts import encode_facts
from lagotto.base.protocols import Reader
from lagotto.base.records import FetchedRow
from lagotto.base.urls import checksum
from lagotto.base.views import StoredPage
from lagotto.harvest.export.options import ExportOptions
from lagotto.harvest.export.selection import selected
from lagotto.harvest.export.tables import INTEGER, NUMBER, TEXT, TIME, TRUTH, Table
from lagotto.parse.stored import html_of, markdown_of, text_of

_heading = re.compile(r"#{1,6} +(.*)").match
_FENCE = "```"


class Chunk(Struct, frozen=True):
    """A piece of a page."""

    heading: str
    """The last heading at or before it; empty if there is none."""
    text: str
    words: int


def chunks_of(markdown: str, most: int) -> Iterator[Chunk]:
    """Chunks of at most so many words, in order.

    A heading begins a new chunk. Blocks stay whole unless one alone is too long; that one is cut between
    words.

    >>> [chunk.text for chunk in chunks_of("# Owls\\n\\nThey fly.\\n\\nBy night.\\n\\n# Herons", 5)]
    ['# Owls\\n\\nThey fly.', 'By night.', '# Herons']
    """
    heading, kept, size = "", list[str](), 0
    bare = True
    for block in _blocks(markdown):
        title = _heading(block)
        length = len(block.split())
        if kept and (size + length > most or (title and not bare)):
            yield Chunk(heading, "\n\n".join(kept), size)
            kept, size, bare = [], 0, True
        if title:
            heading = title[1].strip()
        bare = bare and title is not None
        if length > most:
            yield from _cut(block, most, heading)
            continue
        kept.append(block)
        size += length
    if kept:
        yield Chunk(heading, "\n\n".join(kept), size)


def _cut(block: str, most: int, heading: str) -> Iterator[Chunk]:
    words = block.split()
    for start in range(0, len(words), most):
        piece = words[start : start + most]
        yield Chunk(heading, " ".join(piece), len(piece))


def _blocks(markdown: str) -> Iterator[str]:
    """Blocks that blank lines divide, fenced code in one piece."""
    block: list[str] = []
    fenced = False
    for line in markdown.split("\n"):
        if line.lstrip().startswith(_FENCE):
            fenced = not fenced
        if line.strip() or fenced:
            block.append(line)
        elif block:
            yield "\n".join(block)
            block = []
    if block:
        yield "\n".join(block)


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
    "license": TEXT,
}


def page_table(reader: Reader, options: ExportOptions) -> Table:
    """The wanted pages, or their chunks."""
    with_text = options.with_text or options.markdown or options.chunks is not None
    pages = selected(reader, options, with_text=with_text)
    return Table(table_columns(options), page_lines(reader, options, pages))


def table_columns(options: ExportOptions) -> dict[str, str]:
    """Name -> kind of the columns that the options ask for."""
    if options.chunks is not None:
        return CHUNK_COLUMNS
    more = {
        "text": options.with_text,
        "html": options.html,
        "markdown": options.markdown,
        "facts": options.facts,
    }
    return COLUMNS | {name: TEXT for name, wanted in more.items() if wanted}


def row_values(row: FetchedRow) -> list[object]:
    """Values of a row in the order of `COLUMNS`."""
    return [getattr(row, name) for name in COLUMNS]


def page_lines(reader: Reader, options: ExportOptions, pages: Iterable[StoredPage]) -> Iterator[list[object]]:
    """The lines of pages, which must have been read with their text where that is wanted."""
    for stored in pages:
        if options.chunks is not None:
            yield from _chunk_lines(reader, stored, options)
            continue
        line = row_values(stored.row)
        if options.with_text:
            line.append(text_of(reader, stored))
        if options.html:
            line.append(html_of(reader, stored))
        if options.markdown:
            line.append(markdown_of(reader, stored))
        if options.facts:
            line.append(encode_facts(stored.facts))
        yield line


def _chunk_lines(reader: Reader, stored: StoredPage, options: ExportOptions) -> Iterator[list[object]]:
    assert options.chunks is not None
    row = stored.row
    text = markdown_of(reader, stored, links=options.markdown)
    for position, chunk in enumerate(chunks_of(text or "", options.chunks)):
        name = f"{checksum(row.url) & (1 << 64) - 1:016x}-{position}"
        line: list[object] = [name, row.url, position, chunk.heading, chunk.text, chunk.words]
        yield [*line, row.title, row.language, row.relevance, row.fetched_at, row.license]
