"""How sure a share is that was counted on few pages."""

from __future__ import annotations

from math import sqrt

from msgspec import Struct

NINETY_FIVE = 1.96


class Share(Struct, frozen=True):
    """A share and its interval."""

    share: float
    low: float
    high: float
    of: int


def wilson(hits: int, of: int) -> Share | None:
    """Share of hits with its 95 % interval (Wilson 1927); None of nothing.

    >>> share = wilson(9, 10)
    >>> round(share.low, 2), share.share, round(share.high, 2)
    (0.6, 0.9, 0.98)
    """
    if not of:
        return None
    share, z = hits / of, NINETY_FIVE
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return Share(share, max(0.0, middle - half), min(1.0, middle + half), of)
