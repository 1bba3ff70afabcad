"""Evidence that a difference between URLs makes no difference to the page."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from msgspec import Struct

from lagotto.base.reasons import Refused
from lagotto.base.records import NewLink

ENOUGH = 5
"""Different pages that must have come twice."""
MOST_EXCEPTIONS = 0.1
"""Share of the pairs that may have given different pages."""
_KEPT = 64
_BITS = (1 << 64) - 1


class Comparison:
    """Pairs of URLs that differ in one thing: convincing once 5 different pages came twice.

    At most one in ten of the pairs may have given different pages. Pairs that gave one and the same
    page, such as an error page, count once.
    """

    def __init__(self) -> None:
        self.differed = 0
        self._pages: set[int] = set()
        self._agreed = 0

    def agree(self, fingerprint: int) -> None:
        """Two URLs gave this page."""
        if fingerprint in self._pages:
            return
        self._agreed += 1
        if len(self._pages) < _KEPT:
            self._pages.add(fingerprint)

    def differ(self) -> None:
        """Two URLs gave different pages."""
        self.differed += 1

    @property
    def convincing(self) -> bool:
        """Whether the difference between the URLs may be ignored."""
        return self._agreed >= ENOUGH and self.differed <= MOST_EXCEPTIONS * (self._agreed + self.differed)


class Look:
    """Centre of the simhashes that were added."""

    def __init__(self) -> None:
        self.pages = 0
        self._ones = np.zeros(64, np.int32)
        self._centre = 0

    def add(self, simhash: int) -> None:
        """Take one more page into the centre."""
        self.pages += 1
        bits = (simhash & _BITS).to_bytes(8, "little")
        self._ones += np.unpackbits(np.frombuffer(bits, np.uint8))
        centre = np.packbits(self._ones > self.pages // 2)
        self._centre = int.from_bytes(centre.tobytes(), "little", signed=True)

    def distance(self, simhash: int) -> int:
        """Bits by which a simhash differs from the centre."""
        return distance(self._centre, simhash)


NEARLY_SAME = 6
"""Bits of 64 by which the simhashes of two copies of a page differ at most, if a few words changed."""
REMEMBERED = 200_000
"""Pages that a rule remembers; the ones counted longest ago are forgotten first."""
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
    text: str = ""
    """Empty where only its fingerprints are known, as in a crawl that is resumed."""
    links: Sequence[NewLink] = ()
    """Its links that entered the frontier, or were known there."""


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
