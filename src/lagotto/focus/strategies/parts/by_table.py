"""What `static` and `dynamic` share: a weight table judges pages, and only links of relevant pages count."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from lagotto.base.records import DROPPED, Judgement, Lease, Link, LinkScores, Page
from lagotto.base.text import merge_phrases
from lagotto.focus.strategies.base import Strategy
from lagotto.focus.strategies.parts.cosine import judge_by
from lagotto.focus.topic import WeightTable

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
