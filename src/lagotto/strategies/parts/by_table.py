"""What `static` and `dynamic` share: a weight table judges pages, and only links of relevant pages count."""

from __future__ import annotations

from typing import ClassVar

from lagotto.records import DROPPED, Judgement, Lease, LinkScores, Page
from lagotto.strategies.base import Strategy
from lagotto.strategies.parts.likeness import judge_by
from lagotto.strategies.parts.link_score import PARTS, score_parts
from lagotto.topic import WeightTable

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
