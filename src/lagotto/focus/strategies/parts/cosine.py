"""Similarity of a page to the topic, with the terms that contribute most."""

from __future__ import annotations

import math
from collections.abc import Mapping
from heapq import nlargest
from operator import mul

from lagotto.base.records import Judgement, Page
from lagotto.focus.topic import WeightTable, with_phrases

VERDICT = 0.05
"""Cosine with the topic's words above which a page is taken as relevant: the best mean F1 over the topics
of two frozen webs, where pages on the topic have some 0.1 and others below 0.03."""
SHOWN_TERMS = 8


def judge_by(table: WeightTable, page: Page, threshold: float) -> Judgement:
    """The cosine of page and table as relevance; relevant when it is above the threshold."""
    parts = cosine_parts(table, page_terms(page, table))
    return Judgement(parts["cosine"], parts["cosine"] > threshold, parts)


def page_terms(page: Page, table: WeightTable) -> Mapping[str, int]:
    """Term counts of a page in which the table's phrases are terms, also those its parser did not know."""
    if not table.phrases:
        return page.terms
    return with_phrases(page.terms, f"{page.title}\n{page.text}", table.phrases, table.language)


def cosine_parts(table: WeightTable, counts: Mapping[str, int]) -> dict[str, float]:
    """The cosine of table and page, and the share of its strongest terms (`term:poll`), for `explain`."""
    values = counts.values()
    return _parts(table, counts, math.sqrt(sum(map(mul, values, values))))


def keyword_cosine_parts(
    table: WeightTable, counts: Mapping[str, int], factors: Mapping[str, float]
) -> dict[str, float]:
    """The same with the page's norm over the table's keywords only, its weights multiplied by `factors`."""
    weights = {term: counts[term] * factor for term, factor in factors.items() if term in counts}
    return _parts(table, weights, math.hypot(*weights.values()))


def _parts(table: WeightTable, weights: Mapping[str, float], norm: float) -> dict[str, float]:
    shares = [(weight * weights[term], term) for term, weight in table.weights.items() if term in weights]
    whole = table.norm * norm
    if not shares or not whole:
        return {"cosine": 0.0}
    # Rounding may carry a page that is the topic itself past 1.
    parts = {"cosine": min(1.0, math.fsum(share for share, _ in shares) / whole)}
    for share, term in nlargest(SHOWN_TERMS, shares):
        parts[f"term:{table.readable[term]}"] = share / whole
    return parts
