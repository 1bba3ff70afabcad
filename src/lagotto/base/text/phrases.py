"""Phrases and names that the user gave, each counted as one term."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from lagotto.base.text.names import names_of_phrase, pieces
from lagotto.base.text.stems import terms_of
from lagotto.base.text.tokens import tokens


def phrase_term(phrase: str, language: str = "en") -> str:
    """The term that a phrase becomes: its words' terms joined by spaces.

    >>> phrase_term("Lok Sabha"), phrase_term("vitamin C"), phrase_term("Formula 1"), phrase_term("C++")
    ('lok sabha', 'vitamin c', 'formula 1', 'c++')
    """
    return " ".join(phrase_parts(phrase, language))


def merge_phrases(terms: Sequence[str], phrases: Iterable[str], language: str = "en") -> list[str]:
    """Terms with every occurrence of a phrase merged into one; of two that fit, the longer wins.

    >>> merge_phrases(["lok", "sabha", "poll", "2014"], ["Lok Sabha"])
    ['lok sabha', 'poll', '2014']
    """
    by_first = _by_first(tuple(phrases), language)
    if by_first.keys().isdisjoint(terms):
        return list(terms)
    merged: list[str] = []
    i = 0
    while i < len(terms):
        for parts in by_first.get(terms[i], ()):
            if tuple(terms[i : i + len(parts)]) == parts:
                merged.append(" ".join(parts))
                i += len(parts)
                break
        else:
            merged.append(terms[i])
            i += 1
    return merged


@lru_cache(maxsize=1024)
def phrase_parts(phrase: str, language: str = "en") -> tuple[str, ...]:
    """The terms of a phrase's words and names."""
    return tuple(split_terms(phrase, language, tuple(names_of_phrase(phrase))))


@lru_cache(maxsize=64)
def searched_names(phrases: tuple[str, ...]) -> tuple[str, ...]:
    """The names among phrases, and those that are parts of them."""
    return tuple(dict.fromkeys(name for phrase in phrases for name in names_of_phrase(phrase)))


def split_terms(text: str, language: str, names: tuple[str, ...]) -> list[str]:
    """Terms of a text in which each of the names is one."""
    memo = terms_of(language)
    if not names:
        return memo.sequence(tokens(text))
    found: list[str] = []
    for piece in pieces(text, names):
        if piece.name:
            found.append(piece.text)
        else:
            found += memo.sequence(tokens(piece.text))
    return found


@lru_cache(maxsize=64)
def _by_first(phrases: tuple[str, ...], language: str) -> dict[str, list[tuple[str, ...]]]:
    """First term -> phrases that begin with it, longest first; phrases of one term need no merging."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for parts in sorted({phrase_parts(phrase, language) for phrase in phrases}, key=len, reverse=True):
        if len(parts) > 1:
            found.setdefault(parts[0], []).append(parts)
    return found
