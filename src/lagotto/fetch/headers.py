"""Reads the response headers that matter to a crawler: Location, Retry-After and X-Robots-Tag."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC
from email.utils import parsedate_to_datetime

from lagotto.urls import canonical

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
