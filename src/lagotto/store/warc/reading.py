"""Reading WARC files that Lagotto wrote: one record by its place, or all of them in turn."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from datetime import datetime
from math import inf
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from lagotto.base.errors import DamagedStore, LostAnswer
from lagotto.base.records import Fetched, WarcPlace
from lagotto.store.disk_errors import os_error
from lagotto.store.warc.records import digest

MAX_BODY = 64 << 20
_BLOCK = 1 << 20
_GZIP = 31
_ZLIB, _RAW = 15, -15


class Record(Struct):
    """A record, unpacked."""

    offset: int
    finish: int
    """Where the next record begins."""
    fields: dict[str, str]
    block: bytes


def read_response(folder: Path, place: WarcPlace) -> Fetched:
    """The answer at a place; its body is decoded if it is encoded as its header says."""
    return response_of(stored_record(folder, place), place, str(folder / place.file))


def response_of(stored: bytes, place: WarcPlace, name: str) -> Fetched:
    """The answer that a stored record holds; `name` is what the file is called in error messages."""
    try:
        record = _record(zlib.decompress(stored, _GZIP), place.offset, place.offset + place.length)
        head, _, wire = record.block.partition(b"\r\n\r\n")
        first, *lines = head.decode("utf-8", "surrogateescape").split("\r\n")
        fetched = Fetched(
            url=record.fields["WARC-Target-URI"],
            status=int(first.split(" ")[1]),
            headers=[(name, value) for name, _, value in (line.partition(": ") for line in lines)],
            wire=wire,
            truncated="WARC-Truncated" in record.fields,
            fetched_at=datetime.fromisoformat(record.fields["WARC-Date"]).timestamp(),
        )
    except (zlib.error, ValueError, LookupError) as error:
        raise LostAnswer(f"{name} is damaged at byte {place.offset}; restore it from a copy") from error
    fetched.body = _decoded(wire, fetched.header("content-encoding").strip().lower())
    return fetched


def stored_record(folder: Path, place: WarcPlace) -> bytes:
    """The record at a place as it is stored: one gzip member."""
    path = folder / place.file
    try:
        with path.open("rb") as stream:
            stream.seek(place.offset)
            stored = stream.read(place.length)
    except FileNotFoundError as error:
        raise LostAnswer(f"{path} is missing; restore it from a copy") from error
    except OSError as error:
        raise os_error(error, path) from error
    if len(stored) < place.length:
        raise LostAnswer(f"{path} ends before byte {place.offset + place.length}; restore it from a copy")
    return stored


def read_records(path: Path, end: float = inf) -> Iterator[Record]:
    """All records that begin before `end`; raises `DamagedStore` at a damaged one."""
    begin = 0
    with path.open("rb") as stream:
        try:
            for begin, finish, unpacked in _members(stream, end):
                record = _record(unpacked, begin, finish)
                if record.fields["WARC-Block-Digest"] != digest(record.block):
                    raise ValueError("wrong digest")
                yield record
                begin = finish
        except (zlib.error, EOFError, ValueError, LookupError) as error:
            raise DamagedStore(f"{path} is damaged at byte {begin}") from error


def _members(stream: BinaryIO, end: float) -> Iterator[tuple[int, int, bytes]]:
    """Gzip members, each with where it begins and where the next one does."""
    begin, unused = 0, b""
    while begin < end and (block := unused or stream.read(_BLOCK)):
        member = zlib.decompressobj(_GZIP)
        pieces = [member.decompress(block)]
        while not member.eof:
            if not (block := stream.read(_BLOCK)):
                raise EOFError
            pieces.append(member.decompress(block))
        unused = member.unused_data
        finish = stream.tell() - len(unused)
        yield begin, finish, b"".join(pieces)
        begin = finish


def _record(unpacked: bytes, offset: int, finish: int) -> Record:
    """Parse a record; raises `ValueError` if it is none."""
    head, _, rest = unpacked.partition(b"\r\n\r\n")
    version, *lines = head.decode().split("\r\n")
    fields = {name: value for name, _, value in (line.partition(": ") for line in lines)}
    length = int(fields["Content-Length"])
    if version != "WARC/1.1" or rest[length:] != b"\r\n\r\n":
        raise ValueError(version)
    return Record(offset, finish, fields, rest[:length])


def _decoded(wire: bytes, encoding: str) -> bytes:
    """The decoded body; as it was transferred, if it is not encoded as its header says."""
    windows = {"gzip": (_GZIP,), "x-gzip": (_GZIP,), "deflate": (_ZLIB, _RAW)}.get(encoding, ())
    for window in windows:
        if body := _inflated(wire, window):
            return body
    return wire


def _inflated(wire: bytes, window: int) -> bytes:
    """As many bytes as can be decompressed, over all members."""
    body = b""
    try:
        while wire and len(body) < MAX_BODY:
            member = zlib.decompressobj(window)
            body += member.decompress(wire, MAX_BODY - len(body))
            wire = member.unused_data
    except zlib.error:
        return body
    return body
