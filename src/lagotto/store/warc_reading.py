"""Reading answers back from WARC files."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any, Literal

from fastwarc.warc import ArchiveIterator

from lagotto.errors import DamagedStore
from lagotto.records import Fetched, WarcPlace
from lagotto.store.database import os_error

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
        record = _record(stored, decode="none")
        wire: bytes = record.reader.read()
        return Fetched(
            url=record.headers["WARC-Target-URI"],
            status=int(record.http_headers.status_code),
            headers=[(_text(name), _text(value)) for name, value in record.http_headers.items()],
            body=_body(stored, wire),
            wire=wire,
            truncated="WARC-Truncated" in record.headers,
        )
    except (OSError, ValueError, LookupError, AttributeError, StopIteration) as error:
        raise DamagedStore(f"{path} is damaged at byte {place.offset}; restore it from a copy") from error


def _record(stored: bytes, *, decode: Literal["none", "content"]) -> Any:
    return next(ArchiveIterator(io.BytesIO(stored), auto_decode=decode, parse_http=True))


def _body(stored: bytes, wire: bytes) -> bytes:
    """The decoded body; as it was transferred, if it is not encoded as its header says."""
    try:
        body: bytes = _record(stored, decode="content").reader.read(MAX_BODY)
    except (OSError, ValueError):
        return wire
    return body


def _text(field: str) -> str:
    """FastWARC reads header bytes as Latin-1; they were written as UTF-8."""
    return field.encode("latin-1").decode("utf-8", "surrogateescape")
