"""What a page brings that was not seen before: text, and links of its own section."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import numpy as np
from msgspec import Struct

LONGEST = 1500
"""Words of a page that are looked at."""
LONGEST_WORD = 30
"""Characters a word, in the mean, above which a text is taken character by character."""
LEAST_WORDS = 8
"""A page of fewer words says too little about what is new on it."""
SLOTS = 1 << 21
"""Runs of words, and links, that are remembered; newer ones take the places of older ones."""
_FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64)


class Seen:
    """Remembers hashes in bounded memory; one in 65,000 is taken for a known one wrongly."""

    def __init__(self, slots: int = SLOTS) -> None:
        self._tags = np.zeros(slots, np.uint16)
        self._shift = np.uint64(64 - (slots.bit_length() - 1))

    def add(self, hashes: np.ndarray) -> np.ndarray:
        """Which of the hashes are new; they are remembered."""
        at = (hashes >> self._shift).astype(np.int64)
        tags = (hashes & np.uint64(0xFFFF)).astype(np.uint16) | np.uint16(1)
        new = np.asarray(self._tags[at] != tags)
        self._tags[at] = tags
        return new


class Brought(Struct, frozen=True):
    """What was new on a page."""

    text: float
    """Share of its runs of three words that no page had before."""
    repeated: bool
    """Whether another page had just its content."""
    in_section: float
    """Share of its links to its own section that no page had before; 0 if it has none."""
    on_host: float
    """The same of its links to its own host."""


class Novelty:
    """Compares pages with all those before."""

    def __init__(self) -> None:
        self._runs = Seen()
        self._links = Seen()
        self._contents = Seen()

    def look(
        self, text: str, section: Sequence[int], elsewhere: Sequence[int], fingerprint: int = 0
    ) -> Brought | None:
        """What a page brings; None if its text is short.

        Links are checksums of targets in the page's section, and elsewhere on its host.
        """
        ids = np.array([*section, *elsewhere], np.int64).view(np.uint64) * _FACTORS[0]
        fresh = self._links.add(ids)
        content = np.array([fingerprint], np.int64).view(np.uint64) * _FACTORS[0]
        repeated = bool(fingerprint) and not self._contents.add(content)[0]
        runs = runs_of(text)
        if runs is None:
            return None
        return Brought(
            text=_share(self._runs.add(runs)),
            repeated=bool(repeated),
            in_section=_share(fresh[: len(section)]),
            on_host=_share(fresh),
        )


def _share(there: np.ndarray) -> float:
    return float(there.mean()) if len(there) else 0.0


def runs_of(text: str) -> np.ndarray | None:
    """Hashes of the distinct runs of three words; None of a short text."""
    words: Sequence[str] = text.lower().split(None, LONGEST)[:LONGEST]
    if len(text) > LONGEST_WORD * max(1, len(words)):
        words = text[:LONGEST]  # A script without spaces.
    if len(words) < LEAST_WORDS:
        return None
    found = np.array([crc32(word.encode("utf-8", "replace")) for word in words], np.uint64)
    mixed = found[:-2] * _FACTORS[0] + found[1:-1] * _FACTORS[1] + found[2:] * _FACTORS[2]
    mixed ^= mixed >> np.uint64(29)
    return np.unique(mixed * _FACTORS[0])
