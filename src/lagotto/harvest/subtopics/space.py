"""Pages as short vectors of meaning, learned from a sample of the harvest and kept for pages that come later.

A page's terms are weighed by (1 + ln tf) · idf, where a title counts as three occurrences, and projected on
the principal directions of the sample (latent semantic analysis). What all pages have in common is taken off.
Before, a page is freed of furniture: lines that many pages share, such as menus and notices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import msgspec
import numpy as np
import xxhash
from numpy.typing import NDArray

from lagotto.base.protocols import Reader, Storage
from lagotto.base.text import count_terms, terms
from lagotto.base.views import PageChoice
from lagotto.focus.judging.similarity import principal_directions, unit

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


class Harvested(NamedTuple):
    """The pages that are to be sorted."""

    numbers: Integers
    """Ascending."""
    places: Floats
    """How far the crawl was when it fetched each of them, 0 to 1."""


class ReadPage(NamedTuple):
    """A page as far as grouping needs it."""

    host: str
    title: str
    text: str
    language: str


class Asked(NamedTuple):
    """What the user asked for."""

    words: str
    language: str


def harvested(reader: Reader) -> Harvested:
    """Pages on topic; all pages of a crawl that judged none."""
    rows = list(reader.harvest())
    judged = reader.chosen_pages(PageChoice(), "relevance", limit=1).total > 0
    wanted = [(at, number) for at, (number, _, relevant) in enumerate(rows) if relevant or not judged]
    numbers = np.array([number for _, number in wanted], np.int64)
    return Harvested(numbers, np.array([at for at, _ in wanted], np.float64) / max(1, len(rows)))


def read_pages(reader: Reader, numbers: Sequence[int], language: str) -> Iterator[ReadPage]:
    """Pages with their texts, in the order of the numbers."""
    for stored in reader.pages_at(numbers, with_text=True):
        row = stored.row
        yield ReadPage(row.host, row.title, row.text or "", row.language or language)


def in_blocks(pages: Iterable[ReadPage], size: int) -> Iterator[list[ReadPage]]:
    """Pages in lists of this size."""
    remaining = iter(pages)
    while block := list(islice(remaining, size)):
        yield block


def asked_of(storage: Storage) -> Asked:
    """The topic's words and their language, from the crawl's configuration."""
    config = msgspec.toml.decode(storage.config() or b"")
    return Asked(str(config.get("topic", "")), str(config.get("language", "") or "en"))


AnyFloats = NDArray[np.float32]
Counts = dict[str, int]

CHARACTERS = 4000
"""How much of a page's text is read."""
OF_TITLE = 3
"""Occurrences that a title counts as."""
TERMS = 4096
"""Terms that the directions are made of, at most."""
WIDTH = 60
"""Length of a vector. On the labelled webs 60 was best of 30, 45, 60, 80 and 100, by little."""


def count_page(title: str, text: str, language: str) -> Counts:
    """Terms of the beginning of a page, its title counted several times."""
    counts = count_terms(text[:CHARACTERS], language)
    for term in terms(title, language):
        counts[term] = counts.get(term, 0) + OF_TITLE
    return counts


class Space(NamedTuple):
    """Makes vectors of pages."""

    columns: dict[str, int]
    """Term -> its row in `basis`."""
    idf: AnyFloats
    basis: AnyFloats
    """Principal directions, as columns."""
    middle: AnyFloats
    """Mean of the sample's vectors."""

    @classmethod
    def learned(cls, sample: Sequence[Counts]) -> Space:
        """The space of a sample of pages, over the terms that most of them share."""
        frequencies = Counter(term for counts in sample for term in counts)
        shared = [term for term, pages in frequencies.most_common(TERMS) if pages > 1]
        columns = {term: at for at, term in enumerate(shared)}
        found = np.array([frequencies[term] for term in shared], np.float32)
        idf = np.log(len(sample) / np.maximum(found, 1)).astype(np.float32)
        if not shared:
            return cls(columns, idf, np.zeros((0, 0), np.float32), np.zeros(0, np.float32))
        rows = _rows(sample, columns, idf)
        basis = principal_directions(rows, WIDTH)
        return cls(columns, idf, basis, unit(rows @ basis).mean(axis=0))

    def vectors(self, pages: Sequence[Counts]) -> AnyFloats:
        """A vector of length 1 for each page; zeros for one that has none of the terms."""
        rows = _rows(pages, self.columns, self.idf)
        projected = unit(rows @ self.basis)
        known = np.abs(projected).sum(axis=1, keepdims=True) > 0
        return np.where(known, unit(projected - self.middle), np.float32(0.0))


def _rows(pages: Iterable[Counts], columns: dict[str, int], idf: AnyFloats) -> AnyFloats:
    """Weighted terms of pages, each row of length 1."""
    listed = list(pages)
    rows = np.zeros((len(listed), len(columns)), np.float32)
    for row, counts in zip(rows, listed, strict=True):
        known = [(columns[term], count) for term, count in counts.items() if term in columns]
        if known:
            places, values = np.array(known, np.float32).T
            at = places.astype(np.intp)
            row[at] = (1.0 + np.log(values)) * idf[at]
    return unit(rows)


CHARACTERS = 6000
"""How much of a page's text is looked at."""
REPEATED = 4
"""A line on so many pages of the sample is furniture."""
_WITHOUT_DIGITS = str.maketrans("", "", "0123456789")


class Furniture(frozenset[int]):
    """Checksums of repeated lines, in which digits do not count."""

    @classmethod
    def found(cls, texts: Iterable[str]) -> Furniture:
        """The furniture of a sample of pages."""
        pages = Counter(line for text in texts for line in {checksum for checksum, _ in _lines(text)})
        return cls(line for line, count in pages.items() if count >= REPEATED)

    def without(self, text: str) -> str:
        """The beginning of a text without furniture."""
        return "\n".join(line for checksum, line in _lines(text) if checksum not in self)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for line in text[:CHARACTERS].split("\n"):
        plain = line.translate(_WITHOUT_DIGITS).strip().lower()
        yield xxhash.xxh3_64_intdigest(plain.encode("utf-8", "replace")), line
