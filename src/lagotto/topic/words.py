"""The simplest weight table: the words a user types, phrases in quotes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lagotto.errors import InputError
from lagotto.text import count_terms, phrase_term, readable_terms
from lagotto.topic.phrases import clean_phrases, phrases_in
from lagotto.topic.table import WeightTable


def table_from_words(words: str, *, language: str = "en", phrases: Iterable[str] = ()) -> WeightTable:
    """Each word, phrase or name with the number of times it was typed, divided by the largest.

    A listed phrase is part of the topic even if the words do not hold it.

    >>> dict(table_from_words('solar solar panels "heat pump"'))
    {'solar': 1.0, 'heat pump': 0.5, 'panel': 0.5}
    """
    listed = clean_phrases(phrases, language)
    spelled = clean_phrases([*listed, *phrases_in(words, language)], language)
    counts = {phrase_term(phrase, language): 1 for phrase in listed} | count_terms(words, language, spelled)
    if not counts:
        raise InputError(f"'{words}' says nothing about a topic; write words such as: solar power")
    largest = max(counts.values())
    return WeightTable(
        {term: count / largest for term, count in counts.items()},
        readable_terms("\n".join([words, *listed]), language, spelled),
        language,
        source="words",
        provenance={"words": words},
    )


def words_of(arguments: Sequence[str]) -> str:
    """The words of a topic given one by one: one with a space in it is a phrase.

    >>> words_of(["solar", "heat pump"])
    'solar "heat pump"'
    """
    return " ".join(f'"{word}"' if _is_phrase(word) else word for word in arguments)


def words_typed(arguments: Sequence[str]) -> str:
    """The words of a command line; an argument that stands alone is a whole line of words.

    >>> words_typed(["solar", "heat pump"]), words_typed(["solar power"])
    ('solar "heat pump"', 'solar power')
    """
    return arguments[0] if len(arguments) == 1 else words_of(arguments)


def _is_phrase(word: str) -> bool:
    return len(word.split()) > 1 and '"' not in word
