"""`best-first`: a link has the relevance of its page as score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from lagotto.records import Judgement, Lease, LinkScores, Page
from lagotto.strategies.parts.by_words import ByWords
from lagotto.strategies.parts.likeness import VERDICT, judge_by
from lagotto.topic import Topic, WeightTable


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
