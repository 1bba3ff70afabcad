"""Pages and links as numbers: hashed once, where a page is parsed, and looked up in arrays from then on."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
import xxhash

from lagotto.records import Link, Page
from lagotto.urls import host_of

END = b"\xff\xff\xff\xff"
"""What stands behind the terms of each text; no term has it."""
KEYS = np.dtype([("id", "<i8"), ("host", "<u4"), ("directory", "<u4"), ("place", "<u4")])
"""A link's `keys`: its URL's checksum, and hashes of its URL's host and directory and of its DOM place."""
STEPS = 4
"""Last steps of a DOM path that make a place."""
_OTHER = b"\xfe\xff\xff\xff"
_REMEMBERED = 200_000


def hash_page(page: Page) -> None:
    """Fill in what is hashed of a page, its links aside."""
    page.hashes = hash_texts(page.terms, page.title_terms)


def hash_link(link: Link) -> None:
    """Fill in what is hashed of a link; to be done again when its URL changes."""
    url = link.url
    link.host, of_folder = _folder(url.rpartition("/")[0])
    checksum = xxhash.xxh3_64_digest(url.encode("utf-8", "surrogatepass"))[::-1]
    link.keys = checksum + of_folder + _place(link.path)
    link.hashes = hash_texts(link.anchor_terms, link.context_terms, link.url_terms)


def hash_terms(terms: Iterable[str]) -> bytes:
    """Four bytes for each term, in their order.

    >>> hash_terms(["poll", "date"]) == hash_terms(["poll"]) + hash_terms(["date"])
    True
    """
    return b"".join(map(_hash, terms))


def hash_texts(*texts: Iterable[str]) -> bytes:
    """The terms of texts, each text ended by `END`.

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


class _Terms(dict[str, bytes]):
    """Term -> its hash, filled as terms come: twice as fast to ask as a cached function."""

    def __missing__(self, term: str) -> bytes:
        if len(self) >= _REMEMBERED:
            self.clear()
        self[term] = digest = _hash(term)
        return digest


_hash_of = _Terms().__getitem__


@lru_cache(_REMEMBERED)
def _folder(url: str) -> tuple[str, bytes]:
    """Host of a URL up to its last slash, and the hashes of host and directory."""
    host = host_of(url)
    return host, _hash(host) + _hash(url)


@lru_cache(_REMEMBERED)
def _place(path: str) -> bytes:
    """The hash of a DOM path's last steps."""
    return _hash(">".join(path.rsplit(">", STEPS)[-STEPS:]))
