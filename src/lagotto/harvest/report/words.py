"""Figures, times and lists as people read them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime


def count(number: int, one: str, many: str = "") -> str:
    """A number with its noun.

    >>> count(1, "page"), count(12000, "page")
    ('1 page', '12,000 pages')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def as_sentence(text: str) -> str:
    """A text with a capital letter and a full stop; all else stays, such as the letters of a URL.

    >>> as_sentence("best http://a.example/Chess.htm")
    'Best http://a.example/Chess.htm.'
    """
    return f"{text[:1].upper()}{text[1:]}."


def percent(share: float) -> str:
    r"""A share in percent, on one line; never 0 % or 100 % of what is not nothing or all.

    >>> percent(0.4), percent(0.999), percent(0.001), percent(1.0)
    ('40\xa0%', 'over 99\xa0%', 'under 1\xa0%', '100\xa0%')
    """
    if 0.0 < share < 0.005:
        return "under 1\xa0%"
    if 0.995 <= share < 1.0:
        return "over 99\xa0%"
    return f"{100 * share:.0f}\xa0%"


def size(number: int) -> str:
    """Bytes in a unit that fits.

    >>> size(92567980), size(12)
    ('92.6 MB', '12 bytes')
    """
    for unit, name in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if number >= unit:
            return f"{number / unit:.1f} {name}"
    return count(number, "byte")


def seconds(number: float) -> str:
    """A length of time.

    >>> seconds(0.25), seconds(95), seconds(9000), seconds(200000)
    ('0.25 s', '1 min 35 s', '2 h 30 min', '2 d 7 h')
    """
    if number < 60:
        return f"{number:.2g} s"
    whole = round(number)
    for unit, name, part, small in ((86400, "d", 3600, "h"), (3600, "h", 60, "min"), (60, "min", 1, "s")):
        if whole >= unit:
            rest = whole % unit // part
            return f"{whole // unit} {name}" + (f" {rest} {small}" if rest else "")
    return f"{whole} s"


def moment(at: float | None) -> str:
    """A wall-clock time to the minute, in UTC."""
    return "" if at is None else datetime.fromtimestamp(at, UTC).strftime("%-d %B %Y, %H:%M UTC")


def listed(words: Sequence[str]) -> str:
    """Words as a list in a sentence.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
