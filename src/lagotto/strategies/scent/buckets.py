"""Terms as numbers: every term falls into one of 2^20 buckets, so that learned weights have a fixed size."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain, compress

import numpy as np
import xxhash

from lagotto.topic import load_background

BITS = 20
BUCKETS = 1 << BITS
RARE = 2e-4
"""Share of pages that have a term of which nothing is known."""

Array = np.ndarray


_BASE = np.uint32(0x9E3779B1)
_INVERSE = np.uint32(pow(int(_BASE), -1, 1 << 32))
_MIX = np.uint32(0xC2B2AE35)
_HALF = np.uint32(16)
_SHIFT = np.uint32(32 - BITS)


class _Powers:
    """Powers of a base modulo 2^32, as many as were ever asked for."""

    def __init__(self, base: np.uint32) -> None:
        self._base = base
        self._table = np.ones(1, np.uint32)

    def upto(self, n: int) -> Array:
        """The first n powers."""
        if n > len(self._table):
            table = np.full(max(n, 2 * len(self._table)), self._base)
            table[0] = 1
            self._table = np.cumprod(table, dtype=np.uint32)
        return self._table[:n]


_powers, _inverses = _Powers(_BASE), _Powers(_INVERSE)


def buckets(terms: Iterable[str]) -> Array:
    """Buckets of terms, in their order; no term has a line feed in it.

    All of them are hashed at once, which is faster than to look each up in a table: that of a term at i is
    Σ byte(i + k)·base^(i + k) times base^-i, modulo 2^32. What is mixed in the end keeps terms that differ
    by a number, such as years, from falling into fewer buckets than chance would give them.
    """
    text = "\n".join(terms)
    if not text:
        return np.zeros(0, np.int32)
    line = np.frombuffer(f"{text}\n".encode("utf-8", "surrogatepass"), np.uint8)
    starts = (line == ord("\n")).nonzero()[0]
    starts[1:] = starts[:-1] + 1
    starts[0] = 0
    hashes = np.add.reduceat(_powers.upto(len(line)) * line, starts, dtype=np.uint32)
    hashes *= _inverses.upto(len(line)).take(starts)
    hashes ^= hashes >> _HALF
    return np.asarray((hashes * _MIX >> _SHIFT).view(np.int32))


def key(text: str) -> int:
    """Signed 64-bit number of a text such as a host or a DOM path."""
    return xxhash.xxh3_64_intdigest(text.encode("utf-8", "surrogatepass")) - (1 << 63)


@cache
def background_shares(language: str) -> Array:
    """Share of general pages that have a term of each bucket; read-only."""
    table = load_background(language)
    shares = np.full(BUCKETS, RARE, np.float32)
    if table.documents:
        counts = np.fromiter(table.frequencies.values(), np.float32)
        np.add.at(shares, buckets(table.frequencies), counts / table.documents)
    shares.setflags(write=False)
    return shares


def heaviest(
    counts: Mapping[str, int], titled: Iterable[str], rarity: Array, most: int
) -> tuple[Array, Array]:
    """The page's terms that weigh most, as buckets and 1 + ln tf (+ 2 in the title), in order of bucket.

    `rarity` is the background's -log share; what the crawl itself says of a term comes later.
    """
    terms: Iterable[str] = counts
    occurrences = np.fromiter(counts.values(), np.float32, len(counts))
    if len(counts) > 2 * most:
        # Of a long page, what stands there once is mostly names and chance: not worth a look.
        often = occurrences > 1
        terms, occurrences = compress(counts, often.tolist()), occurrences[often]
    met = buckets(chain(terms, set(titled)))
    found, in_title = met[: len(occurrences)], met[len(occurrences) :]
    weights = 1.0 + np.log(occurrences)
    for bucket in in_title.tolist():
        weights[found == bucket] += 2.0
    if len(found) > most:
        kept = (-weights * rarity.take(found)).argpartition(most)[:most]
        found, weights = found[kept], weights[kept]
    order = found.argsort(kind="stable")
    found, weights = found[order], weights[order]
    again = (found[1:] == found[:-1]).nonzero()[0] + 1
    return (np.delete(found, again), np.delete(weights, again)) if len(again) else (found, weights)
