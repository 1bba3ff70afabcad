"""`hybrid`: a TF·IDF table that grows with the harvest, link analysis, a queue without duplicates.

Paper input: some 50 topic pages. PageScore is the cosine over the table's keywords only, with TF·IDF on both
sides. Links are scored as in `dynamic`, also those of irrelevant pages, for these may lead to relevant ones.
Both thresholds are inclusive. The table is expanded with keywords of the relevant pages found.
Three switches give the paper's "earlier focused" crawler when they are off: `priority_queue`, `content_seen`
and `expand`.
Words and seeds only: pages are judged by the words until the first pages are there; the table is then made of
the words and of the seeds and those first pages that are most like the words.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec import Struct, msgpack

from lagotto.errors import InputError
from lagotto.records import DROPPED, Judgement, Lease, LinkScores, Page
from lagotto.strategies.base import Strategy
from lagotto.strategies.checks import check_range
from lagotto.strategies.firstpages import FirstPage, FirstPages
from lagotto.strategies.focus import beside_words, focus_table
from lagotto.strategies.likeness import VERDICT, judge_by, keyword_cosine_parts, page_terms
from lagotto.strategies.linkscore import PARTS, score_parts
from lagotto.topic import Topic, TopicPages, WeightTable

SIZE = 300
RARE = 4.0
"""IDF of a word that stands on no page known so far: as if one page in ten thousand had it."""


class Hybrid(Strategy):
    """Follows links that score well, wherever they stand, by a table that learns from the harvest."""

    name: ClassVar[str] = "hybrid"
    summary: ClassVar[str] = "TF·IDF table that grows with the harvest; links of irrelevant pages count too"
    link_parts: ClassVar[tuple[str, ...]] = PARTS

    def __init__(
        self,
        topic: Topic,
        *,
        page_threshold: float = 0.3,
        link_threshold: float = 0.1,
        size: int = SIZE,
        idf: Literal["background", "topic"] = "background",
        priority_queue: bool = True,
        content_seen: bool = True,
        expand: bool = True,
        expand_every: int = 100,
        first_pages: int = 50,
    ) -> None:
        check_range(self.name, 1, size=size, expand_every=expand_every)
        check_range(self.name, 0, first_pages=first_pages)
        self.topic = topic
        self.page_threshold = page_threshold
        self.link_threshold = link_threshold
        self.size = size
        self.idf = idf
        self.priority_queue = priority_queue
        self.content_seen = content_seen
        self.expand = expand
        self.expand_every = expand_every
        self.first_pages = first_pages
        self._pages = TopicPages(size=size, idf=idf, language=topic.language)
        self._pages.add_documents(topic.relevant)
        self._words = None if topic.relevant else focus_table(topic)
        self._first = FirstPages(0 if topic.relevant or topic.table else first_pages)
        self.table = self._words or self._pages.table()
        self._factors = self._page_factors()

    def judge(self, page: Page) -> Judgement:
        """Cosine over the table's keywords; before there is a table, cosine with the words."""
        if not self._first.enough:
            return judge_by(self.table, page, VERDICT)
        parts = keyword_cosine_parts(self.table, page_terms(page, self.table), self._factors)
        return Judgement(parts["cosine"], parts["cosine"] >= self.page_threshold, parts)

    def score(self, page: Page, judgement: Judgement, lease: Lease) -> LinkScores:
        """The sum of the four parts; links below the threshold are dropped once there is a table."""
        parts = score_parts(page.links, self.table, judgement.relevance)
        values = parts.sum(axis=1)
        dropped = self._first.enough & (values < self.link_threshold)
        if not self.priority_queue:
            values[:] = 0.0
        values[dropped] = DROPPED
        return LinkScores(values, parts)

    def sample(self, page: Page, judgement: Judgement, lease: Lease) -> bytes | None:
        """One of the first pages, or the terms of a relevant one."""
        if not self._first.enough or (self.expand and judgement.relevant):
            return msgpack.encode(FirstPage.of(page, lease, judgement.relevance))
        return None

    def learn(self, sample: bytes) -> None:
        """Collect the first pages, then let the table grow."""
        page = msgpack.decode(sample, type=FirstPage)
        if self._first.enough:
            self._pages.add(page.terms)
            if self._pages.pages % self.expand_every == 0:
                self._renew()
            return
        self._first.add(page)
        if self._first.enough:
            for first in self._first.on_topic():
                self._pages.add(first.terms)
            self._first.close()
            self._renew()

    def save(self) -> bytes:
        """The table and the counts that the next one is made of."""
        state = _State(self.table.to_json(), self._pages.save(), self._first.save(), self._factors)
        return msgpack.encode(state)

    def load(self, state: bytes) -> None:
        """Take back what `save` gave."""
        saved = msgpack.decode(state, type=_State)
        self.table = WeightTable.from_json(saved.table)
        self._pages.load(saved.pages)
        self._first.load(saved.first)
        self._factors = saved.factors

    def _renew(self) -> None:
        version = self.table.version + 1
        try:
            found = self._pages.table(version)
        except InputError:
            # Pages without a telling word, such as empty ones: the table stays as it is.
            return
        self.table = beside_words(self._words, found, version) if self._words else found
        self._factors = self._page_factors()

    def _page_factors(self) -> dict[str, float]:
        """What a page's term shares are multiplied by: IDF, as in the table."""
        factors = self._pages.factors(self.table)
        if self.idf == "topic":
            return factors
        return {term: factor or RARE for term, factor in factors.items()}


class _State(Struct, array_like=True):
    table: bytes
    pages: bytes
    first: bytes
    factors: dict[str, float]
