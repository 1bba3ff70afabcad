"""Terms as numbers: every term falls into one of 2^18 buckets, so that learned weights have a fixed size."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

import numpy as np
import xxhash

from lagotto.topic import load_background

BITS = 18
BUCKETS = 1 << BITS
MEMO_SIZE = 200_000
"""Terms whose buckets are remembered."""
RARE = 2e-4
"""Share of pages that have a term of which nothing is known."""

Array = np.ndarray


class _BucketOf(dict[str, int]):
    """Term -> bucket, filled as terms come."""

    def __missing__(self, term: str) -> int:
        if len(self) >= MEMO_SIZE:
            self.clear()
        self[term] = bucket = xxhash.xxh3_64_intdigest(term.encode("utf-8", "surrogatepass")) & (BUCKETS - 1)
        return bucket


_bucket_of = _BucketOf()
bucket = _bucket_of.__getitem__
"""Bucket of a term."""


def buckets(terms: Iterable[str]) -> Array:
    """Buckets of terms, in their order."""
    return np.fromiter(map(bucket, terms), np.int32)


def key(text: str) -> int:
    """Signed 64-bit number of a text such as a host or a DOM path."""
    return xxhash.xxh3_64_intdigest(text.encode("utf-8", "surrogatepass")) - (1 << 63)


@cache
def background_shares(language: str) -> Array:
    """Share of general pages that have a term of each bucket; read-only."""
    table = load_background(language)
    shares = np.full(BUCKETS, RARE)
    if table.documents:
        counts = np.fromiter(table.frequencies.values(), np.float64)
        np.add.at(shares, buckets(table.frequencies), counts / table.documents)
    shares.setflags(write=False)
    return shares


def heaviest(
    counts: Mapping[str, int], titled: Iterable[str], rarity: Array, most: int
) -> tuple[Array, Array]:
    """The page's terms that weigh most, as buckets and 1 + ln tf (+ 2 in the title), in order of bucket.

    `rarity` is the background's -log share; what the crawl itself says of a term comes later.
    """
    if len(counts) > 2 * most:
        # Of a long page, what stands there once is mostly names and chance: not worth a look.
        counts = {term: occurrences for term, occurrences in counts.items() if occurrences > 1}
    found = buckets(counts)
    weights = 1.0 + np.log(np.fromiter(counts.values(), np.float64, len(counts)))
    for term in set(titled):
        if term in counts:
            weights[found == bucket(term)] += 2.0
    if len(found) > most:
        kept = np.argpartition(-weights * rarity[found], most)[:most]
        found, weights = found[kept], weights[kept]
    found, first = np.unique(found, return_index=True)
    return found, weights[first].astype(np.float32)
