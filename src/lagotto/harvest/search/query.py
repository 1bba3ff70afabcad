"""What a user types, read: words, phrases, alternatives, exclusions, filters."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from msgspec import Struct

from lagotto.base.errors import InputError

FILTERS = ("host", "language", "subtopic", "relevant", "after", "before")
_piece = re.compile(rf'(-?)(?:({"|".join(FILTERS)}):)?("[^"]*"?|[^\s"]+)').finditer
_TRUTHS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
_DATES = ("%Y-%m-%d", "%Y-%m", "%Y")


class Filter(Struct, frozen=True):
    """A condition on pages that does not count for the score."""

    name: str
    value: str | bool | datetime
    excluded: bool = False


class Wanted(Struct):
    """A query, read."""

    groups: list[list[str]] = []
    """Each must be on the page: one of the alternatives, which are words or phrases."""
    excluded: list[str] = []
    filters: list[Filter] = []

    def has_words(self) -> bool:
        """Whether there is a letter or a digit to look for."""
        words = [word for group in [*self.groups, self.excluded] for word in group]
        return any(character.isalnum() for word in words for character in word)


def read_query(text: str) -> Wanted:
    """Read a query such as `"solar power" OR photovoltaic -nuclear host:example.org after:2026-01`.

    Whatever is no phrase and no filter is a word, so that any text is a query.

    >>> read_query('"heat pump" OR boiler -gas').groups
    [['heat pump', 'boiler']]
    """
    wanted = Wanted()
    joined = False
    for piece in _piece(text):
        minus, name, value = piece.groups()
        words = value.strip('"')
        if name:
            wanted.filters.append(Filter(name, _value(name, words), bool(minus)))
        elif value == "OR" and not minus and wanted.groups:
            joined = True
            continue
        elif minus:
            wanted.excluded.append(words)
        elif joined:
            wanted.groups[-1].append(words)
        else:
            wanted.groups.append([words])
        joined = False
    return wanted


def _value(name: str, text: str) -> str | bool | datetime:
    if name == "relevant":
        if text.lower() not in _TRUTHS:
            raise InputError(f"relevant: takes yes or no, not '{text}'")
        return _TRUTHS[text.lower()]
    if name in ("after", "before"):
        for form in _DATES:
            try:
                return datetime.strptime(text, form).replace(tzinfo=UTC)
            except ValueError:
                continue
        raise InputError(f"{name}: takes a date such as 2026-01-31, 2026-01 or 2026, not '{text}'")
    if not text:
        raise InputError(f"{name}: needs a value, such as {_EXAMPLES[name]}")
    return text.lower()


_EXAMPLES = {"host": "host:example.org", "language": "language:en", "subtopic": "subtopic:batteries"}
