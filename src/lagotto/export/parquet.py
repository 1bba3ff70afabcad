"""Tables as Parquet files, written a group of rows at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from types import ModuleType
from typing import Any, BinaryIO

from lagotto.errors import InputError
from lagotto.export.tables import INTEGER, NUMBER, TEXT, TIME, TRUTH, Table

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
