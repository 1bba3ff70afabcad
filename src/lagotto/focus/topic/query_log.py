"""Reading a query log: one query a line, or tab-separated columns, or JSON objects one a line.

Lines that make no sense are counted and passed over; a log is written by others.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Literal

import msgspec
from msgspec import Struct, field

from lagotto.base.errors import InputError
from lagotto.base.text.tokens import HEAD, UTF_16, looks_binary

LogFormat = Literal["auto", "plain", "tsv", "jsonl"]
MAX_LINE = 10_000
"""Characters; a longer line is no query."""
_QUERY_NAMES = ("query", "q", "search", "keywords", "text")
_TIME_NAMES = ("time", "timestamp", "date", "datetime", "querytime", "asked_at", "at")
_iso_time = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d|$)").match
_epoch_time = re.compile(r"\d{10}(\d{3})?(\.\d+)?$").match


class Query(Struct, frozen=True):
    """One query."""

    text: str
    asked_at: float | None = None
    """Seconds since 1970, where the log says."""


class Layout(Struct):
    """How a log is written: its format, and for tab-separated logs which column holds what."""

    format: LogFormat = "auto"
    query_column: int = -1
    time_column: int = -1


class LineReader:
    """Turns lines into queries; learns the layout from the first line and counts what is malformed."""

    def __init__(self, layout: Layout | None = None) -> None:
        self.layout = layout or Layout()
        self.malformed = 0

    def queries(self, lines: Iterable[str]) -> Iterator[Query]:
        """The queries of some lines; empty lines are nothing, malformed ones are counted."""
        for line in lines:
            stripped = line.strip("\r\n\ufeff ")
            if not stripped.strip():
                continue
            if self.layout.format == "auto":
                self.layout.format = _format_of(stripped)
            if len(stripped) > MAX_LINE or "\0" in stripped:
                self.malformed += 1
            elif self.layout.format == "jsonl":
                yield from self._from_json(stripped)
            elif self.layout.format == "tsv":
                yield from self._from_columns(stripped.split("\t"))
            else:
                yield Query(stripped.strip())

    def _from_json(self, line: str) -> Iterator[Query]:
        try:
            row = msgspec.json.decode(line)
        except (msgspec.DecodeError, RecursionError):
            row = None
        fields = {key.lower(): value for key, value in row.items()} if isinstance(row, dict) else {}
        text = row if isinstance(row, str) else _first(fields, _QUERY_NAMES)
        if isinstance(text, str) and text.strip():
            yield Query(text.strip(), _time(_first(fields, _TIME_NAMES)))
        else:
            self.malformed += 1

    def _from_columns(self, cells: list[str]) -> Iterator[Query]:
        layout = self.layout
        if layout.query_column < 0 and self._learn_columns(cells):
            return
        text = cells[layout.query_column].strip() if layout.query_column < len(cells) else ""
        if not text:
            self.malformed += 1
            return
        timed = 0 <= layout.time_column < len(cells)
        yield Query(text, _time(cells[layout.time_column]) if timed else None)

    def _learn_columns(self, cells: list[str]) -> bool:
        """Find the columns; true if this line is a header.

        Without a header the query is the first column that has a letter and is no time.
        """
        names = [cell.strip().lower() for cell in cells]
        query = next((names.index(name) for name in _QUERY_NAMES if name in names), None)
        if query is not None:
            self.layout.query_column = query
            self.layout.time_column = next((names.index(name) for name in _TIME_NAMES if name in names), -1)
            return True
        times = [i for i, cell in enumerate(cells) if _time(cell) is not None]
        others = [i for i in range(len(cells)) if i not in times]
        worded = [i for i in others if any(character.isalpha() for character in cells[i])]
        self.layout.query_column = (worded or others or [0])[0]
        self.layout.time_column = times[0] if times else -1
        return False


class QueryLog(Struct):
    """A query log that was read from beginning to end."""

    queries: list[Query]
    malformed: int = 0

    @property
    def texts(self) -> list[str]:
        """The queries without their times."""
        return [query.text for query in self.queries]


def check_query_log(path: Path) -> None:
    """Refuse a log that cannot be read or is no text."""
    try:
        with path.open("rb") as content:
            head = content.read(HEAD)
    except OSError as error:
        raise InputError(f"cannot read the query log {path}: {error.strerror}") from None
    if looks_binary(head) or head.startswith(UTF_16):
        raise InputError(f"the query log {path} is not a UTF-8 text file; write one query a line")


def read_query_log(path: Path, format: LogFormat = "auto") -> QueryLog:
    """Read a whole log."""
    reader = LineReader(Layout(format))
    check_query_log(path)
    try:
        with path.open(encoding="utf-8-sig", errors="replace", newline="\n") as lines:
            return QueryLog(list(reader.queries(lines)), reader.malformed)
    except OSError as error:
        raise InputError(f"cannot read the query log {path}: {error.strerror}") from error


def _format_of(line: str) -> LogFormat:
    if line.startswith("{"):
        return "jsonl"
    return "tsv" if "\t" in line else "plain"


def _time(value: object) -> float | None:
    """Seconds since 1970 from an epoch number (also in milliseconds) or an ISO time, by default in UTC."""
    text = str(value).strip() if isinstance(value, str | int | float) else ""
    if _epoch_time(text):
        epoch = float(text)
        return epoch / 1000 if epoch >= 1e11 else epoch
    if not _iso_time(text):
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _first(fields: dict[str, object], names: tuple[str, ...]) -> object:
    return next((fields[name] for name in names if name in fields), None)


STILL = 2.0
"""Seconds without a change after which a last line without newline is taken as complete."""
_CHUNK = 1 << 20
_HEAD = 64
"""Bytes at the beginning that are compared to notice a rewritten log."""
_MAX_PARTIAL = 4 * MAX_LINE


class Place(Struct):
    """How far a log has been read, as needed to go on after a restart."""

    offset: int = 0
    file_id: int = 0
    head: bytes = b""
    layout: Layout = field(default_factory=Layout)
    skipping: bool = False
    """In the middle of a line that is too long to be a query."""
    malformed: int = 0


class LogFollower:
    """Reads what is new in a query log; the file may come and go."""

    def __init__(self, path: Path, format: LogFormat = "auto", place: Place | None = None) -> None:
        self.path = path
        self.format: LogFormat = format
        self.place = place or Place(layout=Layout(format))

    def read(self) -> list[Query]:
        """Queries that came since the last reading."""
        queries: list[Query] = []
        try:
            file_id = self.path.stat().st_ino if self.path.exists() else 0
            if self.place.file_id and file_id != self.place.file_id and (old := self._rotated_away()):
                queries += self._read(old)
            # Between two rotations there may be no file for a moment.
            if file_id:
                if file_id != self.place.file_id:
                    self._start_over(file_id)
                queries += self._read(self.path)
        except OSError as error:
            raise InputError(f"cannot read the query log {self.path}: {error.strerror}") from error
        return queries

    def _rotated_away(self) -> Path | None:
        """The file we were reading, under the name it has now (such as `queries.log.1`)."""
        for path in self.path.parent.iterdir():
            if path.name.startswith(self.path.stem) and path.stat().st_ino == self.place.file_id:
                return path
        return None

    def _start_over(self, file_id: int) -> None:
        # The columns are read again: a fresh log may begin with a header.
        self.place = Place(file_id=file_id, layout=Layout(self.format), malformed=self.place.malformed)

    def _read(self, path: Path) -> list[Query]:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size < self.place.offset or not self._begins_as_before(file):
                self._start_over(self.place.file_id)
            place = self.place
            reader = LineReader(place.layout)
            queries = list(reader.queries(self._new_lines(file)))
            place.malformed += reader.malformed
            if len(place.head) < _HEAD:
                file.seek(0)
                place.head = file.read(min(_HEAD, place.offset))
        return queries

    def _begins_as_before(self, file: BinaryIO) -> bool:
        return file.read(len(self.place.head)) == self.place.head

    def _new_lines(self, file: BinaryIO) -> Iterator[str]:
        """Complete lines after the place reached, moving the place as they are given."""
        place = self.place
        partial = b""
        file.seek(place.offset)
        while chunk := file.read(_CHUNK):
            *lines, partial = (partial + chunk).split(b"\n")
            for line in lines:
                place.offset += len(line) + 1
                if not place.skipping:
                    yield line.decode("utf-8", "replace")
                place.skipping = False
            if len(partial) > _MAX_PARTIAL:
                place.malformed += not place.skipping
                place.skipping = True
                place.offset += len(partial)
                partial = b""
        if partial and not place.skipping and time.time() - os.fstat(file.fileno()).st_mtime > STILL:
            place.offset += len(partial)
            yield partial.decode("utf-8", "replace")
