"""Terms hashed into 2^20 buckets, so that learned weights have a fixed size."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from lagotto.base.hashing import END, hash_terms, hash_texts
from lagotto.focus.topic import load_background

BITS = 20
BUCKETS = 1 << BITS
FIRST = 64
"""Heaviest terms of a page, which its word vector is made of."""
RARE = 2e-4
"""Assumed document frequency of a term that the background does not have."""

Array = np.ndarray


_SHIFT = np.uint32(32 - BITS)
_END = np.frombuffer(END, "<u4")[0]


def buckets(terms: Iterable[str]) -> Array:
    """Buckets of terms, in their order."""
    return np.asarray((np.frombuffer(hash_terms(terms), "<u4") >> _SHIFT).view(np.int32))


class Texts(NamedTuple):
    """Texts end to end, as buckets of their terms; each is followed by BUCKETS as padding."""

    terms: Array
    starts: Array
    ends: Array


def texts_of(hashes: bytes) -> Texts:
    """Split the output of `hash_texts` into texts."""
    hashed = np.frombuffer(hashes, "<u4")
    ends = (hashed == _END).nonzero()[0]
    terms = (hashed >> _SHIFT).view(np.int32)
    terms[ends] = BUCKETS
    starts = np.zeros_like(ends)
    np.add(ends[:-1], 1, out=starts[1:])
    return Texts(terms, starts, ends)


@cache
def background_shares(language: str) -> Array:
    """Document frequency of each bucket's terms in general pages; read-only."""
    table = load_background(language)
    shares = np.full(BUCKETS, RARE, np.float32)
    if table.documents:
        counts = np.fromiter(table.frequencies.values(), np.float32)
        np.add.at(shares, buckets(table.frequencies), counts / table.documents)
    shares.setflags(write=False)
    return shares


def heaviest(
    counts: Mapping[str, int], titled: Sequence[str], rarity: Array, most: int, hashes: bytes = b""
) -> tuple[Array, Array]:
    """The `most` heaviest terms of a page, as buckets and weights 1 + ln tf (+ 2 in the title).

    The `FIRST` heaviest come last. `rarity` is the background's idf by bucket. `hashes` are those of counts
    and title if known; they are computed here if their number does not fit.
    """
    if len(hashes) != len(END) * (len(counts) + len(titled) + 2):
        hashes = hash_texts(counts, titled)
    terms = (np.frombuffer(hashes, "<u4") >> _SHIFT).view(np.int32)
    found, in_title = terms[: len(counts)], terms[len(counts) + 1 : -1]
    occurrences = np.fromiter(counts.values(), np.float32, len(counts))
    if len(counts) > 2 * most:
        # Terms that occur once in a long page are mostly names and noise.
        often = occurrences > 1
        found, occurrences = found[often], occurrences[often]
    weights = np.log(occurrences, out=occurrences)
    weights += 1.0
    if len(in_title):
        in_title = np.sort(in_title)  # As `np.isin` does, in a fifth of its time for so few.
        weights[in_title.take(in_title.searchsorted(found), mode="clip") == found] += 2.0
    if len(found) > min(most, FIRST):
        least, first = max(0, len(found) - most), max(0, len(found) - FIRST)
        kept = (weights * rarity.take(found)).argpartition((least, first))[least:]
        found, weights = found.take(kept), weights.take(kept)
    return found, weights


OWN_SHARE = 0.1
"""Weight of the crawl's own document frequencies beside the background's."""


class Frequencies:
    """The idf of every bucket; terms that a crawl's pages repeat everywhere lose weight as they are met."""

    def __init__(self, language: str) -> None:
        self._background = background_shares(language)
        self.rarity = _idf(self._background)
        """The idf by the background alone."""
        self.idf = self.rarity.copy()
        self.own = np.zeros(BUCKETS, np.float32)
        """Document frequency of each bucket in the crawl's own pages."""
        self.met = np.zeros(0, np.int32)
        """Buckets of the terms of those pages."""

    def set_own(self, met: np.ndarray, shares: np.ndarray) -> np.ndarray:
        """Set the document frequencies of these buckets in the crawl's pages.

        Returns the buckets that have none any more; their idf is that of the background again.
        """
        self.own[self.met] = 0.0
        self.own[met] = shares
        gone = np.asarray(self.met[self.own[self.met] == 0])
        self.idf[gone] = self.rarity[gone]
        self.idf[met] = _idf(self._background[met] + OWN_SHARE * self.own[met])
        self.met = met
        return gone


def _idf(shares: np.ndarray) -> np.ndarray:
    return np.asarray(np.maximum(-np.log(np.minimum(shares, 0.999)), 0.01))
