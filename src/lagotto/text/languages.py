"""The language a text is written in, by the function words it uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import chain

from lagotto.text.stems import STOP_WORD_LANGUAGES, stop_words

SAMPLE = 250
"""Tokens looked at, spread over the text; more would not change the vote."""
MIN_VOTES = 5
MIN_SHARE = 0.08
MIN_LEAD = 1.25


def guess_language(tokens: Sequence[str]) -> str:
    """Language whose stop words are clearly the most frequent, or an empty string when none are.

    Running text of any language is a third to a half function words, so the vote is clear after a
    few sentences; tables and lists of names have no such words, and nothing is said of them.

    >>> guess_language("the weather in the north of the country is cold and it rains".split())
    'en'
    """
    sample = tokens[:: max(1, len(tokens) // SAMPLE)]
    votes = Counter(chain.from_iterable(filter(None, map(_languages_by_word().get, sample))))
    (first, most), (_, second) = [*votes.most_common(2), ("", 0), ("", 0)][:2]
    clear = most >= max(MIN_VOTES, MIN_SHARE * len(sample), MIN_LEAD * second)
    return first if clear else ""


@cache
def _languages_by_word() -> dict[str, tuple[str, ...]]:
    languages: dict[str, tuple[str, ...]] = {}
    for language in STOP_WORD_LANGUAGES:
        for word in stop_words(language):
            languages[word] = (*languages.get(word, ()), language)
    return languages
