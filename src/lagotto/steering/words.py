"""Words and weights as a user types them."""

from __future__ import annotations

import re
from math import isfinite

from lagotto.errors import InputError

_ENTRY = re.compile(
    r"""(?P<minus>-?)(?:"(?P<phrase>[^"]+)"|(?P<word>[^\s"=]+))(?:=(?P<weight>\S*))?(?:\s+|$)"""
)
_HINT = 'write words like this: solar=2 wind "heat pump"=0.5 -nuclear'


def parse_words(text: str) -> dict[str, float]:
    """Word or quoted phrase -> weight, 1 where none is given; a minus sign stands for 0, which removes it.

    >>> parse_words('solar=2 wind "heat pump"=0.5 -nuclear')
    {'solar': 2.0, 'wind': 1.0, 'heat pump': 0.5, 'nuclear': 0.0}
    """
    words: dict[str, float] = {}
    at, text = 0, text.strip()
    while at < len(text):
        entry = _ENTRY.match(text, at)
        if entry is None:
            raise InputError(f"'{text[at:]}' cannot be read as words; {_HINT}")
        at = entry.end()
        word = " ".join((entry["phrase"] or entry["word"]).split())
        words[word] = 0.0 if entry["minus"] else _weight(word, entry["weight"])
        if entry["minus"] and entry["weight"] is not None:
            raise InputError(f"a word that is removed has no weight; write -{word}")
    check_words(words)
    return words


def check_words(words: dict[str, float]) -> None:
    """Refuse weights that make no sense."""
    if not words:
        raise InputError(f"there is no word; {_HINT}")
    for word, weight in words.items():
        if not isfinite(weight) or weight < 0:
            raise InputError(f"the weight of '{word}' must be a number from 0 up, not {weight:g}")


def _weight(word: str, given: str | None) -> float:
    if given is None:
        return 1.0
    try:
        return float(given)
    except ValueError:
        raise InputError(f"the weight of '{word}' must be a number, not '{given}'; {_HINT}") from None
