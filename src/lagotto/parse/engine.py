"""The HTML engine: the only module that knows turbohtml, so that another can take its place."""

from __future__ import annotations

from functools import lru_cache

from turbohtml import Document, Element, Node, Text, parse
from turbohtml.detect import detect, detect_language

__all__ = [
    "Document",
    "Element",
    "Node",
    "Text",
    "decode_as",
    "encoding_name",
    "parse_tree",
    "sniff_encoding",
]


def parse_tree(html: str) -> Document:
    """The tree that a browser would build, scripts not run; iterative, so that depth is no danger."""
    return parse(html, positions=False, allow_declarative_shadow_roots=False)


@lru_cache(maxsize=256)
def encoding_name(label: str) -> str:
    """WHATWG name of an encoding label (`latin1` -> `windows-1252`), empty if there is no such label."""
    try:
        return parse(b"", encoding=label.strip()).encoding or ""
    except LookupError:
        return ""


def sniff_encoding(body: bytes) -> str:
    """Name of the encoding by BOM, then `meta` in the first 1024 bytes, then the characters themselves."""
    return (detect(body).encoding or "windows-1252").removesuffix("-SIG")


def decode_as(body: bytes, name: str) -> str:
    """Decode as browsers do, malformed bytes replaced."""
    return body.decode("utf-8" if name == "UTF-8" else f"whatwg-{name.lower()}", "replace")


def classify_language(text: str) -> str:
    """ISO 639-3 code of the language by script and letter triples, empty if the script is unknown."""
    return detect_language(text).language or ""
