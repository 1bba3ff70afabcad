"""Handing the crawl on: one row for every concluded URL, in the order they were fetched.

An export appears under its name only when it is whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import BinaryIO

from lagotto.errors import UnknownName
from lagotto.records import FetchedRow
from lagotto.store.folder import write_folder
from lagotto.store.reader import CrawlReader
from lagotto.store.tables import appearing, write_csv, write_jsonl

Exporter = Callable[[CrawlReader, Path, bool, bool], int]
"""Takes reader, path, whether to add text, whether to leave out what is not relevant."""

ROW_FORMATS: dict[str, Callable[[Iterable[FetchedRow], BinaryIO, bool], int]] = {
    "jsonl": write_jsonl,
    "csv": write_csv,
}
"""Formats that can also be written to a stream."""


def export(
    reader: CrawlReader, format: str, path: Path, *, with_text: bool = False, relevant_only: bool = False
) -> int:
    """Write the crawl in a format to a path; returns how many URLs it holds."""
    if format not in FORMATS:
        raise UnknownName(f"there is no format '{format}'; choose one of {', '.join(FORMATS)}")
    return FORMATS[format](reader, path, with_text, relevant_only)


def export_rows(
    reader: CrawlReader,
    format: str,
    stream: BinaryIO,
    *,
    with_text: bool = False,
    relevant_only: bool = False,
) -> int:
    """Write the crawl to a stream; returns how many URLs it holds."""
    if format not in ROW_FORMATS:
        raise UnknownName(f"format '{format}' needs a path to write to; name one with -o")
    rows = reader.rows(with_text=with_text, relevant_only=relevant_only)
    return ROW_FORMATS[format](rows, stream, with_text)


def _into_file(format: str) -> Exporter:
    def run(reader: CrawlReader, path: Path, with_text: bool, relevant_only: bool) -> int:
        with appearing(path) as stream:
            return export_rows(reader, format, stream, with_text=with_text, relevant_only=relevant_only)

    return run


FORMATS: dict[str, Exporter] = {
    **{format: _into_file(format) for format in ROW_FORMATS},
    "folder": write_folder,
}
"""Name -> exporter; further formats are added here."""
