"""All rules that recognise traps, asked together."""

from __future__ import annotations

from collections import Counter

from lagotto.crawling.frontier.traps.endless import Endless
from lagotto.crawling.frontier.traps.evidence import Sighting, Trapped
from lagotto.crawling.frontier.traps.facets import Facets
from lagotto.crawling.frontier.traps.mazes import Mazes
from lagotto.crawling.frontier.traps.mirrors import Mirrors
from lagotto.crawling.frontier.traps.same_pages import SamePages

_NAMED = 1000
"""Traps that are counted by name."""


class Traps:
    """Counts fetched pages, and refuses links into traps."""

    def __init__(self, *, enabled: bool = True) -> None:
        self.enabled = enabled
        self.found: Counter[str] = Counter()
        """Trap, as a sentence -> links refused because of it."""
        self.same_pages = SamePages()
        self.mirrors = Mirrors()
        self.facets = Facets()
        self.mazes = Mazes()
        self.endless = Endless()

    @property
    def refuse_some(self) -> bool:
        """Whether any trap is known by its URLs, so that links must be looked at."""
        return (
            self.same_pages.refuse_some
            or self.mirrors.refuse_some
            or self.facets.refuse_some
            or self.endless.refuse_some
        )

    def count(self, page: Sighting) -> None:
        """Learn from a fetched page; pages come in the order of the commits."""
        if self.enabled:
            self.same_pages.count(page)
            self.mirrors.count(page)
            self.facets.count(page)
            self.mazes.count(page)
            self.endless.count(page, renamed=self.same_pages.renames(page.url))

    def miss(self, url: str) -> None:
        """Learn from a request that brought no page."""
        if self.enabled:
            self.endless.miss(url)

    def refuses(self, url: str, parent: str = "") -> Trapped | None:
        """Why the link, found on the page `parent`, leads into a trap, or None."""
        trapped = (
            self.same_pages.refuses(url)
            or self.mirrors.refuses(url)
            or self.facets.refuses(url)
            or self.endless.refuses(url, parent)
        )
        return self._note(trapped or (self.mazes.found_in(parent) if parent else None))

    def holds(self, url: str, simhash: int) -> Trapped | None:
        """Why the links of this page lead into a trap, or None."""
        return self._note(self.mazes.is_in(url, simhash))

    def _note(self, trapped: Trapped | None) -> Trapped | None:
        if trapped is not None and (trapped.why in self.found or len(self.found) < _NAMED):
            self.found[trapped.why] += 1
        return trapped
