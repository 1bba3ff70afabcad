"""Two 64-bit numbers that stand for a page's content: one for the same, one for nearly the same."""

from __future__ import annotations

import numpy as np
import xxhash

MIN_LENGTH = 60
"""A text of fewer characters says too little: two pages may share it and still be different."""
MEMO_SIZE = 65_536


def fingerprint(title: str, text: str, body: bytes) -> int:
    """Signed 64-bit checksum of title and text, case aside; of the body where there is hardly any text."""
    content = f"{title}\n{text}".lower().encode("utf-8", "replace") if len(text) >= MIN_LENGTH else body
    return _signed(xxhash.xxh3_64_intdigest(content))


def simhash(terms: dict[str, int]) -> int:
    """Signed 64-bit simhash: pages with nearly the same terms differ in few bits.

    Bit i is set if Σ (1 + ln n_t) · (±1 by bit i of hash(t)) over the terms t, each found n_t times,
    is positive (Charikar 2002; Manku, Jain, Das Sarma 2007). A page without terms has 0.
    """
    if not terms:
        return 0
    hashes = np.fromiter(map(_hashes.__getitem__, terms), np.uint64, len(terms))
    weights = 1.0 + np.log(np.fromiter(terms.values(), np.float32, len(terms)))
    bits = np.unpackbits(hashes.view(np.uint8).reshape(-1, 8), axis=1)
    positive = weights @ bits > weights.sum() / 2
    return int(np.packbits(positive).view(np.int64)[0])


class _Hashes(dict[str, int]):
    """Term -> 64-bit hash, remembered."""

    def __missing__(self, term: str) -> int:
        if len(self) >= MEMO_SIZE:
            self.clear()
        value: int = xxhash.xxh3_64_intdigest(term.encode("utf-8", "replace"))
        self[term] = value
        return value


_hashes = _Hashes()


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value
