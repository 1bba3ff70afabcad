"""Strategies that compare pages with the topic's words and learn nothing: `bfs`, `best-first`, `priority`.

`bfs` is the crawler without a focus, against which all others are measured. `priority` keeps a queue of
downloaded pages: the page most similar to the words is taken off the shelf, all pages that it links to are
downloaded in the order of the page and put on the shelf with their own similarity, and so on. Downloading and
expanding have different priorities.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from msgspec import structs

from lagotto.base.records import Judgement, Lease, LinkScores, Page
from lagotto.focus.strategies.base import Strategy
from lagotto.focus.strategies.parts.words import VERDICT, Edits, focus_table, judge_by, words_of
from lagotto.focus.topic import Topic, WeightTable


class ByWords(Strategy):
    """Holds the table of the topic's words; it changes by what a user says, and by nothing else."""

    topic: Topic
    table: WeightTable

    def __init__(self, topic: Topic) -> None:
        self.topic = topic
        self.table = self._given = focus_table(topic)
        self._edits = Edits(self.table.language)

    def edit(self, words: Mapping[str, float]) -> bytes:
        """Changed words count for the pages that come from now on."""
        return self._edits.sample(words, self._given)

    def learn(self, sample: bytes) -> None:
        """Take in changed words."""
        if (words := words_of(sample)) is not None:
            self._edits.add(words)
            self.table = self._edits.apply(self._given)

    def save(self) -> bytes:
        """The user's changes."""
        return self._edits.save()

    def load(self, state: bytes) -> None:
        """Take back what `save` gave."""
        self._edits.load(state)
        self.table = self._edits.apply(self._given)


STEP = 1e-9
"""Difference between the scores of two neighbouring links, far smaller than between pages."""


def in_page_order(scores: np.ndarray) -> np.ndarray:
    """Scores that put equal links in the order of their page, even if another page had them before."""
    return np.asarray(scores - STEP * np.arange(len(scores)))


class BreadthFirst(ByWords):
    """Follows every link, in the order of discovery, one depth after the other."""

    name: ClassVar[str] = "bfs"
    summary: ClassVar[str] = "breadth first: every link in the order it was found, whatever the page is about"
    meanings: ClassVar[Mapping[str, str]] = {
        "threshold": "cosine above which a page counts as relevant; it has no influence on the order",
    }
    reads_link_words: ClassVar[bool] = False
    table: WeightTable

    def __init__(self, topic: Topic, *, threshold: float = VERDICT) -> None:
        super().__init__(topic)
        self.threshold = threshold

    def judge(self, page: Page) -> Judgement:
        """Cosine with the topic's words; it tells how well the crawl does and steers nothing."""
        return judge_by(self.table, page, self.threshold)

    def score(self, page: Page, judgement: Judgement, lease: Lease) -> LinkScores:
        """Minus the depth, so that a level is finished before the next one begins."""
        return LinkScores(np.full(len(page.links), -1.0 - lease.depth))


class BestFirst(ByWords):
    """Follows every link, those of the most relevant pages first."""

    name: ClassVar[str] = "best-first"
    summary: ClassVar[str] = "links of the pages most like the topic's words first; no link is dropped"
    meanings: ClassVar[Mapping[str, str]] = {
        "threshold": "cosine above which a page counts as relevant; it has no influence on the order",
    }
    link_parts: ClassVar[tuple[str, ...]] = ("parent",)
    table: WeightTable

    def __init__(self, topic: Topic, *, threshold: float = VERDICT) -> None:
        super().__init__(topic)
        self.threshold = threshold

    def judge(self, page: Page) -> Judgement:
        """Cosine with the topic's words."""
        return judge_by(self.table, page, self.threshold)

    def score(self, page: Page, judgement: Judgement, lease: Lease) -> LinkScores:
        """The parent's relevance, for all its links alike."""
        values = np.full(len(page.links), judgement.relevance)
        return LinkScores(values, values[:, np.newaxis])


SEED_RANK = 1.0


class Priority(ByWords):
    """Expands the page most similar to the focus string, and downloads all its links before the next."""

    name: ClassVar[str] = "priority"
    summary: ClassVar[str] = (
        "queue of downloaded pages: expands the page most like the words, all its links at once"
    )
    meanings: ClassVar[Mapping[str, str]] = {
        "threshold": "cosine above which a page counts as relevant; it has no influence on the order",
    }
    link_parts: ClassVar[tuple[str, ...]] = ("parent",)
    reads_link_words: ClassVar[bool] = False
    shelves: ClassVar[bool] = True
    table: WeightTable

    def __init__(self, topic: Topic, *, threshold: float = VERDICT) -> None:
        super().__init__(topic)
        self.threshold = threshold

    def judge(self, page: Page) -> Judgement:
        """Cosine with the focus string, which is also the page's rank."""
        judgement = judge_by(self.table, page, self.threshold)
        return structs.replace(judgement, shelf=judgement.relevance)

    def rank(self, page: Page, judgement: Judgement, lease: Lease) -> float:
        """The cosine; of a seed 1, whatever its words."""
        return SEED_RANK if lease.depth == 0 else judgement.relevance

    def score(self, page: Page, judgement: Judgement, lease: Lease) -> LinkScores:
        """The page's rank, slightly less for each further link, so that links are fetched in their order."""
        ranks = np.full(len(page.links), self.rank(page, judgement, lease))
        return LinkScores(in_page_order(ranks), ranks[:, np.newaxis])
