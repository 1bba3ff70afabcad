"""What a body really is: its declared type, corrected by its first bytes.

Follows the WHATWG MIME sniffing standard where a crawler has the same interests as a browser, and
departs from it where it has not: mislabelled HTML is found under any label, because to a crawler
it is a page, and a picture that calls itself HTML is not parsed.
"""

from __future__ import annotations

import re

SNIFF_LENGTH = 1445
"""Bytes that sniffing looks at."""

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_UNLABELLED = frozenset({"", "*/*", "unknown/unknown", "application/unknown"})
_BINARY = bytes(byte for byte in range(0x20) if byte not in b"\t\n\x0c\r\x1b")
_BOMS = ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))

_SIGNATURES = (
    (b"%PDF-", "application/pdf"),
    (b"%!PS-Adobe-", "application/postscript"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"\x00\x00\x01\x00", "image/x-icon"),
    (b"\x00\x00\x02\x00", "image/x-icon"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b\x08", "application/x-gzip"),
    (b"BZh", "application/x-bzip2"),
    (b"\xfd7zXZ\x00", "application/x-xz"),
    (b"\x28\xb5\x2f\xfd", "application/zstd"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", "application/x-rar-compressed"),
    (b"OggS\x00", "application/ogg"),
    (b"ID3\x02", "audio/mpeg"),
    (b"ID3\x03", "audio/mpeg"),
    (b"ID3\x04", "audio/mpeg"),
    (b"fLaC\x00", "audio/flac"),
    (b"MThd\x00", "audio/midi"),
    (b"\x1aE\xdf\xa3", "video/webm"),
    (b"FLV\x01", "video/x-flv"),
    (b"\x00asm", "application/wasm"),
    (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"),
    (b"\x00\x01\x00\x00", "font/ttf"),
    (b"OTTO\x00", "font/otf"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (b"\x7fELF", "application/x-executable"),
)
_PREFIXES = tuple(prefix for prefix, _ in _SIGNATURES)
_RIFF = {b"WEBP": "image/webp", b"AVI ": "video/avi", b"WAVE": "audio/wave"}
# Signs that leave no doubt, and those that count only where no type was declared.
_HTML_CERTAIN = (b"<!doctype html", b"<html", b"<head", b"<body", b"<title")
_HTML_LIKELY = tuple(
    b"<" + tag for tag in b"script iframe h1 div font table a style b br p meta link form ul center".split()
)
_XML_ROOTS = (
    (b"<rss", "application/rss+xml"),
    (b"<feed", "application/atom+xml"),
    (b"<rdf:rdf", "application/rdf+xml"),
)


def sniff(declared: str, head: bytes) -> str:
    """The type of a body that is declared as `declared` and begins with `head`.

    >>> sniff("image/png", b"<!DOCTYPE html><title>Truffles</title>")
    'text/html'
    >>> sniff("text/html", b"\\x89PNG\\r\\n\\x1a\\n")
    'image/png'
    """
    kind = essence(declared)
    head = head[:SNIFF_LENGTH]
    binary = _signature(head)
    if binary:
        return binary
    if kind in ("text/html", "application/xhtml+xml"):
        return kind
    opening = _opening(head)
    if _starts_with_tag(opening, _HTML_CERTAIN):
        return "application/xhtml+xml" if _is_xml(kind) else "text/html"
    if kind in _UNLABELLED:
        return _unlabelled(head, opening)
    if kind == "text/plain" and _has_binary(head):
        return "application/octet-stream"
    return kind


def essence(content_type: str) -> str:
    """`type/subtype` of a Content-Type in lower case, empty when it has none.

    >>> essence(" Text/HTML ; charset=utf-8")
    'text/html'
    """
    main, _, sub = content_type.partition(";")[0].strip(" \t\r\n").partition("/")
    if _TOKEN.fullmatch(main) and _TOKEN.fullmatch(sub):
        return f"{main}/{sub}".lower()
    return ""


def _unlabelled(head: bytes, opening: bytes) -> str:
    if _starts_with_tag(opening, _HTML_LIKELY) or head.lstrip().startswith(b"<!--"):
        return "text/html"
    for root, kind in _XML_ROOTS:
        if _starts_with_tag(opening, (root,)):
            return kind
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<?xml"):
        return "text/xml"
    return "application/octet-stream" if _has_binary(head) else "text/plain"


def _signature(head: bytes) -> str:
    if head.startswith(_PREFIXES):
        return next(kind for prefix, kind in _SIGNATURES if head.startswith(prefix))
    if head[:4] == b"RIFF":
        return _RIFF.get(head[8:12], "")
    if head[4:8] == b"ftyp":
        return "video/mp4"
    if head[:2] == b"BM" and head[6:10] == b"\x00\x00\x00\x00":
        return "image/bmp"
    return ""


def _opening(head: bytes) -> bytes:
    """What the text begins with, in lower case, after byte order mark, blanks, prolog and comments."""
    for mark, encoding in _BOMS:
        if head.startswith(mark):
            head = head[2:].decode(encoding, "ignore").encode()
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    while True:
        for start, end in ((b"<?", b"?>"), (b"<!--", b"-->")):
            if text.startswith(start):
                text = text.partition(end)[2].lstrip()
                break
        else:
            return text


def _starts_with_tag(opening: bytes, tags: tuple[bytes, ...]) -> bool:
    return opening.startswith(tags) and any(
        opening.startswith(tag) and opening[len(tag) : len(tag) + 1] in b" \t\r\n\x0c/>" for tag in tags
    )


def _is_xml(kind: str) -> bool:
    return kind.endswith(("/xml", "+xml"))


def _has_binary(head: bytes) -> bool:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return False
    return len(head.translate(None, _BINARY)) != len(head)
