"""The words that a strategy compares pages with: those of the topic, and as a user changes them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from heapq import nlargest
from operator import mul

from msgspec import msgpack

from lagotto.base.errors import InputError
from lagotto.base.records import Judgement, Page
from lagotto.base.text import readable_terms
from lagotto.focus.topic import (
    QueryTable,
    Topic,
    TopicPages,
    WeightTable,
    read_query_log,
    table_from_results,
    with_phrases,
)

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


_EDIT = b"\xc1"
"""First byte of a sample that holds changed words; no value in msgpack begins with it."""


def edit_sample(words: Mapping[str, float]) -> bytes:
    """The sample by which a strategy learns changed words."""
    return _EDIT + msgpack.encode(dict(words))


def words_of(sample: bytes) -> dict[str, float] | None:
    """Word -> weight from a sample of `edit_sample`; None for any other sample."""
    return msgpack.decode(sample[1:], type=dict[str, float]) if sample[:1] == _EDIT else None


class Edits:
    """The weights that a user gave to terms while the crawl ran; 0 for a term that was removed."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.weights: dict[str, float] = {}
        self._readable: dict[str, str] = {}

    def sample(self, words: Mapping[str, float], table: WeightTable) -> bytes:
        """The sample of an edit, if it leaves something in the table."""
        edited = Edits(self.language)
        edited.weights = dict(self.weights)
        edited.add(words)
        edited.apply(table)
        return edit_sample(words)

    def add(self, words: Mapping[str, float]) -> None:
        """Take in changed words; a later weight of a word replaces an earlier one."""
        for word, weight in words.items():
            found = readable_terms(word, self.language, [word] if " " in word else [])
            if not found:
                raise InputError(f"'{word}' says nothing about a topic; write words such as: solar power")
            self.weights |= dict.fromkeys(found, weight)
            self._readable |= found

    def apply(self, table: WeightTable) -> WeightTable:
        """The table with the user's weights."""
        if not self.weights:
            return table
        weights = {term: weight for term, weight in {**table, **self.weights}.items() if weight > 0}
        if not weights:
            raise InputError("this would leave the topic without words; add one before you remove the last")
        readable = {**table.readable, **self._readable}
        return WeightTable(
            weights, readable, table.language, table.source, table.provenance, table.version + 1
        )

    def save(self) -> bytes:
        """All changes so far."""
        return msgpack.encode((self.weights, self._readable)) if self.weights else b""

    def load(self, saved: bytes) -> None:
        """Take back what `save` gave."""
        empty: tuple[dict[str, float], dict[str, str]] = ({}, {})
        self.weights, self._readable = (
            msgpack.decode(saved, type=tuple[dict[str, float], dict[str, str]]) if saved else empty
        )
