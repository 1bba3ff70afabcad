"""`bfs`: the crawler without a focus, against which all others are measured."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from lagotto.records import Judgement, Lease, LinkScores, Page
from lagotto.strategies.parts.by_words import ByWords
from lagotto.strategies.parts.likeness import VERDICT, judge_by
from lagotto.topic import Topic, WeightTable


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
