"""Terms hashed into 2^20 buckets, so that learned weights have a fixed size."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from lagotto.base.hashing import END, hash_terms, hash_texts

BITS = 20
BUCKETS = 1 << BITS
FIRST = 64
"""Heaviest terms of a page, which its word vector is made of."""
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


class ByTerm(Protocol):
    """Values of terms: an array with one for each bucket, or a table."""

    def take(self, buckets: Array, /) -> Array:
        """Values of these terms."""

    def __getitem__(self, buckets: Array, /) -> Array: ...


def heaviest(
    counts: Mapping[str, int], titled: Sequence[str], rarity: ByTerm, most: int, hashes: bytes = b""
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
