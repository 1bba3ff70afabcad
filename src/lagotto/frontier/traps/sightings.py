"""What the rules are told of a fetched page, and what they answer."""

from __future__ import annotations

from collections import OrderedDict
from typing import TypeVar

from msgspec import Struct

from lagotto.reasons import Refused

NEARLY_SAME = 6
"""Bits of 64 by which the simhashes of two copies of a page differ at most, if a few words changed."""
REMEMBERED = 200_000
"""Pages that a rule remembers; the ones counted longest ago are forgotten first."""
_BITS = (1 << 64) - 1

_K = TypeVar("_K")
_V = TypeVar("_V")


class Sighting(Struct, frozen=True):
    """A page that came with status 200."""

    url: str
    fingerprint: int = 0
    """0 if its content must not be kept."""
    simhash: int = 0
    """0 if it has no words."""
    parent: str = ""
    """URL of the page that linked to it; empty for a seed."""


class Trapped(Struct, frozen=True):
    """Why a link is refused, and a sentence that says what was observed."""

    reason: Refused
    why: str

    def __str__(self) -> str:
        return f"{self.reason}: {self.why}"


class Content(Struct, frozen=True):
    """What stands for the content of a page."""

    fingerprint: int
    simhash: int

    def same_as(self, other: Content) -> bool:
        """Whether both are the same page, or nearly."""
        if self.fingerprint == other.fingerprint:
            return True
        return bool(self.simhash and other.simhash) and distance(self.simhash, other.simhash) <= NEARLY_SAME


def distance(one: int, other: int) -> int:
    """Bits by which two simhashes differ."""
    return ((one ^ other) & _BITS).bit_count()


def remember(known: OrderedDict[_K, _V], key: _K, value: _V, most: int = REMEMBERED) -> None:
    """Set a value, and forget what was set longest ago when there are too many."""
    known[key] = value
    known.move_to_end(key)
    if len(known) > most:
        known.popitem(last=False)
