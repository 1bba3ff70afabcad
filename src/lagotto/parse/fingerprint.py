"""A 64-bit number that stands for a page's content; `hashing` has the one for nearly the same content."""

from __future__ import annotations

import xxhash

MIN_LENGTH = 60
"""A text of fewer characters says too little: two pages may share it and still be different."""


def fingerprint(title: str, text: str, body: bytes) -> int:
    """Signed 64-bit checksum of title and text, case aside; of the body where there is hardly any text."""
    content = f"{title}\n{text}".lower().encode("utf-8", "replace") if len(text) >= MIN_LENGTH else body
    return _signed(xxhash.xxh3_64_intdigest(content))


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value
