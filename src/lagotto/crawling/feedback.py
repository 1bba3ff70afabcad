"""What users say of pages: a file in the crawl directory that they may add to while the crawl runs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

FILE = "feedback.jsonl"


class Mark(msgspec.Struct):
    """A user's verdict on a page."""

    url: str
    on: bool
    at: float = 0.0
    """Wall-clock time at which it was given."""


_decoder = msgspec.json.Decoder(Mark)


def add_mark(directory: Path, mark: Mark) -> None:
    """Append a mark as one line, in one write."""
    with (directory / FILE).open("ab") as file:
        file.write(msgspec.json.encode(mark) + b"\n")


def marks_in(directory: Path) -> list[Mark]:
    """All marks given so far, oldest first; a line that is not whole or not a mark is passed over."""
    return list(MarkFile(directory).new())


class MarkFile:
    """Follows the file of marks."""

    def __init__(self, directory: Path, *, taken: int = 0) -> None:
        self.path = directory / FILE
        self._offset = 0
        for _ in zip(range(taken), self.new(), strict=False):
            pass

    def new(self) -> Iterator[Mark]:
        """Marks added since the last call."""
        if not self.path.exists() or os.stat(self.path).st_size <= self._offset:
            return
        with self.path.open("rb") as file:
            file.seek(self._offset)
            while (line := file.readline()).endswith(b"\n"):
                self._offset += len(line)
                try:
                    mark = _decoder.decode(line)
                except msgspec.DecodeError:
                    continue
                yield mark
