"""WARC files made by hand, record by record."""

from __future__ import annotations

import gzip


def answer(status: int, body: bytes = b"", *headers: str) -> bytes:
    head = "".join(f"{line}\r\n" for line in (f"HTTP/1.1 {status} Fine", *headers))
    return head.encode() + b"\r\n" + body


def record(url: str, block: bytes, kind: str = "response") -> bytes:
    head = (
        f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\n"
        "WARC-Date: 2024-05-01T10:00:00Z\r\n"
        "WARC-Record-ID: <urn:uuid:6f1f2a6c-5b1a-4c54-9d52-0a4b6d1c1e10>\r\n"
        f"Content-Type: application/http;msgtype={kind}\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def html(body: bytes, *headers: str) -> bytes:
    return answer(200, body, "Content-Type: text/html; charset=utf-8", *headers)


def packed(records: list[bytes]) -> bytes:
    """A .warc.gz: one gzip member a record."""
    return b"".join(map(gzip.compress, records))
