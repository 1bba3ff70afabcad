"""Queries of the index library for what a user wants."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

import numpy as np
from msgspec import Struct
from tantivy import FieldType, Occur, Query

from lagotto.base.text import base_language, stop_words
from lagotto.base.views import StoredPage
from lagotto.harvest.search.analysis import separated
from lagotto.harvest.search.index import BOOSTS, PageIndex, damage_explained, group_of
from lagotto.harvest.search.query import Filter, Wanted

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


_TOGETHER = 0.5
"""Weight of a query's words standing together, relative to the words themselves."""
_SLOP = 2
"""Other words that may stand between them."""
_SMALL = 20
"""Pages up to which a term counts as rare, however few pages there are."""
_LIKE_TERMS = 25
"""Terms of a page by which similar ones are found."""

Clauses = list[tuple[Occur, Query]]
Terms = list[str]
"""A word, or several that must stand together."""
PagesOf = Callable[[str], Iterable[int]]
"""Gives the numbers of the pages of a subtopic."""


def text_query(index: PageIndex, groups: list[list[Terms]], *, every: bool = True) -> Query:
    """Pages with one alternative of every group, or of any group."""
    occur = Occur.Must if every else Occur.Should
    clauses = [
        (occur, _any_of([_in_any_field(index, terms) for terms in alternatives])) for alternatives in groups
    ]
    if every and len(groups) > 1 and all(len(alternatives) == 1 for alternatives in groups):
        sequence = [term for [terms] in groups for term in terms]
        together = Query.phrase_query(index.schema, "body", list(sequence), slop=_SLOP)
        clauses.append((Occur.Should, Query.boost_query(together, _TOGETHER)))
    return Query.boolean_query(clauses)


def analysed(index: PageIndex, wanted: Wanted) -> list[list[Terms]]:
    """The groups of a query as terms of the index.

    Function words count only inside a phrase, or if there is nothing else.
    """
    unimportant = stop_words(index.state.language)
    groups = [
        [terms for terms in (index.analyzer.analyze(separated(words)) for words in alternatives) if terms]
        for alternatives in wanted.groups
    ]
    telling = [
        group
        for group, alternatives in zip(groups, wanted.groups, strict=True)
        if group and not all(words.lower() in unimportant for words in alternatives)
    ]
    return telling or [group for group in groups if group]


def like_query(index: PageIndex, stored: StoredPage) -> Query:
    """Pages that share telling terms with a page."""
    texts = {"title": [separated(stored.row.title)], "body": [separated(stored.row.text or "")]}
    return Query.more_like_this_document_fields_query(
        index.schema,
        texts,
        min_term_frequency=1,
        min_doc_frequency=2,
        max_doc_frequency=max(_SMALL, index.searcher.num_docs // 3),
        max_query_terms=_LIKE_TERMS,
        stop_words=sorted(stop_words(index.state.language)),
    )


def conditions(index: PageIndex, wanted: Wanted, pages_of: PagesOf) -> Clauses:
    """What pages must meet, whatever their score."""
    clauses = []
    for each in wanted.filters:
        met = Query.const_score_query(_filter(index, each, pages_of), 0.0)
        clauses.append((Occur.MustNot if each.excluded else Occur.Must, met))
    for words in wanted.excluded:
        if terms := index.analyzer.analyze(separated(words)):
            clauses.append((Occur.MustNot, _in_any_field(index, terms)))
    return clauses


def all_pages() -> Query:
    """Every page; not the document that holds the state."""
    return Query.const_score_query(Query.exists_query("page"), 1.0)


def without_group(index: PageIndex, stored: StoredPage) -> tuple[Occur, Query]:
    """Leaves out a page and its near-duplicates."""
    return Occur.MustNot, Query.term_query(index.schema, "group", group_of(stored))


def _filter(index: PageIndex, wanted: Filter, pages_of: PagesOf) -> Query:
    value = wanted.value
    if wanted.name == "subtopic":
        return Query.term_set_query(index.schema, "page", list(pages_of(str(value))))
    if isinstance(value, datetime):
        if wanted.name == "after":
            return Query.range_query(index.schema, "fetched_at", FieldType.Date, value)
        return Query.range_query(
            index.schema, "fetched_at", FieldType.Date, upper_bound=value, include_upper=False
        )
    if wanted.name == "language":
        value = base_language(str(value))
    return Query.term_query(index.schema, wanted.name, value)


def _in_any_field(index: PageIndex, terms: Terms) -> Query:
    return _any_of([Query.boost_query(_exactly(index, name, terms), boost) for name, boost in BOOSTS.items()])


def _exactly(index: PageIndex, field: str, terms: Terms) -> Query:
    if len(terms) == 1:
        return Query.term_query(index.schema, field, terms[0])
    return Query.phrase_query(index.schema, field, list(terms))


def _any_of(queries: list[Query]) -> Query:
    return Query.boolean_query([(Occur.Should, query) for query in queries])
