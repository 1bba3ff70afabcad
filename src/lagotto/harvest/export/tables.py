"""Tables of any kind, and how they are written as JSON lines and as CSV, safe to open in any program."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from types import ModuleType
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct

from lagotto.base.errors import InputError

TEXT, INTEGER, NUMBER, TRUTH, TIME = "text", "integer", "number", "truth", "time"
"""Kinds of columns; a time is text such as `2026-01-31T12:00:00.000Z`. Any value may be None."""

_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""Signs that start a formula in a spreadsheet, their full-width forms included."""
_DROPPED = ("\t", "\r", "\n")
"""Characters that some spreadsheets drop before they look for a formula."""
_UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Mn", "Zl", "Zp", "Zs"})
"""Unicode categories of characters that are blank or not shown."""
_CONTROLS = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 127), "\ufffd")
"""Control characters other than tab and line ends: some programs stop reading at them."""


class Table(Struct):
    """Named columns and lines that are read once."""

    columns: dict[str, str]
    """Name -> kind."""
    lines: Iterable[Sequence[object]]


TableWriter = Callable[[Table, BinaryIO], int]
"""Writes a table to a stream and returns how many lines it has."""


def write_jsonl(table: Table, stream: BinaryIO) -> int:
    """Write one JSON object a line; returns how many."""
    encode = msgspec.json.Encoder().encode
    count = 0
    for line in table.lines:
        stream.write(encode(dict(zip(table.columns, line, strict=True))) + b"\n")
        count += 1
    return count


def write_csv(table: Table, stream: BinaryIO) -> int:
    """Write a header line and the table; returns how many lines follow the header."""
    text = io.TextIOWrapper(stream, encoding="utf-8", errors="replace", newline="")
    try:
        writer = csv.writer(text)
        writer.writerow(table.columns)
        count = 0
        for line in table.lines:
            writer.writerow([safe_cell(value) for value in line])
            count += 1
    finally:
        text.detach()
    return count


def safe_cell(value: object) -> object:
    """The value as a cell that no spreadsheet takes for a formula.

    Blank and invisible characters in front of the sign, such as U+200B, do not hide it.

    >>> safe_cell("=cmd()"), safe_cell(-1.5), safe_cell(True), safe_cell(None)
    ("'=cmd()", -1.5, 'true', '')
    """
    if isinstance(value, str):
        shown = _visible(value)
        value = value if value.isprintable() else value.translate(_CONTROLS)
        return f"'{value}" if value.startswith(_DROPPED) or shown.startswith(_FORMULA) else value
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else value


def _visible(text: str) -> str:
    """The text from its first visible character on."""
    for place, character in enumerate(text):
        if unicodedata.category(character) not in _UNSEEN:
            return text[place:]
    return ""


_ROWS = 10_000
_CHARACTERS = 4 << 20
"""A group of rows is written when it has this many rows, or this many characters of text."""


def write_parquet(table: Table, stream: BinaryIO) -> int:
    """Write a table; returns how many rows it has."""
    arrow, parquet = _pyarrow()
    kinds = {
        TEXT: arrow.large_string(),
        INTEGER: arrow.int64(),
        NUMBER: arrow.float64(),
        TRUTH: arrow.bool_(),
        TIME: arrow.timestamp("ms", "UTC"),
    }
    schema = arrow.schema([(name, kinds[kind]) for name, kind in table.columns.items()])
    times = [place for place, kind in enumerate(table.columns.values()) if kind == TIME]
    count = 0
    with parquet.ParquetWriter(stream, schema, compression="zstd") as writer:
        for lines in _groups(table.lines, times):
            columns = [
                arrow.array(values, field.type)
                for values, field in zip(zip(*lines, strict=True), schema, strict=True)
            ]
            writer.write_table(arrow.Table.from_arrays(columns, schema=schema))
            count += len(lines)
    return count


def _groups(lines: Iterable[Sequence[object]], times: list[int]) -> Iterator[list[list[object]]]:
    group: list[list[object]] = []
    size = 0
    for line in lines:
        values = list(line)
        for place in times:
            value = values[place]
            values[place] = datetime.fromisoformat(value) if isinstance(value, str) else None
        group.append(values)
        size += sum(len(value) for value in values if isinstance(value, str))
        if len(group) >= _ROWS or size >= _CHARACTERS:
            yield group
            group, size = [], 0
    if group:
        yield group


def _pyarrow() -> tuple[Any, ModuleType]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise InputError("writing Parquet needs pyarrow; install it with: pip install pyarrow") from error
    return pyarrow, pyarrow.parquet
