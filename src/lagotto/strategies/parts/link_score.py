"""The link score that `static`, `dynamic` and `hybrid` share.

    LinkScore(u) = URLScore + AnchorScore + ParentScore + SurroundingScore

URL, anchor and surrounding score are the cosine of the topic table with the words of the link's URL, of its
anchor and of the text around it; the parent score is the relevance of the page that has the link.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from lagotto.records import Link
from lagotto.text import merge_phrases
from lagotto.topic import WeightTable

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
