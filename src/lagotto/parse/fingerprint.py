"""Two 64-bit numbers that stand for a page's content: one for the same, one for nearly the same."""

from __future__ import annotations

import numpy as np
import xxhash

MIN_LENGTH = 60
"""A text of fewer characters says too little: two pages may share it and still be different."""


def fingerprint(title: str, text: str, body: bytes) -> int:
    """Signed 64-bit checksum of title and text, case aside; of the body where there is hardly any text."""
    content = f"{title}\n{text}".lower().encode("utf-8", "replace") if len(text) >= MIN_LENGTH else body
    return _signed(xxhash.xxh3_64_intdigest(content))


def simhash(terms: dict[str, int]) -> int:
    """Signed 64-bit simhash: pages with nearly the same terms differ in few bits.

    Bit i is set if terms whose hash has bit i outweigh those whose hash has not; a term found n times
    weighs 1 + ⌊log2 n⌋ (Charikar 2002; Manku, Jain, Das Sarma 2007). A page without terms has 0.
    """
    if not terms:
        return 0
    hashes = np.fromiter(map(xxhash.xxh3_64_intdigest, map(str.encode, terms)), np.uint64, len(terms))
    weights = np.fromiter(map(int.bit_length, terms.values()), np.float64, len(terms))
    bits = np.unpackbits(hashes.view(np.uint8).reshape(-1, 8), axis=1)
    return int(np.packbits(2.0 * (weights @ bits) > weights.sum()).view(np.int64)[0])


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value
