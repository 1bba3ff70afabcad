"""`priority`: a priority queue of downloaded pages.

The page most similar to the focus string is taken off the shelf. All pages that it links to are downloaded,
in the order of the page, and put on the shelf with their own similarity, and so on: downloading and expanding
have different priorities.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from msgspec import structs

from lagotto.base.records import Judgement, Lease, LinkScores, Page
from lagotto.focus.strategies.parts.likeness import VERDICT, judge_by
from lagotto.focus.strategies.simple import ByWords, in_page_order
from lagotto.focus.topic import Topic, WeightTable

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
