"""`static`: the focused crawler with a weight table made once, the baseline in the paper of `dynamic`.

Paper input: the first search results for the topic; weight tf·df, divided by the largest. Words and seeds
only: pages are judged by the words until the first pages are there; then the table is made, once, of the
words and of the seeds and those first pages that are most like the words.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from msgspec import Struct, msgpack

from lagotto.base.records import DROPPED, Judgement, Lease, Link, LinkScores, Page
from lagotto.base.text import merge_phrases
from lagotto.focus.strategies.base import Strategy, check_range
from lagotto.focus.strategies.parts.first_pages import FirstPage, FirstPages
from lagotto.focus.strategies.parts.words import Edits, beside_words, focus_table, judge_by, words_of
from lagotto.focus.topic import Topic, WeightTable, load_background, table_from_counts, table_from_results

PARTS = ("url", "anchor", "parent", "surrounding")


def score_parts(links: Sequence[Link], table: WeightTable, parent: float) -> np.ndarray:
    """The four parts of each link's score, one row a link."""
    weights, norm = dict(table.weights), table.norm

    def cosine(terms: Sequence[str]) -> float:
        if table.phrases:
            terms = merge_phrases(terms, table.phrases, table.language)
        return _cosine(terms, weights, norm)

    scores = [
        (cosine(link.url_terms), cosine(link.anchor_terms), parent, cosine(link.context_terms))
        for link in links
    ]
    return np.array(scores, np.float64).reshape(len(links), len(PARTS))


def _cosine(terms: Sequence[str], weights: Mapping[str, float], norm: float) -> float:
    found = [weights[term] for term in terms if term in weights]
    if not found:
        return 0.0
    distinct = len(set(terms)) == len(terms)
    squares = len(terms) if distinct else sum(count * count for count in Counter(terms).values())
    return min(1.0, sum(found) / (norm * math.sqrt(squares)))


PAGE_THRESHOLD = 0.02
LINK_THRESHOLD = 0.05
"""Chosen on the development topics. A followed link has at least its page's score, so a link threshold below
the page threshold does nothing; higher ones than these end many crawls early."""


class ByTable(Strategy):
    """Cosine with a table above a threshold, then links scored by four parts above another."""

    follows: ClassVar[str] = "links of relevant pages only"
    thresholds: ClassVar[tuple[str, ...]] = ("page_threshold", "link_threshold")
    link_parts: ClassVar[tuple[str, ...]] = PARTS
    table: WeightTable
    page_threshold: float
    link_threshold: float

    def judge(self, page: Page) -> Judgement:
        """Cosine of table and page, over the whole page; relevant above the threshold."""
        return judge_by(self.table, page, self.page_threshold)

    def score(self, page: Page, judgement: Judgement, lease: Lease) -> LinkScores:
        """The sum of the four parts; links of irrelevant pages and links below the threshold are dropped."""
        parts = score_parts(page.links, self.table, judgement.relevance)
        values = parts.sum(axis=1)
        values[(values <= self.link_threshold) | (not judgement.relevant)] = DROPPED
        return LinkScores(values, parts)


SIZE = 100
COMMON = 0.1
"""Share of general pages; a term that more of them have is left out. tf·df itself ignores how common a term
is, and the first pages of a crawl vary more than the answers to a query."""


class Static(ByTable):
    """Follows links of relevant pages, best link score first."""

    name: ClassVar[str] = "static"
    summary: ClassVar[str] = "weight table made once from search results; links of relevant pages only"
    meanings: ClassVar[Mapping[str, str]] = {
        "page_threshold": "a page is relevant above it",
        "link_threshold": "a link is followed above it",
        "size": "keywords in the table",
        "first_pages": "pages that the table is made of where there are no search results",
    }

    def __init__(
        self,
        topic: Topic,
        *,
        page_threshold: float = PAGE_THRESHOLD,
        link_threshold: float = LINK_THRESHOLD,
        size: int = SIZE,
        first_pages: int = 50,
    ) -> None:
        check_range(self.name, 1, size=size)
        check_range(self.name, 0, first_pages=first_pages)
        self.topic = topic
        self.page_threshold = page_threshold
        self.link_threshold = link_threshold
        self.size = size
        self.first_pages = first_pages
        given = self._given_table()
        self.table = given or focus_table(topic)
        self._first = FirstPages(0 if given else first_pages)
        self._edits = Edits(self.table.language)

    def sample(self, page: Page, judgement: Judgement, lease: Lease) -> bytes | None:
        """The first pages, as long as there is no table."""
        if self._first.enough:
            return None
        return msgpack.encode(FirstPage.of(page, lease, judgement.relevance))

    def edit(self, words: Mapping[str, float]) -> bytes:
        """Changed words count for the pages that come from now on."""
        return self._edits.sample(words, self.table)

    def learn(self, sample: bytes) -> None:
        """Make the table when the last of the first pages has come; take in changed words."""
        if (words := words_of(sample)) is not None:
            self._edits.add(words)
            self.table = self._edits.apply(self.table)
            return
        self._first.add(msgpack.decode(sample, type=FirstPage))
        if self._first.enough:
            self.table = self._edits.apply(self._table_of_first_pages())
            self._first.close()

    def save(self) -> bytes:
        """The table, or the pages that it will be made of."""
        return msgpack.encode(_State(self.table.to_json(), self._first.save(), self._edits.save()))

    def load(self, state: bytes) -> None:
        """Take back what `save` gave."""
        saved = msgpack.decode(state, type=_State)
        self.table = WeightTable.from_json(saved.table)
        self._first.load(saved.first)
        self._edits.load(saved.edits)

    def _given_table(self) -> WeightTable | None:
        topic = self.topic
        if topic.table is not None:
            return topic.table
        if topic.results:
            return table_from_results(
                topic.results, size=self.size, language=topic.language, phrases=topic.phrases
            )
        if topic.relevant:
            counts = (document.terms for document in topic.relevant)
            return table_from_counts(counts, size=self.size, language=topic.language)
        return None

    def _table_of_first_pages(self) -> WeightTable:
        general = load_background(self.table.language)
        often = COMMON * general.documents
        telling = [
            {term: count for term, count in page.terms.items() if general.frequencies.get(term, 0) <= often}
            for page in self._first.on_topic()
        ]
        if not any(telling):
            return self.table
        return beside_words(self.table, table_from_counts(telling, size=self.size))


class _State(Struct, array_like=True):
    table: bytes
    first: bytes
    edits: bytes
