"""Terms as numbers of 32 bits: hashed once, where a page is parsed, and looked up in arrays from then on."""

from __future__ import annotations

from collections.abc import Iterable

import xxhash

END = b"\xff\xff\xff\xff"
"""What stands behind the terms of each text; no term has it."""
_OTHER = b"\xfe\xff\xff\xff"
_REMEMBERED = 200_000


def hash_terms(terms: Iterable[str]) -> bytes:
    """Four bytes for each term, in their order.

    >>> hash_terms(["poll", "date"]) == hash_terms(["poll"]) + hash_terms(["date"])
    True
    """
    return b"".join(map(_digest, terms))


def hash_texts(*texts: Iterable[str]) -> bytes:
    """The terms of texts, each text ended by `END`.

    >>> hash_texts(["poll"], []) == hash_terms(["poll"]) + END + END
    True
    """
    return b"".join([b"".join(map(_digests.__getitem__, text)) + END for text in texts])


def _digest(term: str) -> bytes:
    digest = xxhash.xxh32_digest(term.encode("utf-8", "surrogatepass"))
    return digest if digest != END else _OTHER


class _Digests(dict[str, bytes]):
    """Term -> its hash, filled as terms come."""

    def __missing__(self, term: str) -> bytes:
        if len(self) >= _REMEMBERED:
            self.clear()
        self[term] = digest = _digest(term)
        return digest


_digests = _Digests()
