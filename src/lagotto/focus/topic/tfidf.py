"""The weight table of `hybrid`: TF·IDF over topic pages, growing with the relevant pages that are found.

    TF(t) = count / length of a page, averaged over the topic pages
    IDF(t) = log10(N / df(t)),   W(t) = TF·IDF divided by the largest

Over topic pages alone a word found on all of them gets IDF 0, though it is the very word wanted. So N and
df come from a background of general pages, to which the topic pages are added; in the paper's literal
form (`idf="topic"`) from the topic pages alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec
from msgspec import Struct

from lagotto.base.errors import InputError
from lagotto.base.text import readable_terms
from lagotto.focus.topic.background import Background, load_background
from lagotto.focus.topic.documents import Document
from lagotto.focus.topic.table import WeightTable

SIZE = 300
MAX_TERMS = 10_000
"""Terms whose running counts are kept; beyond twice as many the weakest are forgotten."""
OWN_SHARE = 0.1
"""The topic pages count for at most this share of the background. Without a limit a long crawl's relevant
pages would outnumber it, and the topic's words would become as common as stop words."""
Idf = Literal["background", "topic"]
_BATCH = 2000


def idf(documents: float, with_term: float) -> float:
    """log10(N / df), 0 where no document has the term.

    >>> idf(1000, 100)
    1.0
    """
    return math.log10(documents / with_term) if with_term else 0.0


class TopicPages:
    """Running statistics of topic pages: adding one costs its own length, never the number of pages."""

    def __init__(
        self,
        *,
        size: int = SIZE,
        idf: Idf = "background",
        language: str = "en",
        general: Background | None = None,
    ) -> None:
        if size < 1:
            raise InputError(f"a table cannot have {size} keywords; give at least 1")
        self.size = size
        self.idf: Idf = idf
        self.language = language
        self._general = general
        self._counts = _Counts()

    @property
    def pages(self) -> int:
        """Pages added so far."""
        return self._counts.pages

    def add(self, terms: Mapping[str, int], readable: Mapping[str, str] | None = None) -> None:
        """Count one more page, given by its term counts."""
        length = sum(terms.values())
        if not length:
            return
        counts = self._counts
        counts.pages += 1
        for term, count in terms.items():
            counts.shares[term] = counts.shares.get(term, 0.0) + count / length
            counts.frequencies[term] = counts.frequencies.get(term, 0) + 1
        counts.readable |= readable or {}
        if len(counts.shares) > 2 * MAX_TERMS:
            self._forget_the_weakest()

    def add_documents(self, documents: Iterable[Document]) -> None:
        """Count documents, and remember how their words are written."""
        for document in documents:
            self.add(document.terms, readable_terms(document.text, self.language))

    def factors(self, terms: Iterable[str]) -> dict[str, float]:
        """IDF of some terms, as the table uses it now."""
        having = self._counts.frequencies
        documents, scale, general = self._collection()
        return {term: idf(documents, general.get(term, 0) + scale * having.get(term, 0)) for term in terms}

    def table(self, version: int = 1) -> WeightTable:
        """The `size` heaviest terms, each weight divided by the largest."""
        counts = self._counts
        heaviest = self._heaviest(self.size)
        if not heaviest:
            raise InputError(
                "these pages give no keywords; give more than one page, and with idf=topic pages that differ"
            )
        largest = heaviest[0][1]
        return WeightTable(
            {term: weight / largest for term, weight in heaviest},
            {term: counts.readable[term] for term, _ in heaviest if term in counts.readable},
            self.language,
            source="topic pages",
            provenance={"pages": counts.pages, "idf": self.idf, "size": self.size},
            version=version,
        )

    def save(self) -> bytes:
        """The running counts."""
        return msgspec.msgpack.encode(self._counts)

    def load(self, saved: bytes) -> None:
        """Take back what `save` gave."""
        self._counts = msgspec.msgpack.decode(saved, type=_Counts)

    def _collection(self) -> tuple[float, float, Mapping[str, int]]:
        """Number of documents, what one topic page counts among them, and the background's frequencies."""
        pages = self._counts.pages
        if self.idf == "topic":
            return pages, 1.0, {}
        general = load_background(self.language) if self._general is None else self._general
        if not general.documents:
            # No background for this language: one imagined page without the term keeps IDF above 0.
            return pages + 1, 1.0, {}
        own = min(pages, OWN_SHARE * general.documents)
        return general.documents + own, own / pages if pages else 0.0, general.frequencies

    def _heaviest(self, size: int) -> list[tuple[str, float]]:
        """Terms with the largest TF·IDF, largest first, none without weight.

        Terms are looked at by falling TF until even the rarest word could no longer get into the list.
        """
        shares, pages = self._counts.shares, self._counts.pages
        documents, scale, _ = self._collection()
        bound = idf(documents, scale)
        by_share = sorted(shares, key=shares.__getitem__, reverse=True)
        found: list[tuple[str, float]] = []
        for start in range(0, len(by_share), _BATCH):
            batch = by_share[start : start + _BATCH]
            if len(found) >= size and shares[batch[0]] / pages * bound < found[-1][1]:
                break
            weighed = [(term, shares[term] / pages * factor) for term, factor in self.factors(batch).items()]
            found += [(term, weight) for term, weight in weighed if weight > 0]
            found = sorted(found, key=lambda entry: (-entry[1], entry[0]))[:size]
        return found

    def _forget_the_weakest(self) -> None:
        """Keep the strongest terms; one that was forgotten begins again when it comes back."""
        counts = self._counts
        kept = [term for term, _ in self._heaviest(MAX_TERMS)]
        counts.shares = {term: counts.shares[term] for term in kept}
        counts.frequencies = {term: counts.frequencies[term] for term in kept}
        counts.readable = {term: counts.readable[term] for term in kept if term in counts.readable}


class _Counts(Struct):
    pages: int = 0
    shares: dict[str, float] = {}
    """Term -> sum of count / length over the pages."""
    frequencies: dict[str, int] = {}
    """Term -> pages that have it."""
    readable: dict[str, str] = {}
