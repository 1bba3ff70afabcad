"""The order of what was found: by the words, with relevance as a factor, near-duplicates folded."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from tantivy import Query

from lagotto.searching.damage import damage_explained
from lagotto.searching.index import PageIndex

CANDIDATES = 1000
"""Pages that fit the words best, among which relevance decides."""


class Ranked(Struct, frozen=True):
    """A page in its place."""

    page: int
    score: float
    near_duplicates: int


class Order(Struct, frozen=True):
    """How pages are ordered, and which places are asked for."""

    relevance_weight: float
    fold: bool
    """Whether only the best of several near-duplicates is listed."""
    start: int
    end: int


def ranked(index: PageIndex, query: Query, order: Order) -> tuple[list[Ranked], int]:
    """The pages in the wanted places, and the number of pages that match.

    The score is multiplied by `1 - weight + weight * relevance`.
    """
    searcher = index.searcher
    with damage_explained(index.folder):
        found = searcher.search(query, max(CANDIDATES, 2 * order.end))
        addresses = [address for _, address in found.hits]
        pages = np.array(searcher.fast_field_values("page", addresses), np.int64)
    scores = np.array([score for score, _ in found.hits], np.float64)
    scores *= 1 - order.relevance_weight + order.relevance_weight * index.judgements.of(pages)
    places = np.lexsort((pages, -scores))
    if order.fold:
        groups = np.array(searcher.fast_field_values("group", addresses), np.int64)
        _, first = np.unique(groups[places], return_index=True)
        places = places[np.sort(first)]
    chosen = places[order.start : order.end]
    others = [_others(index, int(groups[place])) if order.fold else 0 for place in chosen]
    listed = zip(pages[chosen].tolist(), scores[chosen].tolist(), others, strict=True)
    return [Ranked(*each) for each in listed], found.count  # type: ignore[attr-defined]  # Not in its stubs.


def _others(index: PageIndex, group: int) -> int:
    """Further pages in a group of near-duplicates."""
    query = Query.term_query(index.schema, "group", group)
    count: int = index.searcher.search(query, 1).count  # type: ignore[attr-defined]
    return count - 1
