"""Rows as tables: JSON lines and CSV, safe to open in any program."""

from __future__ import annotations

import csv
import io
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import msgspec

from lagotto.errors import InputError
from lagotto.records import FetchedRow
from lagotto.store.plainly import os_error

COLUMNS = tuple(name for name in FetchedRow.__struct_fields__ if name != "text")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a spreadsheet takes for the beginning of a formula, the full-width forms included."""


def write_jsonl(rows: Iterable[FetchedRow], stream: BinaryIO, with_text: bool = False) -> int:
    """Write one JSON object a line; returns how many."""
    encode = msgspec.json.Encoder().encode
    count = 0
    for row in rows:
        stream.write(encode(fields(row, with_text)) + b"\n")
        count += 1
    return count


def write_csv(rows: Iterable[FetchedRow], stream: BinaryIO, with_text: bool = False) -> int:
    """Write a table with a header line; returns how many lines follow it."""
    columns = (*COLUMNS, "text") if with_text else COLUMNS
    return write_cells((fields(row, with_text).values() for row in rows), columns, stream)


def write_cells(lines: Iterable[Iterable[object]], columns: Iterable[str], stream: BinaryIO) -> int:
    """Write any table as CSV, each cell made safe; returns how many lines follow the header."""
    text = io.TextIOWrapper(stream, encoding="utf-8", errors="replace", newline="")
    table = csv.writer(text)
    table.writerow(columns)
    count = 0
    for line in lines:
        table.writerow([safe_cell(value) for value in line])
        count += 1
    text.detach()
    return count


def safe_cell(value: object) -> object:
    """The value as a cell that no spreadsheet takes for a formula.

    >>> safe_cell("=cmd()"), safe_cell(-1.5), safe_cell(True), safe_cell(None)
    ("'=cmd()", -1.5, 'true', '')
    """
    if isinstance(value, str):
        value = value.replace("\0", "\ufffd")
        return f"'{value}" if value.startswith(_FORMULA) else value
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else value


def fields(row: FetchedRow, with_text: bool) -> dict[str, object]:
    """Column -> value, in the order of the columns."""
    named: dict[str, object] = msgspec.structs.asdict(row)
    if not with_text:
        del named["text"]
    return named


@contextmanager
def appearing(path: Path) -> Iterator[BinaryIO]:
    """A file that takes its name only when all of it is written."""
    if path.is_dir():
        raise InputError(f"{path} is a directory; name a file to export to")
    try:
        file, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with open(file, "wb") as stream:
                yield stream
            os.chmod(name, 0o644)
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise os_error(error, path) from error
