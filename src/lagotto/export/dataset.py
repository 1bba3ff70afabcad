"""A folder that the `datasets` library loads: Parquet shards below `data/`, and the card `README.md`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import msgspec

from lagotto.export.card import Card
from lagotto.export.options import ExportOptions
from lagotto.export.pages import page_lines, table_columns
from lagotto.export.parquet import write_parquet
from lagotto.export.selection import selected
from lagotto.export.tables import Table
from lagotto.protocols import Reader
from lagotto.views import StoredPage

ROWS = 100_000
CHARACTERS = 500_000_000
"""A shard ends when it has this many rows, or this many characters."""


def write_dataset(reader: Reader, folder: Path, options: ExportOptions) -> int:
    """Write shards and card; returns how many rows there are. URLs without a page are left out.

    A row has the text of its page, or is a chunk of it.
    """
    options = msgspec.structs.replace(options, with_text=options.chunks is None)
    card = Card(options)
    lines = page_lines(reader, options, _pages(reader, options, card))
    columns = table_columns(options)
    (folder / "data").mkdir()
    count = 0
    for number, shard in enumerate(_shards(lines)):
        with (folder / "data" / f"train-{number:05}.parquet").open("wb") as stream:
            count += write_parquet(Table(columns, shard), stream)
    (folder / "README.md").write_text(card.text(reader, count, columns), "utf-8")
    return count


def _pages(reader: Reader, options: ExportOptions, card: Card) -> Iterator[StoredPage]:
    """The wanted pages; the card counts them on their way."""
    for stored in selected(reader, options, with_text=True):
        if stored.is_page:
            card.add(stored)
            yield stored


def _shards(lines: Iterator[Sequence[object]]) -> Iterator[Iterator[Sequence[object]]]:
    """The lines of one shard after the other, at least of one; each must be read before the next."""
    first = next(lines, None)
    yield _shard([] if first is None else [first], lines)
    while (first := next(lines, None)) is not None:
        yield _shard([first], lines)


def _shard(first: list[Sequence[object]], lines: Iterator[Sequence[object]]) -> Iterator[Sequence[object]]:
    characters = 0
    for rows, line in enumerate(chain(first, lines), 1):
        yield line
        characters += sum(len(value) for value in line if isinstance(value, str))
        if rows == ROWS or characters >= CHARACTERS:
            return
