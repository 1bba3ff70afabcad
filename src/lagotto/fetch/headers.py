"""Reads the response headers that matter to a crawler: Location, Retry-After and X-Robots-Tag."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC
from email.utils import parsedate_to_datetime

from lagotto.base.urls import canonical

MAX_RETRY_AFTER = 86_400.0
# X-Robots-Tag rules that carry a value, so that their name is not taken for a crawler's.
_RULES_WITH_VALUE = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})


def retry_after(value: str, now: float) -> float:
    """Seconds that Retry-After asks us to wait, at most a day; 0 when it makes no sense.

    >>> retry_after("120", now=0), retry_after("Thu, 01 Jan 1970 00:01:00 GMT", now=20)
    (120.0, 40.0)
    """
    text = value.strip()
    if text.isascii() and text.isdigit():
        return MAX_RETRY_AFTER if len(text) > 9 else min(float(text), MAX_RETRY_AFTER)
    try:
        when = parsedate_to_datetime(text)
        seconds = (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp() - now
    except (ValueError, TypeError, IndexError, OverflowError):
        return 0.0
    return min(max(seconds, 0.0), MAX_RETRY_AFTER)


def robots_tag(values: Sequence[str], product: str) -> set[str]:
    """What X-Robots-Tag headers say to everyone or to `product`.

    >>> robots_tag(["otherbot: noindex", "lagotto: nofollow"], "lagotto")
    {'nofollow'}
    """
    rules: set[str] = set()
    for value in values:
        ours = True
        for part in value.lower().split(","):
            name, colon, rule = part.partition(":")
            if colon and name.strip() not in _RULES_WITH_VALUE:
                ours = name.strip() in ("*", product.lower())
                part = rule
            if ours:
                rules.add(part.strip())
    return rules


def location(value: str, base: str) -> str:
    """Absolute, canonical target of a Location header, empty when there is none we can go to."""
    target = value.strip()
    if not target:
        return ""
    # Bytes that are not UTF-8 arrive as lone surrogates; in a URL they are escapes.
    if not target.isascii():
        target = "".join(f"%{ord(c) - 0xDC00:02X}" if "\udc80" <= c <= "\udcff" else c for c in target)
    return canonical(target, base) or ""


class HeadCheck:
    """Reads the bytes of one answer, interim answers included, up to the end of its head.

    >>> HeadCheck().read(b"HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n")
    ''
    >>> HeadCheck().read(b"HTTP/1.1 200 OK\\r\\n X-Key: a\\r\\n\\r\\n")
    'white space before the first header'
    """

    def __init__(self) -> None:
        self.done = False
        self._head = b""

    def read(self, chunk: bytes) -> str:
        """Take in more bytes; returns what is wrong with the head, an empty string if nothing is."""
        head = self._head + chunk if self._head else chunk
        while (end := _end_of(head)) >= 0:
            fault = _fault_in(head[:end])
            # After an interim answer, such as 103 Early Hints, another head follows.
            if fault or head[:end].lstrip()[9:10] != b"1":
                self.done, self._head = True, b""
                return fault
            head = head[end:]
        self._head = head
        return ""


def _end_of(head: bytes) -> int:
    """Index after the empty line that ends the head, -1 if it has not come yet."""
    end = head.find(b"\r\n\r\n")
    # A server may end lines with LF alone.
    bare = head.find(b"\n\n", 0, end if end >= 0 else len(head))
    if bare >= 0:
        return bare + 2
    return end + 4 if end >= 0 else -1


def _fault_in(head: bytes) -> str:
    if b"\0" in head:
        return "NUL in the headers"
    feeds, returns = head.count(b"\n"), head.count(b"\r")
    if returns and not (feeds == returns == head.count(b"\r\n")):
        return "line ends are mixed"
    first_header = head.find(b"\n", len(head) - len(head.lstrip())) + 1
    if head[first_header : first_header + 1] in (b" ", b"\t"):
        return "white space before the first header"
    return ""
