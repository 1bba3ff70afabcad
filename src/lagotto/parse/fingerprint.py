"""Two 64-bit numbers that stand for a page's content: one for the same, one for nearly the same."""

from __future__ import annotations

import struct

import xxhash

MIN_LENGTH = 60
"""A text of fewer characters says too little: two pages may share it and still be different."""
MEMO_SIZE = 16_384
"""Terms whose hashes are remembered: some 6 MB."""


def fingerprint(title: str, text: str, body: bytes) -> int:
    """Signed 64-bit checksum of title and text, case aside; of the body where there is hardly any text."""
    content = f"{title}\n{text}".lower().encode("utf-8", "replace") if len(text) >= MIN_LENGTH else body
    return _signed(xxhash.xxh3_64_intdigest(content))


def simhash(terms: dict[str, int]) -> int:
    """Signed 64-bit simhash: pages with nearly the same terms differ in few bits.

    Bit i is set if terms whose hash has bit i outweigh those whose hash has not; a term found n times
    weighs ⌊log2 n⌋ + 1 (Charikar 2002; Manku, Jain, Das Sarma 2007). A page without terms has 0.
    """
    total = weight = 0
    heavy = list(terms)
    occurrences = 1
    while heavy:
        total += sum(map(_lanes.__getitem__, heavy))
        weight += len(heavy)
        occurrences *= 2
        heavy = [term for term in heavy if terms[term] >= occurrences]
    sums = struct.unpack("<64I", total.to_bytes(256, "little"))
    return _signed(sum(1 << i for i, found in enumerate(sums) if 2 * found > weight))


class _Lanes(dict[str, int]):
    """Term -> its 64-bit hash with 32 bits of room for each bit, remembered.

    Adding such numbers adds up all 64 bits at once: faster than an array for the few hundred terms of a page.
    """

    def __missing__(self, term: str) -> int:
        if len(self) >= MEMO_SIZE:
            self.clear()
        digest = xxhash.xxh3_64_intdigest(term.encode("utf-8", "replace"))
        lanes = sum(_SPREAD[digest >> shift & 255] << 32 * shift for shift in range(0, 64, 8))
        self[term] = lanes
        return lanes


_SPREAD = [sum(1 << 32 * i for i in range(8) if byte >> i & 1) for byte in range(256)]
_lanes = _Lanes()


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value
