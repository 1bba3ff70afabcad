"""`hybrid`: a TF·IDF table that grows with the harvest, link analysis, a queue without duplicates.

Paper input: some 50 topic pages. PageScore is the cosine over the table's keywords only, with TF·IDF on both
sides; a page's meta keywords count as part of its text. Links are scored as in `dynamic`, also those of
irrelevant pages, which may lead to relevant ones. Both thresholds are inclusive. The table is expanded with
keywords of the relevant pages found.
Three switches give the paper's "earlier focused" crawler when they are off: `priority_queue`, `content_seen`
and `expand`.
Words and seeds only: pages are judged by the words until the first pages are there; the table is then made of
the words and of the seeds and those first pages that are most like the words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import ClassVar, Literal

import numpy as np
from msgspec import Struct, msgpack

from lagotto.base.errors import InputError
from lagotto.base.records import DROPPED, Judgement, Lease, LinkScores, Page
from lagotto.focus.strategies.base import Strategy, check_range
from lagotto.focus.strategies.parts.first_pages import FirstPage, FirstPages
from lagotto.focus.strategies.parts.words import (
    VERDICT,
    Edits,
    beside_words,
    focus_table,
    judge_by,
    keyword_cosine_parts,
    page_terms,
    words_of,
)
from lagotto.focus.strategies.static import PARTS, score_parts
from lagotto.focus.topic import Topic, TopicPages, WeightTable, with_context

SIZE = 300
QUEUE_THRESHOLD = 0.1
FIFO_THRESHOLD = 0.3
"""Least link score with the priority queue, which itself puts weak links last, and without it."""
FEW_LINKS = 10
"""Without the priority queue all links of a seed are kept if fewer than this reach the threshold."""
RARE = 4.0
"""IDF of a word that is on no known page: as if one page in ten thousand had it."""


class Hybrid(Strategy):
    """Follows links that score well, on any page, by a table that learns from the harvest."""

    name: ClassVar[str] = "hybrid"
    summary: ClassVar[str] = "TF·IDF table that grows with the harvest; links of irrelevant pages count too"
    meanings: ClassVar[Mapping[str, str]] = {
        "page_threshold": "a page is relevant from here",
        "link_threshold": "a link is followed from here; 0: 0.1, or 0.3 without the priority queue",
        "size": "keywords in the table",
        "idf": "background: document frequencies of general pages and the topic; topic: of the topic alone",
        "priority_queue": "best link first; otherwise first in, first out",
        "content_seen": "whether pages with known content are left out",
        "expand": "whether the table grows with the harvest",
        "expand_every": "relevant pages between two rebuilds of the table",
        "first_pages": "pages that the table is made of where there are no examples",
        "context": "whether related words join the table",
    }
    topic_changes: ClassVar[bool] = True
    follows: ClassVar[str] = "links whose score reaches its threshold"
    thresholds: ClassVar[tuple[str, ...]] = ("link_threshold",)
    link_parts: ClassVar[tuple[str, ...]] = PARTS
    table: WeightTable

    def __init__(
        self,
        topic: Topic,
        *,
        page_threshold: float = 0.3,
        link_threshold: float = 0.0,
        size: int = SIZE,
        idf: Literal["background", "topic"] = "background",
        priority_queue: bool = True,
        content_seen: bool = True,
        expand: bool = True,
        expand_every: int = 100,
        first_pages: int = 50,
        context: bool = False,
    ) -> None:
        check_range(self.name, 1, size=size, expand_every=expand_every)
        check_range(self.name, 0, first_pages=first_pages)
        self.topic = topic
        self.page_threshold = page_threshold
        self.link_threshold = link_threshold
        """0: `QUEUE_THRESHOLD` or `FIFO_THRESHOLD`."""
        self.size = size
        self.idf = idf
        self.priority_queue = priority_queue
        self.content_seen = content_seen
        self.expand = expand
        self.expand_every = expand_every
        self.first_pages = first_pages
        self.context = context
        self._pages = TopicPages(size=size, idf=idf, language=topic.language)
        self._pages.add_documents(topic.relevant)
        self._words = None if topic.relevant else focus_table(topic)
        self._first = FirstPages(0 if topic.relevant or topic.table else first_pages)
        self.table = self._in_force(self._words or self._pages.table())
        self._edits = Edits(self.table.language)
        self._factors = self._page_factors()

    def judge(self, page: Page) -> Judgement:
        """Cosine over the table's keywords; before there is a table, cosine with the words."""
        if not self._first.enough:
            return judge_by(self.table, page, VERDICT)
        parts = keyword_cosine_parts(self.table, _with_keywords(page, self.table), self._factors)
        return Judgement(parts["cosine"], parts["cosine"] >= self.page_threshold, parts)

    def score(self, page: Page, judgement: Judgement, lease: Lease) -> LinkScores:
        """The sum of the four parts; links below the threshold are dropped.

        While the first pages are collected, a priority queue keeps all links. Without it, only the links of a
        seed are all kept, and only if few of them reach the threshold: with no order among links, the
        threshold alone gives the crawl a focus.
        """
        parts = score_parts(page.links, self.table, judgement.relevance)
        values = parts.sum(axis=1)
        dropped = values < self._least_score()
        barren_seed = lease.depth == 0 and np.count_nonzero(~dropped) < FEW_LINKS
        if not self._first.enough and (self.priority_queue or barren_seed):
            dropped[:] = False
        if not self.priority_queue:
            values[:] = 0.0
        values[dropped] = DROPPED
        return LinkScores(values, parts)

    def sample(self, page: Page, judgement: Judgement, lease: Lease) -> bytes | None:
        """One of the first pages, or the terms of a relevant one."""
        if not self._first.enough or (self.expand and judgement.relevant):
            counts = _with_keywords(page, self.table)
            return msgpack.encode(FirstPage.of(page, lease, judgement.relevance, counts=counts))
        return None

    def edit(self, words: Mapping[str, float]) -> bytes:
        """The user's weights hold against those that the pages give, in every version of the table."""
        return self._edits.sample(words, self.table)

    def learn(self, sample: bytes) -> None:
        """Collect the first pages, then let the table grow; take in changed words."""
        if (words := words_of(sample)) is not None:
            self._edits.add(words)
            self._set_table(self.table)
            return
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
        state = _State(
            self.table.to_json(), self._pages.save(), self._first.save(), self._factors, self._edits.save()
        )
        return msgpack.encode(state)

    def load(self, state: bytes) -> None:
        """Take back what `save` gave."""
        saved = msgpack.decode(state, type=_State)
        self.table = WeightTable.from_json(saved.table)
        self._pages.load(saved.pages)
        self._first.load(saved.first)
        self._factors = saved.factors
        self._edits.load(saved.edits)

    def _renew(self) -> None:
        version = self.table.version + 1
        try:
            found = self._pages.table(version)
        except InputError:
            # Pages without a telling word, such as empty ones: the table stays as it is.
            return
        self._set_table(self._in_force(beside_words(self._words, found, version) if self._words else found))

    def _set_table(self, table: WeightTable) -> None:
        self.table = self._edits.apply(table)
        self._factors = self._page_factors()

    def _least_score(self) -> float:
        return self.link_threshold or (QUEUE_THRESHOLD if self.priority_queue else FIFO_THRESHOLD)

    def _in_force(self, table: WeightTable) -> WeightTable:
        return with_context(table) if self.context else table

    def _page_factors(self) -> dict[str, float]:
        """What a page's term shares are multiplied by: IDF, as in the table."""
        factors = self._pages.factors(self.table)
        if self.idf == "topic":
            return factors
        return {term: factor or RARE for term, factor in factors.items()}


def _with_keywords(page: Page, table: WeightTable) -> Mapping[str, int]:
    """Term counts of the page's text and of its meta keywords."""
    counts = page_terms(page, table)
    if not page.keyword_terms:
        return counts
    together = Counter(page.keyword_terms)
    together.update(counts)
    return together


class _State(Struct, array_like=True):
    table: bytes
    pages: bytes
    first: bytes
    factors: dict[str, float]
    edits: bytes
