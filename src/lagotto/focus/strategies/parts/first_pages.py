"""The first pages of a crawl: what a topic is made of when the user has words and seeds only.

Seeds count as on the topic because the user chose them. Of the other pages the third that is most similar to
the words counts as on the topic and the least similar third as off it; the rest is not used.
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import nlargest

from msgspec import Struct, msgpack

from lagotto.base.records import Lease, Page
from lagotto.focus.topic import Document

MAX_TERMS = 400
"""Terms of a page that are kept, the most frequent ones."""


class FirstPage(Struct, array_like=True):
    """What is kept of a page."""

    id: int
    seed: bool
    similarity: float
    terms: dict[str, int]
    excerpt: str = ""

    @classmethod
    def of(
        cls,
        page: Page,
        lease: Lease,
        similarity: float,
        excerpt: int = 0,
        counts: Mapping[str, int] | None = None,
    ) -> FirstPage:
        """Keep a page, with so many characters of its text; `counts` replace its term counts."""
        terms = page.terms if counts is None else dict(counts)
        if len(terms) > MAX_TERMS:
            terms = dict(nlargest(MAX_TERMS, terms.items(), key=lambda entry: (entry[1], entry[0])))
        return cls(lease.id, lease.depth == 0, similarity, terms, page.text[:excerpt])

    @property
    def document(self) -> Document:
        """The page as an example of a topic."""
        return Document(self.terms, self.excerpt)


class FirstPages:
    """Collects pages until there are enough; 0 wanted are always enough."""

    def __init__(self, wanted: int) -> None:
        self.wanted = wanted
        self.pages: list[FirstPage] = []

    @property
    def enough(self) -> bool:
        """Whether a topic can be made of them, or has been."""
        return len(self.pages) >= self.wanted

    def add(self, page: FirstPage) -> None:
        """Keep one more page."""
        self.pages.append(page)

    def close(self) -> None:
        """The topic is made: forget the pages and want no more."""
        self.wanted, self.pages = 0, []

    def on_topic(self) -> list[FirstPage]:
        """The seeds, and the most similar third of the others."""
        return [page for page in self.pages if page.seed] + self._others()[: self._third()]

    def off_topic(self) -> list[FirstPage]:
        """The least similar third of the pages that are no seeds."""
        others = self._others()
        return others[len(others) - self._third() :]

    def save(self) -> bytes:
        """All pages kept."""
        return msgpack.encode((self.wanted, self.pages))

    def load(self, saved: bytes) -> None:
        """Take back what `save` gave."""
        self.wanted, self.pages = msgpack.decode(saved, type=tuple[int, list[FirstPage]])

    def _others(self) -> list[FirstPage]:
        return sorted((page for page in self.pages if not page.seed), key=lambda page: -page.similarity)

    def _third(self) -> int:
        return sum(not page.seed for page in self.pages) // 3
