"""Tables of any kind, and how they are written as JSON lines and as CSV, safe to open in any program."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import BinaryIO

import msgspec
from msgspec import Struct

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
