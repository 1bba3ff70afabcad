"""Reading answers back from WARC files."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any, Literal

from fastwarc.warc import ArchiveIterator

from lagotto.errors import DamagedStore
from lagotto.records import Fetched, WarcPlace
from lagotto.store.plainly import os_error

MAX_BODY = 64 << 20


def read_response(folder: Path, place: WarcPlace) -> Fetched:
    """The answer at a place, its body decoded where the encoding allows."""
    path = folder / place.file
    try:
        with path.open("rb") as stream:
            stream.seek(place.offset)
            stored = stream.read(place.length)
    except OSError as error:
        raise os_error(error, path) from error
    try:
        record = _record(stored)
        head, _, wire = record.reader.read().partition(b"\r\n\r\n")
        first, *lines = head.decode("utf-8", "surrogateescape").split("\r\n")
        return Fetched(
            url=record.headers["WARC-Target-URI"],
            status=int(first.split(" ")[1]),
            headers=[(name, value) for name, _, value in (line.partition(": ") for line in lines)],
            body=_body(stored, wire),
            wire=wire,
            truncated="WARC-Truncated" in record.headers,
        )
    except (OSError, ValueError, LookupError, StopIteration) as error:
        raise DamagedStore(f"{path} is damaged at byte {place.offset}; restore it from a copy") from error


def _record(stored: bytes, *, decode: bool = False) -> Any:
    auto_decode: Literal["content", "none"] = "content" if decode else "none"
    return next(ArchiveIterator(io.BytesIO(stored), parse_http=decode, auto_decode=auto_decode))


def _body(stored: bytes, wire: bytes) -> bytes:
    """The decoded body; as it was transferred, if it is not encoded as its header says."""
    try:
        body: bytes = _record(stored, decode=True).reader.read(MAX_BODY)
    except (OSError, ValueError):
        return wire
    return body
