"""CDXJ: an index of the answers in the WARC files, as replay tools read it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

import ada_url
import msgspec

from lagotto.base.errors import LostAnswer
from lagotto.base.protocols import Reader
from lagotto.base.records import Fetched, WarcPlace
from lagotto.base.views import StoredPage
from lagotto.harvest.export.options import ExportOptions
from lagotto.harvest.export.selection import selected
from lagotto.store.disk_errors import disk_errors_explained
from lagotto.store.warc.records import digest

_slashes = re.compile("//+").sub


def write_cdxj(reader: Reader, stream: BinaryIO, options: ExportOptions) -> int:
    """Write a line for each stored answer, sorted by URL and time; returns how many."""
    count = 0
    for line in sorted_lines(_lines(reader, options)):
        stream.write(line)
        count += 1
    return count


def _lines(reader: Reader, options: ExportOptions) -> Iterator[bytes]:
    for stored in selected(reader, options):
        if stored.place is not None:
            with suppress(LostAnswer):
                yield cdxj_line(stored, reader.body(stored.place), stored.place)


def cdxj_line(stored: StoredPage, answer: Fetched, place: WarcPlace) -> bytes:
    """The line of an answer that lies at a place."""
    when = datetime.fromtimestamp(answer.fetched_at, UTC).strftime("%Y%m%d%H%M%S")
    fields = {
        "url": answer.url,
        "mime": stored.content_type.partition(";")[0].strip() or "unk",
        "status": str(answer.status),
        "digest": digest(answer.wire),
        "length": str(place.length),
        "offset": str(place.offset),
        "filename": place.file,
    }
    return f"{surt(answer.url)} {when} ".encode() + msgspec.json.encode(fields) + b"\n"


def surt(url: str) -> str:
    """The key that sorts pages of a site together, as the package surt makes it.

    >>> surt("https://www.Example.org:8080/A//?b=2&a=1")
    'org,example:8080)/a?a=1&b=2'
    """
    parts = ada_url.URL(url.lower())
    labels = parts.hostname.strip("[]").split(".")
    if len(labels) > 1 and labels[0].rstrip("0123456789") == "www":
        labels = labels[1:]
    port = f":{parts.port}" if parts.port else ""
    path = _slashes("/", parts.pathname).rstrip("/") or "/"
    query = "&".join(sorted(parts.search.removeprefix("?").split("&")))
    return f"{','.join(reversed(labels))}{port}){path}" + (f"?{query}" if query else "")


def sorted_lines(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The lines in order, each once; they are sorted on disk, in a temporary database."""
    with disk_errors_explained(Path("the temporary folder")), closing(sqlite3.connect("")) as db:
        db.execute("CREATE TABLE lines (line BLOB PRIMARY KEY) WITHOUT ROWID")
        db.executemany("INSERT OR IGNORE INTO lines VALUES (?)", ((line,) for line in lines))
        for (line,) in db.execute("SELECT line FROM lines ORDER BY line"):
            yield line
