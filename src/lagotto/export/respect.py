"""Opt-outs in exports: which pages they leave out, and how many pages state what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from lagotto.errors import InputError
from lagotto.facts import Use
from lagotto.protocols import Reader
from lagotto.views import StoredPage

NONE, ALL = "none", "all"
RESPECTED = (*Use, ALL, NONE)
TRAINING = str(Use.TDM)
"""What is respected by default in an export that training is made for."""


def respected_uses(respect: str) -> frozenset[Use]:
    """The uses that a value of `--respect` names; an unknown one is an `InputError`.

    >>> sorted(respected_uses("tdm,ai")), respected_uses("none")
    ([<Use.AI: 'ai'>, <Use.TDM: 'tdm'>], frozenset())
    """
    named = [name.strip() for name in respect.split(",") if name.strip()]
    for name in named:
        if name not in RESPECTED or (len(named) > 1 and name in (ALL, NONE)):
            raise InputError(
                f"--respect cannot be '{respect}'; "
                f"name some of {', '.join(Use)}, divided by commas, or {ALL} or {NONE}"
            )
    return frozenset(Use) if ALL in named else frozenset(Use(name) for name in named if name != NONE)


def opts_out(stored: StoredPage, uses: frozenset[Use]) -> bool:
    """Whether a page opts out of one of these uses."""
    return stored.facts is not None and any(each.use in uses for each in stored.facts.opt_outs)


def left_out_sentence(reader: Reader, respect: str) -> str:
    """How many pages of a crawl opt out of uses that are respected; empty if there are none."""
    uses = respected_uses(respect)
    count = sum(stored.is_page and opts_out(stored, uses) for stored in reader.stored_pages()) if uses else 0
    pages = "page that opts" if count == 1 else "pages that opt"
    return f"left out {count} {pages} out of {respect}; --respect none keeps all" if count else ""


class FactCounts:
    """Counts licences and opt-outs of pages, for a card or a report."""

    def __init__(self, pages: Iterable[StoredPage] = ()) -> None:
        self.pages = 0
        self.licenses: Counter[str] = Counter()
        """Licence as the page states it, its URL if it has one -> pages; empty if they state none."""
        self.opt_outs: Counter[tuple[Use, str]] = Counter()
        """Use and source of the signal, such as `header` -> pages."""
        for stored in pages:
            self.add(stored)

    def add(self, stored: StoredPage) -> None:
        """Count one page."""
        self.pages += 1
        self.licenses[stored.row.license] += 1
        if stored.facts is not None:
            self.opt_outs.update({(each.use, each.source) for each in stored.facts.opt_outs})
