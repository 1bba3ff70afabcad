"""How a topic's words are read, said before a crawl: which count, which tell little, which are doubtful."""

from __future__ import annotations

from collections.abc import Iterator

from lagotto.focus.topic.background import load_background
from lagotto.focus.topic.table import WeightTable
from lagotto.focus.topic.thesaurus import load_thesaurus
from lagotto.focus.topic.vectors import load_vectors

COMMON = 0.1
"""Share of pages of any topic that have a word from which on it tells little."""
MANY_SENSES = 10
"""Senses from which on a common word is said to have many."""
SECOND_SENSE = 0.1
"""How often a further sense must be meant, relative to the usual one, for a word alone to be ambiguous."""

SHORT = 3
"""Letters that a term of Latin script has at least to be looked for in the tables."""


def read_as(table: WeightTable) -> str:
    """The words as they are read, heaviest first; the forms of one word count as one."""
    words = ", ".join(dict.fromkeys(table.readable.get(term, term) for term in table))
    return f"reads the words, in all their forms, as language {table.language}: {words}"


def doubts(table: WeightTable) -> Iterator[str]:
    """What may go wrong with the words, and what would help; nothing of a language that is not known."""
    background = load_background(table.language)
    if not background.documents:
        return
    shares = {term: background.frequencies.get(term, 0) / background.documents for term in table}
    terms = [term for term in table if " " not in term]
    if unknown := [term for term in terms if _unknown(term, table.language)]:
        yield (
            f"not known as words of language {table.language}: {_named(table, unknown)}; "
            "check the spelling, or name their language with --language"
        )
    senses = {term: len(load_thesaurus(table.language).concepts(term)) for term in terms}
    if common := [term for term in terms if shares[term] >= COMMON]:
        many = [term for term in common if senses[term] >= MANY_SENSES]
        also = f"; with many senses: {_named(table, many)}" if many else ""
        yield f"common words, which tell little by themselves: {_named(table, common)}{also}; add rarer ones"
    if len(table) == 1 and terms and _ambiguous(terms[0], table.language):
        yield f"'{_named(table, terms)}' has several senses; a second word would tell which is meant"


def _unknown(term: str, language: str) -> bool:
    """Whether no table of the language has the term; short terms and figures need not be in one."""
    if (
        not term.isalpha()
        or (len(term) < SHORT and term.isascii())
        or term in load_background(language).frequencies
    ):
        return False
    return term not in load_vectors(language).stems and not load_thesaurus(language).concepts(term)


def _ambiguous(term: str, language: str) -> bool:
    often = sorted(load_thesaurus(language).concepts(term).values(), reverse=True)
    return len(often) > 1 and often[1] >= SECOND_SENSE * often[0]


def _named(table: WeightTable, terms: list[str]) -> str:
    return ", ".join(table.readable.get(term, term) for term in terms)
