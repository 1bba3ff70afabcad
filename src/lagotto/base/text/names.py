"""Names that the usual cutting into words would lose: `C++`, `C#`, `.NET`, `R`, `COVID-19`.

Words are cut at every sign and single letters are dropped, so these names need the user: a name that stands
among the topic's words is searched for in texts as it is written. Texts without such names cost nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from lagotto.base.text.tokens import words

_HYPHENS = "-\u2010\u2011\u2012\u2013\u2212"
_NOT_NAMES = frozenset("aeiouyAI")
"""Single letters that are words of their own in many languages."""
# Signs at the end (C++, C#), a dot at the beginning (.NET), or signs between parts (COVID-19, AT&T, 3.11).
_written = re.compile(rf"\.?\w+(?:[{_HYPHENS}&/.]\w+)*[+#]{{0,2}}").fullmatch
_parts = re.compile(r"\w+").findall
_AROUND = "\"'()[]{}<>,;:!?\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb"


class Piece(NamedTuple):
    """A part of a text: a name, or the text between two names."""

    text: str
    name: bool


def is_name(word: str) -> bool:
    """Whether a word is a name that the usual words of a text do not hold.

    >>> [is_name(word) for word in ("C++", "R", ".NET", "COVID-19", "solar-power", "polls", "a")]
    [True, True, True, True, False, False, False]
    """
    if len(word) == 1:
        return word.isalpha() and word.isascii() and word not in _NOT_NAMES
    if not _written(word) or words(word) == [word.lower()]:
        return False
    if word[0] == "." or word[-1] in "+#":
        return True
    return any(len(part) == 1 or part.isdigit() for part in _parts(word))


def names_in(text: str) -> list[str]:
    """The names among the words of a topic, each once, as they are written.

    >>> names_in('learn C++ and R, "vitamin C" or COVID-19.')
    ['C++', 'R', 'C', 'COVID-19']
    """
    found = (word.strip(_AROUND).removesuffix(".") for word in text.split())
    return list(dict.fromkeys(filter(is_name, found)))


def names_of_phrase(phrase: str) -> list[str]:
    """The names among the words of a phrase, where single digits count, too.

    >>> names_of_phrase("Formula 1"), names_of_phrase("vitamin C")
    (['1'], ['C'])
    """
    names = names_in(phrase)
    if len(phrase.split()) > 1:
        names += [word for word in dict.fromkeys(phrase.split()) if len(word) == 1 and word.isdecimal()]
    return names


def name_term(name: str) -> str:
    """The term that a name becomes: lower case, with plain hyphens.

    >>> name_term("COVID\u201119")
    'covid-19'
    """
    return re.sub(f"[{_HYPHENS}]", "-", name).lower()


def pieces(text: str, names: Iterable[str]) -> Iterator[Piece]:
    """A text cut at the names in it, which come as terms.

    >>> [piece.text for piece in pieces("Learn C++ in C", ("C++", "C"))]
    ['Learn ', 'c++', ' in ', 'c']
    """
    pattern, terms = _search(tuple(names))
    end = 0
    for match in pattern.finditer(text):
        if match.start() > end:
            yield Piece(text[end : match.start()], name=False)
        yield Piece(terms[(match.lastindex or 1) - 1], name=True)
        end = match.end()
    if end < len(text):
        yield Piece(text[end:], name=False)


def has_name(text: str, name: str) -> bool:
    """Whether a text has a name."""
    return _search((name,))[0].search(text) is not None


@lru_cache(maxsize=256)
def _search(names: tuple[str, ...]) -> tuple[re.Pattern[str], list[str]]:
    """A pattern with a group for each name, the longest first, and the terms of these groups."""
    ordered = sorted(names, key=lambda name: (-len(name), name))
    pattern = "|".join(f"({_pattern(name)})" for name in ordered)
    return re.compile(pattern), [name_term(name) for name in ordered]


def _pattern(name: str) -> str:
    """A name by itself: not a part of a longer word or name, hyphens written in any way or not at all."""
    spelled = "".join(rf"[{_HYPHENS}\s]?" if sign in _HYPHENS else re.escape(sign) for sign in name)
    # A capital letter that stands alone is searched for as a capital: R is a language, r mostly a variable.
    flags = "" if len(name) == 1 and name.isupper() else "i"
    written = f"(?{flags}:{spelled})" if flags else spelled
    return rf"(?<![\w+#&]){_not_before(name)}{written}(?![\w+#&]|[.'\u2019]\w)"


def _not_before(name: str) -> str:
    """Signs that make a single letter a part of something else, such as `e-R` or `it's`."""
    return rf"(?<![{_HYPHENS}.'\u2019])" if len(name) == 1 else ""
