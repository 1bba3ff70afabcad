"""WARC/1.1 records as bytes: request, response and warcinfo, one gzip member each."""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import re
import uuid
from collections.abc import Iterable
from datetime import UTC, datetime
from urllib.parse import quote

from isal import igzip

from lagotto.records import Fetched

_LEVEL = 2
_SECRET = frozenset({"authorization", "cookie", "proxy-authorization"})
"""Request headers that are left out, as WARC files are passed on to others."""
_OF_THE_CONNECTION = frozenset({"content-length", "trailer", "transfer-encoding"})
"""Response headers that do not fit the body as it is stored."""
_READABLE = frozenset({"", "deflate", "gzip", "identity", "x-gzip"})
"""Content codings that WARC tools read; `warcio check` fails on others."""
_CONTROLS = dict.fromkeys((*range(9), *range(10, 32), 127), " ")

_is_plain = re.compile(r"[!-~]*").fullmatch

Fields = list[tuple[str, str]]


def warcinfo(id: str, filename: str, info: Iterable[tuple[str, str]]) -> bytes:
    """The first record of a file: which program wrote it, with which settings."""
    block = "".join(f"{_one_line(name)}: {_one_line(value)}\r\n" for name, value in info).encode()
    fields = [("WARC-Filename", filename), ("Content-Type", "application/warc-fields")]
    return _record("warcinfo", id, datetime.now(UTC).timestamp(), fields, block)


def exchange(fetched: Fetched, warcinfo_id: str) -> tuple[bytes, bytes]:
    """The request record and the response record of one answer."""
    request_id, response_id = new_id(), new_id()
    shared = [("WARC-Target-URI", target_uri(fetched.url)), ("WARC-Warcinfo-ID", warcinfo_id)]
    if address := _address(fetched.address):
        shared.append(("WARC-IP-Address", address))
    request = [*shared, ("WARC-Concurrent-To", response_id)]
    request.append(("Content-Type", "application/http; msgtype=request"))
    as_transferred = fetched.header("content-encoding").strip().lower() in _READABLE and bool(fetched.wire)
    payload = fetched.wire if as_transferred else fetched.body
    head = _response_head(fetched, len(payload), as_transferred)
    response = [*shared, ("WARC-Concurrent-To", request_id), ("WARC-Payload-Digest", digest(payload))]
    if fetched.truncated:
        response.append(("WARC-Truncated", "length"))
    response.append(("Content-Type", "application/http; msgtype=response"))
    when = fetched.fetched_at
    return (
        _record("request", request_id, when, request, _request_head(fetched)),
        _record("response", response_id, when, response, head + payload),
    )


def new_id() -> str:
    """A unique record ID."""
    return f"<urn:uuid:{uuid.uuid4()}>"


def target_uri(url: str) -> str:
    """The URL in printable ASCII, so that it cannot end its header line."""
    return url if _is_plain(url) else quote(url, safe="!#$%&'()*+,/:;=?@[]~", errors="replace")


def _record(kind: str, id: str, when: float, fields: Fields, block: bytes) -> bytes:
    date = datetime.fromtimestamp(when, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    head = [("WARC-Type", kind), ("WARC-Record-ID", id), ("WARC-Date", date), *fields]
    head += [("WARC-Block-Digest", digest(block)), ("Content-Length", str(len(block)))]
    lines = "".join(f"{name}: {value}\r\n" for name, value in head)
    return igzip.compress(f"WARC/1.1\r\n{lines}\r\n".encode() + block + b"\r\n\r\n", _LEVEL, mtime=0)


def digest(content: bytes) -> str:
    """SHA-1 in base 32, as all WARC tools write it."""
    return "sha1:" + base64.b32encode(hashlib.sha1(content, usedforsecurity=False).digest()).decode()


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


def _address(address: str) -> str:
    try:
        return str(ipaddress.ip_address(address))
    except ValueError:
        return ""
