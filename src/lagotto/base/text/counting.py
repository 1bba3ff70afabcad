"""Term counts of a page that are kept with it, so that judging it again need not read its text again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import xxhash
from msgspec import Struct

RULES = 1
"""Raised whenever the terms of the same text change."""


class CountedTerms(Struct, frozen=True, array_like=True):
    """Terms of a page's title, and occurrences of each term over title and text."""

    titled: Sequence[str]
    counts: dict[str, int]


def counting(language: str, phrases: Sequence[str]) -> int:
    """Checksum of what decides about a page's terms beside the page: usual language, phrases, rules.

    >>> counting("en", ["heat pump", "solar"]) == counting("en", ["solar", "heat pump"]) != counting("de", [])
    True
    """
    return _checksum(language, tuple(phrases))


@lru_cache(maxsize=64)
def _checksum(language: str, phrases: tuple[str, ...]) -> int:
    parts = [str(RULES), language, *sorted(set(phrases))]
    return xxhash.xxh32_intdigest("\0".join(parts).encode("utf-8", "replace"))
