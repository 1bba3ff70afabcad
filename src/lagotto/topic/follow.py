"""Following a query log that grows while the crawl runs: each reading gives only what is new.

A line counts once its newline has come, or when the log has been still for a while. A log that was
truncated or replaced (rotated) is read from its beginning; what was appended to the old file before
it was renamed is read first.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct, field

from lagotto.errors import InputError
from lagotto.topic.querylog import MAX_LINE, Layout, LineReader, LogFormat, Query

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
