"""Phrases: what the user wants counted as one term.

A phrase is several words in quotes or given in a list, or a name that the usual words do not hold (`C++`,
`R`, `COVID-19`), which needs no quotes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from lagotto.base.text import count_terms, has_name, is_name, names_in, names_of_phrase, phrase_parts

MAX_WORDS = 10
"""A longer quotation is a sentence; its words count one by one."""
MAX_NAMES = 20
"""Names of a query log that pages are searched for."""
_quoted = re.compile(
    '["\u201c\u201d\u201e\u00ab\u00bb]([^"\u201c\u201d\u201e\u00ab\u00bb]+)["\u201c\u201d\u201e\u00ab\u00bb]'
)


def quoted_phrases(text: str, language: str = "en") -> list[str]:
    """Phrases written in quotes, each once.

    >>> quoted_phrases('"Lok Sabha" polls "2014" and “heat  pumps”')
    ['lok sabha', 'heat pumps']
    """
    quoted = (quotation for quotation in _quoted.findall(text) if len(quotation.split()) <= MAX_WORDS)
    return clean_phrases(quoted, language)


def phrases_in(text: str, language: str = "en") -> list[str]:
    """Phrases written in quotes, and names outside them.

    >>> phrases_in('"heat pump" in C++')
    ['heat pump', 'C++']
    """
    return list(dict.fromkeys([*quoted_phrases(text, language), *_names_outside(text)]))


def phrases_of_queries(queries: Sequence[str], language: str = "en") -> list[str]:
    """Phrases that queries quote, and the names that most of them hold.

    A log may hold thousands of names, and every page is searched for each of them: so only some are taken.
    """
    quoted = dict.fromkeys(phrase for query in queries for phrase in quoted_phrases(query, language))
    names = Counter(name for query in queries for name in _names_outside(query))
    common = sorted(names, key=lambda name: (-names[name], name))[:MAX_NAMES]
    return list(dict.fromkeys([*quoted, *common]))


def _names_outside(text: str) -> list[str]:
    """Names that stand in no quotes: those in quotes are parts of a phrase."""
    return names_in(_quoted.sub(lambda found: found[0] if is_name(found[1]) else " ", text))


def clean_phrases(phrases: Iterable[str], language: str = "en") -> list[str]:
    """Phrases each once, in lower case but for names; those of a single usual word are left out.

    >>> clean_phrases(["Heat  Pump", "heat pump", "polls", "vitamin C", "R"])
    ['heat pump', 'vitamin C', 'R']
    """
    spelled = (_spelled(phrase) for phrase in phrases)
    return list(
        dict.fromkeys(
            phrase for phrase in spelled if is_name(phrase) or len(phrase_parts(phrase, language)) > 1
        )
    )


def empty_phrases(text: str, phrases: Iterable[str] = (), language: str = "en") -> list[str]:
    """Phrases of several words, all of which are too common to be terms; no page can be found by them.

    >>> empty_phrases('"The Who" band', ["to be"])
    ['The Who', 'to be']
    """
    quoted = [quotation for quotation in _quoted.findall(text) if len(quotation.split()) <= MAX_WORDS]
    return [
        phrase
        for phrase in [*quoted, *phrases]
        if len(phrase.split()) > 1 and not phrase_parts(phrase, language)
    ]


def _spelled(phrase: str) -> str:
    """A phrase in lower case, one space between words, its names as they are written."""
    return " ".join(word if is_name(word) else word.lower() for word in phrase.split())


def with_phrases(
    counts: Mapping[str, int], text: str, phrases: Sequence[str], language: str = "en"
) -> Mapping[str, int]:
    """A page's term counts in which the phrases are terms, also when its parser did not know them.

    The text is searched only when it has all usual words of a phrase, so most pages cost nothing.
    """
    for phrase in phrases:
        parts = phrase_parts(phrase, language)
        if " ".join(parts) in counts or not all(
            len(part) == 1 or part in counts or is_name(part) for part in parts
        ):
            continue
        if all(has_name(text, name) for name in names_of_phrase(phrase)):
            return count_terms(text, language, phrases)
    return counts
