"""Phrases: several words that the user wants taken as one, written in quotes or given in a list."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from lagotto.text import count_terms, phrase_term

MAX_WORDS = 10
"""A longer quotation is a sentence; its words count one by one."""
_quoted = re.compile(
    '["\u201c\u201d\u201e\u00ab\u00bb]([^"\u201c\u201d\u201e\u00ab\u00bb]+)["\u201c\u201d\u201e\u00ab\u00bb]'
)


def quoted_phrases(text: str, language: str = "en") -> list[str]:
    """Phrases written in quotes, in lower case, each once.

    >>> quoted_phrases('"Lok Sabha" polls "2014" and “heat  pumps”')
    ['lok sabha', 'heat pumps']
    """
    found = (" ".join(quotation.lower().split()) for quotation in _quoted.findall(text))
    return clean_phrases((phrase for phrase in found if phrase.count(" ") < MAX_WORDS), language)


def clean_phrases(phrases: Iterable[str], language: str = "en") -> list[str]:
    """Phrases in lower case, each once, without those that come to fewer than two terms."""
    spelled = (" ".join(phrase.lower().split()) for phrase in phrases)
    return list(dict.fromkeys(phrase for phrase in spelled if " " in phrase_term(phrase, language)))


def with_phrases(
    counts: Mapping[str, int], text: str, phrases: Sequence[str], language: str = "en"
) -> Mapping[str, int]:
    """A page's term counts in which the phrases are terms, also when its parser did not know them.

    The text is only looked at when it has all words of a phrase, so most pages cost nothing.
    """
    for phrase in phrases:
        term = phrase_term(phrase, language)
        if term not in counts and all(part in counts for part in term.split(" ")):
            return count_terms(text, language, phrases)
    return counts
