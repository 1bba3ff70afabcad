"""Queries of the index library for what a user wants."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime

from tantivy import FieldType, Occur, Query

from lagotto.searching.analysis import separated
from lagotto.searching.index import BOOSTS, PageIndex, group_of
from lagotto.searching.query import Filter, Wanted
from lagotto.text import base_language, stop_words
from lagotto.views import StoredPage

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
