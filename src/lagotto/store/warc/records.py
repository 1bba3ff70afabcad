"""WARC/1.1 records as bytes: request, response, revisit and warcinfo, one gzip member each."""

from __future__ import annotations

import hashlib
import ipaddress
import os
import re
import zlib
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote

from isal import igzip

from lagotto.base.records import Fetched

_LEVEL = 2
_QUICK = 0
"""Level of igzip for records that are headers only: a quarter of the time, a little larger."""
_STORED, _GZIP = 0, 31
"""Level and format of zlib for bodies that are compressed already: they are copied."""
_SECRET = frozenset({"authorization", "cookie", "proxy-authorization"})
"""Request headers that are left out, as WARC files are passed on to others."""
_OF_THE_CONNECTION = frozenset({"content-length", "trailer", "transfer-encoding"})
"""Response headers that do not fit the body as it is stored."""
_COMPRESSED = frozenset({"deflate", "gzip", "x-gzip"})
_READABLE = _COMPRESSED | {"", "identity"}
"""Content codings that WARC tools read; `warcio check` fails on others."""
_NOT_MODIFIED = 304
_CONTROLS = dict.fromkeys((*range(9), *range(10, 32), 127), " ")

# Two digits in base 32 at once.
_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_PAIRS = [first + second for first in _DIGITS for second in _DIGITS]
_SHIFTS = range(150, -1, -10)

_is_plain = re.compile(r"[!-~]*").fullmatch

Fields = list[tuple[str, str]]


def warcinfo(id: str, filename: str, info: Iterable[tuple[str, str]]) -> bytes:
    """The first record of a file: which program wrote it, with which settings."""
    block = "".join(f"{_one_line(name)}: {_one_line(value)}\r\n" for name, value in info).encode()
    fields = f"WARC-Filename: {filename}\r\nContent-Type: application/warc-fields"
    return igzip.compress(
        _record("warcinfo", id, _date(datetime.now(UTC).timestamp()), fields, block), _LEVEL, mtime=0
    )


class Original(NamedTuple):
    """The answer that a revisit record refers to: its URL, and the wall-clock time of its record."""

    url: str
    when: float


def exchange(fetched: Fetched, warcinfo_id: str, original: Original | None = None) -> tuple[bytes, bytes]:
    """The request record of one answer and its response record; a revisit record if there is an original."""
    request_id, response_id = new_id(), new_id()
    when = _date(fetched.fetched_at)
    shared = f"WARC-Target-URI: {target_uri(fetched.url)}\r\nWARC-Warcinfo-ID: {warcinfo_id}"
    if address := _address(fetched.address):
        shared += f"\r\nWARC-IP-Address: {address}"
    request = (
        f"{shared}\r\nWARC-Concurrent-To: {response_id}\r\nContent-Type: application/http; msgtype=request"
    )
    response = f"{shared}\r\nWARC-Concurrent-To: {request_id}"
    as_transferred = _as_transferred(fetched)
    payload = fetched.wire if as_transferred else fetched.body
    block = _response_head(fetched, len(payload), as_transferred)
    if fetched.status != _NOT_MODIFIED or original is None:
        response += f"\r\nWARC-Payload-Digest: {digest(payload)}"
    if original is None:
        block += payload
    else:
        response += _refers_to(original, not_modified=fetched.status == _NOT_MODIFIED)
    if fetched.truncated:
        response += "\r\nWARC-Truncated: length"
    response += "\r\nContent-Type: application/http; msgtype=response"
    kind = "response" if original is None else "revisit"
    unpacked = _record(kind, response_id, when, response, block)
    compressed = as_transferred and original is None and _coding(fetched) in _COMPRESSED
    return (
        igzip.compress(
            _record("request", request_id, when, request, _request_head(fetched)), _QUICK, mtime=0
        ),
        zlib.compress(unpacked, _STORED, _GZIP) if compressed else igzip.compress(unpacked, _LEVEL, mtime=0),
    )


def _refers_to(original: Original, *, not_modified: bool) -> str:
    profile = "server-not-modified" if not_modified else "identical-payload-digest"
    return (
        f"\r\nWARC-Profile: http://netpreserve.org/warc/1.1/revisit/{profile}"
        f"\r\nWARC-Refers-To-Target-URI: {target_uri(original.url)}"
        f"\r\nWARC-Refers-To-Date: {_date(original.when)}"
    )


def payload_of(fetched: Fetched) -> bytes:
    """The body as a record holds it: as it was transferred, if WARC tools can read that."""
    return fetched.wire if _as_transferred(fetched) else fetched.body


def _as_transferred(fetched: Fetched) -> bool:
    return _coding(fetched) in _READABLE and bool(fetched.wire)


def _coding(fetched: Fetched) -> str:
    return fetched.header("content-encoding").strip().lower()


def new_id() -> str:
    """A unique record ID: a random UUID of version 4, whose class would take most of the time."""
    digits = os.urandom(16).hex()
    variant = "89ab"[int(digits[16], 16) % 4]
    return f"<urn:uuid:{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:]}>"


def target_uri(url: str) -> str:
    """The URL in printable ASCII, so that it cannot end its header line."""
    return url if _is_plain(url) else quote(url, safe="!#$%&'()*+,/:;=?@[]~", errors="replace")


def _record(kind: str, id: str, date: str, fields: str, block: bytes) -> bytes:
    """A record that is not compressed yet."""
    head = (
        f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: {id}\r\nWARC-Date: {date}\r\n{fields}\r\n"
        f"WARC-Block-Digest: {digest(block)}\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return b"".join((head.encode(), block, b"\r\n\r\n"))


def _date(when: float) -> str:
    return datetime.fromtimestamp(when, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def digest(content: bytes) -> str:
    """SHA-1 in base 32, as all WARC tools write it."""
    number = int.from_bytes(hashlib.sha1(content, usedforsecurity=False).digest())
    return "sha1:" + "".join([_PAIRS[number >> shift & 1023] for shift in _SHIFTS])


def _request_head(fetched: Fetched) -> bytes:
    start = fetched.url.index("//") + 2
    host, slash, path = fetched.url[start:].partition("/")
    headers = [field for field in fetched.request_headers if field[0].lower() not in _SECRET]
    if all(name.lower() != "host" for name, _ in headers):
        headers.insert(0, ("Host", host))
    return _http_head(f"GET {target_uri(slash + path) or '/'} HTTP/{fetched.http_version}", headers)


def _response_head(fetched: Fetched, length: int, as_transferred: bool) -> bytes:
    """Status line and headers, made to fit the body as it is stored."""
    headers = []
    for name, value in fetched.headers:
        if name.lower() == "content-encoding" and not as_transferred:
            name = f"X-Archive-Orig-{name}"
        if name.lower() not in _OF_THE_CONNECTION:
            headers.append((name, value))
    headers.append(("Content-Length", str(length)))
    return _http_head(f"HTTP/{fetched.http_version} {fetched.status} {fetched.status_text}", headers)


def _http_head(first: str, headers: Fields) -> bytes:
    lines = [_one_line(first), *(f"{_one_line(name)}: {_one_line(value)}" for name, value in headers)]
    return _as_sent("\r\n".join(lines) + "\r\n\r\n")


def _as_sent(text: str) -> bytes:
    """The bytes that a text stands for; a surrogate that never was a byte becomes a question mark."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def _one_line(text: str) -> str:
    return (text if text.isprintable() else text.translate(_CONTROLS)).strip()


@lru_cache(1000)
def _address(address: str) -> str:
    try:
        return str(ipaddress.ip_address(address))
    except ValueError:
        return ""
