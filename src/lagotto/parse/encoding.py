"""Bytes to text: by byte order mark, HTTP header, `meta`, and the characters themselves, in that order.

A byte order mark beats the header, as in browsers: servers announce one charset for all their files,
the mark was written by whoever wrote the file.
"""

from __future__ import annotations

import codecs
import re

from msgspec import Struct

from lagotto.parse.engine import decode_as, encoding_name, sniff_encoding

_MARKS = {b"\xef\xbb\xbf": "UTF-8", b"\xff\xfe": "UTF-16LE", b"\xfe\xff": "UTF-16BE"}
# What a page in UTF-16 begins with when it has no mark.
_UNMARKED = {b"<\0": "UTF-16LE", b"\0<": "UTF-16BE"}
_charset = re.compile(r"""charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))""", re.IGNORECASE).search


class Decoded(Struct):
    """The text of a body and how it was read."""

    text: str
    encoding: str
    """WHATWG name, such as `UTF-8` or `windows-1252`."""
    certain: bool
    """Whether mark or header decided; else a late `meta` may still correct it."""


def decode(body: bytes, content_type: str = "") -> Decoded:
    """Text of a body that came with this Content-Type header; never raises.

    >>> decode(b"caf\\xe9", "text/html; charset=latin1")
    Decoded(text='café', encoding='windows-1252', certain=True)
    """
    for mark, name in _MARKS.items():
        if body.startswith(mark):
            return Decoded(decode_as(body[len(mark) :], name), name, True)
    named = encoding_name(charset_of(content_type))
    if named:
        return Decoded(decode_as(body, named), named, True)
    name = _UNMARKED.get(body[:2]) or sniff_encoding(body)
    return Decoded(decode_as(body, name), name, False)


def decode_again(body: bytes, label: str, before: Decoded) -> Decoded | None:
    """The text by what the page's own `meta` says, or None if that changes nothing.

    >>> decode_again(b"caf\\xe9", "koi8-r", decode(b"caf\\xe9")).text
    'cafИ'
    """
    name = encoding_name(label)
    # A `meta` that can be read as ASCII is not written in UTF-16.
    name = "UTF-8" if name.startswith("UTF-16") else name
    if before.certain or not name or name == before.encoding:
        return None
    return Decoded(decode_as(body, name), name, True)


def charset_of(content_type: str) -> str:
    """The charset parameter of a Content-Type, as header or in `meta`; empty if it has none.

    >>> charset_of('text/html; charset="UTF-8"')
    'UTF-8'
    """
    match = _charset(content_type)
    return next(filter(None, match.groups()), "").strip() if match else ""


# Python's names of encodings, or the nearest it has, where it does not know the WHATWG one.
_PYTHON_CODECS = {
    "Big5": "big5hkscs",
    "EUC-KR": "cp949",
    "ISO-8859-8-I": "iso-8859-8",
    "Shift_JIS": "cp932",
    "windows-874": "cp874",
    "x-mac-cyrillic": "mac-cyrillic",
}


def encode_query(reference: str, encoding: str) -> str:
    """A URL reference with its query escaped in the page's encoding, as forms and links are sent.

    Only the query depends on the encoding; all else in a URL is UTF-8.

    >>> encode_query("/search?q=caf\u00e9", "windows-1252")
    '/search?q=caf%E9'
    """
    path, mark, query = reference.partition("?")
    if not mark or query.isascii() or encoding.startswith("UTF"):
        return reference
    try:
        codec = codecs.lookup(_PYTHON_CODECS.get(encoding, encoding)).name
    except LookupError:
        return reference
    escaped = query.encode(codec, "lagotto-query")
    return f"{path}?" + "".join(chr(byte) if byte < 128 else f"%{byte:02X}" for byte in escaped)


def _as_reference(error: UnicodeError) -> tuple[str, int]:
    """A character that the encoding lacks goes out as an escaped character reference."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(f"%26%23{ord(character)}%3B" for character in lacking), error.end


codecs.register_error("lagotto-query", _as_reference)
