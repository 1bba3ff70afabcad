"""Hashes of pages and links, computed once by the parser, so that strategies can look terms up in arrays."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
import xxhash

from lagotto.base.records import Link, Page
from lagotto.base.urls import host_of

END = b"\xff\xff\xff\xff"
"""Marks the end of a text's terms; no term has this hash."""
KEYS = np.dtype([("id", "<i8"), ("host", "<u4"), ("directory", "<u4"), ("place", "<u4")])
"""Layout of a link's `keys`: checksum of its URL, hashes of host, directory and DOM place."""
STEPS = 4
"""Number of last steps of a DOM path that identify a place."""
_DIGESTS = np.dtype([("term", "V4"), ("simhash", "<u8")])
_OTHER = b"\xfe\xff\xff\xff"
_REMEMBERED = 200_000
_REMEMBERED_DIGESTS = 87_000


def hash_page(page: Page) -> None:
    """Set the hashes and the simhash of a page; its links are hashed by themselves."""
    digests = np.frombuffer(b"".join(map(_digests_of, page.terms)), _DIGESTS)
    page.hashes = digests["term"].tobytes() + END + hash_texts(page.title_terms)
    page.simhash = _simhash(digests["simhash"], page.terms)


def hash_link(link: Link) -> None:
    """Set the hashes of a link; call it again when its URL changes."""
    link.host, of_url = url_keys(link.url)
    link.keys = of_url + place_key(link.path)
    link.hashes = hash_texts(link.anchor_terms, link.context_terms, link.url_terms)


def url_keys(url: str) -> tuple[str, bytes]:
    """Host of a URL, and what the keys of a link to it begin with."""
    host, of_folder = _folder(url.rpartition("/")[0])
    return host, _checksum(url) + of_folder


def drop_link_words(page: Page) -> None:
    """Leave out what the page's links were hashed from, which is most of what a page weighs."""
    for link in page.links:
        link.context = link.heading = link.path = ""
        link.anchor_terms = link.context_terms = link.url_terms = []


def hash_terms(terms: Iterable[str]) -> bytes:
    """Hash terms into four bytes each, in order.

    >>> hash_terms(["poll", "date"]) == hash_terms(["poll"]) + hash_terms(["date"])
    True
    """
    return b"".join(map(_hash, terms))


def hash_texts(*texts: Iterable[str]) -> bytes:
    """Hash the terms of texts; each text is followed by `END`.

    >>> hash_texts(["poll"], []) == hash_terms(["poll"]) + END + END
    True
    """
    hashes: list[bytes] = []
    for text in texts:
        hashes.extend(map(_hash_of, text))
        hashes.append(END)
    return b"".join(hashes)


def _hash(text: str) -> bytes:
    digest = xxhash.xxh32_digest(text.encode("utf-8", "surrogatepass"))
    return digest if digest != END else _OTHER


def _checksum(text: str) -> bytes:
    return xxhash.xxh3_64_digest(text.encode("utf-8", "surrogatepass"))[::-1]


class _Terms(dict[str, bytes]):
    """Term -> hash, computed on first use; twice as fast as a cached function."""

    def __missing__(self, term: str) -> bytes:
        if len(self) >= _REMEMBERED:
            self.clear()
        self[term] = digest = _hash(term)
        return digest


class _Digests(dict[str, bytes]):
    """Term -> its hash and the one that its simhash is made of, side by side in memory."""

    def __missing__(self, term: str) -> bytes:
        if len(self) >= _REMEMBERED_DIGESTS:
            self.clear()
        self[term] = digest = _hash(term) + _checksum(term)
        return digest


_hash_of = _Terms().__getitem__
_digests_of = _Digests().__getitem__


def _simhash(hashes: np.ndarray, terms: dict[str, int]) -> int:
    """Signed 64-bit simhash: pages with nearly the same terms differ in few bits.

    Bit i is set if terms whose hash has bit i outweigh those whose hash has not; a term found n times
    weighs 1 + ⌊log2 n⌋ (Charikar 2002; Manku, Jain, Das Sarma 2007). A page without terms has 0.
    """
    if not terms:
        return 0
    weights = np.fromiter(map(int.bit_length, terms.values()), np.float64, len(terms))
    bits = np.unpackbits(hashes.copy().view(np.uint8).reshape(-1, 8), axis=1)
    return int(np.packbits(2.0 * (weights @ bits) > weights.sum()).view(np.int64)[0])


@lru_cache(_REMEMBERED)
def _folder(url: str) -> tuple[str, bytes]:
    """Host of a URL up to its last slash, and the hashes of host and directory."""
    host = host_of(url)
    return host, _hash(host) + _hash(url)


@lru_cache(_REMEMBERED)
def place_key(path: str) -> bytes:
    """The hash of a DOM path's last steps: what the keys of a link end with."""
    return _hash(">".join(path.rsplit(">", STEPS)[-STEPS:]))
