"""Weight tables for what the user gave, where a strategy compares pages with the topic's words."""

from __future__ import annotations

from lagotto.base.errors import InputError
from lagotto.focus.topic import QueryTable, Topic, TopicPages, WeightTable, read_query_log, table_from_results

BESIDE_WORDS = 0.5
"""Largest weight of a found term, where a word of the user has 1. With equal weights the harvest on the
development topics fell by a third: many terms of the first pages are there by chance."""


def focus_table(topic: Topic) -> WeightTable:
    """The saved table or the words; without them the query log, the example pages or the search results."""
    if topic.word_table is not None:
        return topic.word_table
    if topic.query_log is not None:
        queries = QueryTable(threshold=0.0, language=topic.language, phrases=topic.phrases)
        if asked := queries.rebuild(queries.count(read_query_log(topic.query_log).texts)):
            return asked
    if topic.relevant:
        pages = TopicPages(language=topic.language)
        pages.add_documents(topic.relevant)
        return pages.table()
    if topic.results:
        return table_from_results(topic.results, language=topic.language, phrases=topic.phrases)
    raise InputError("this strategy compares pages with words; say what the topic is in a few of them")


def beside_words(words: WeightTable, found: WeightTable, version: int = 1) -> WeightTable:
    """The user's words with the terms that were found on pages, at half the weight."""
    weights = {term: BESIDE_WORDS * weight for term, weight in found.items()} | dict(words)
    readable = {**found.readable, **words.readable}
    return WeightTable(
        weights, readable, words.language, f"words and {found.source}", found.provenance, version
    )
