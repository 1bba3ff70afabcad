"""Records about one link, passed between the parts of the store."""

from __future__ import annotations

from array import array
from typing import NamedTuple

from msgspec import Struct

from lagotto.records import Lease

QUEUED, HELD, ASIDE = range(3)
"""What `urls.held` may be, while the link is not concluded."""
STEERED = f"page IS NULL AND depth > 0 AND held != {HELD}"
"""Links that a user's patterns may set aside, or have set aside: neither seeds nor links of shelved pages."""


class Known(NamedTuple):
    """The columns of a known link that are read before it is changed."""

    seq: int
    url: str
    host: int
    page: int | None
    held: int
    score: float
    depth: int
    hops: int


class Parent(NamedTuple):
    """The page that a link was found on; `seq` is None if it is no URL of this crawl."""

    seq: int | None
    url: str


class Claim(Struct, array_like=True):
    """What a page says about a link that is already known."""

    seq: int
    score: float
    parts: list[float]
    depth: int
    hops: int
    anchor: str


class Discovered(NamedTuple):
    """What the discovery of links changed."""

    leases: list[Lease]
    """New or raised, and free to be leased."""
    new: int


def pack(parts: list[float]) -> bytes | None:
    """Parts of a score as they are stored."""
    return array("f", parts).tobytes() if parts else None


def unpack(packed: bytes | None) -> list[float]:
    """Parts of a score as they were stored, each rounded to 32 bits."""
    return array("f", packed).tolist() if packed else []
