"""`priority`: a priority queue of downloaded pages.

The page most like the focus string is taken off the shelf, *all* pages that it links to are downloaded and
put on the shelf with their own likeness, and so on: downloading and expanding are two priorities.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from lagotto.records import Judgement, Lease, LinkScores, Page
from lagotto.strategies.base import Strategy
from lagotto.strategies.focus import focus_table
from lagotto.strategies.likeness import VERDICT, judge_by
from lagotto.topic import Topic

SEED_RANK = 1.0


class Priority(Strategy):
    """Expands the page most like the focus string, and downloads all its links before the next."""

    name: ClassVar[str] = "priority"
    summary: ClassVar[str] = (
        "queue of downloaded pages: expands the page most like the words, all its links at once"
    )
    link_parts: ClassVar[tuple[str, ...]] = ("parent",)
    shelves: ClassVar[bool] = True

    def __init__(self, topic: Topic, *, threshold: float = VERDICT) -> None:
        self.topic = topic
        self.threshold = threshold
        self.table = focus_table(topic)

    def judge(self, page: Page) -> Judgement:
        """Cosine with the focus string, which is also the page's rank."""
        judgement = judge_by(self.table, page, self.threshold)
        judgement.shelf = judgement.relevance
        return judgement

    def score(self, page: Page, judgement: Judgement, lease: Lease) -> LinkScores:
        """Every link is downloaded once its page's turn has come; it carries the page's rank."""
        if lease.depth == 0:
            # Only the lease tells that the page is a seed, and a seed has rank 1 whatever its words.
            judgement.shelf = SEED_RANK
        values = np.full(len(page.links), judgement.shelf)
        return LinkScores(values, values[:, np.newaxis])
