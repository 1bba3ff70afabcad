"""Whether a page has changed for a reader: its words are compared, not its numbers and dates.

Clocks, counters, dates and "3 minutes ago" change with every visit and say nothing. So words that have a
digit in them, and the names of months, weekdays and units of time, are left out of the comparison. A page
has changed if the words that remain, or their order, are not the same.
"""

from __future__ import annotations

import re

from lagotto.records import Page

_words = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*").findall
_MONTHS = "january february march april may june july august september october november december"
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday"
_UNITS = "second minute hour day week month year"
_CLOCK = "am pm utc gmt cet cest est edt pst pdt ago now today yesterday just st nd rd th a an one sec min hr"
IGNORED = frozenset(
    [
        *_MONTHS.split(),
        *(name[:3] for name in (_MONTHS + " " + _WEEKDAYS).split()),
        *_WEEKDAYS.split(),
        *_UNITS.split(),
        *(f"{unit}s" for unit in _UNITS.split()),
        *_CLOCK.split(),
        "sept",
    ]
)
"""Words that do not count, besides those with a digit."""


def compared(text: str) -> list[str]:
    """The words of a text that count."""
    return [
        word for word in _words(text.casefold()) if word not in IGNORED and not any(map(str.isdecimal, word))
    ]


def has_changed(title: str, text: str | None, fingerprint: str, page: Page) -> bool:
    """Whether a page is another one now; `text` is None if the old one was not kept.

    Without the old text, or on a page that has hardly any words, the fingerprints decide.
    """
    before = compared(f"{title}\n{text}") if text is not None else []
    now = compared(f"{page.title}\n{page.text}")
    if text is None or not (before or now):
        return fingerprint != f"{page.fingerprint & (1 << 64) - 1:016x}"
    return before != now
