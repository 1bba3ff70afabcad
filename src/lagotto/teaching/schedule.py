"""When to ask during a crawl: early and evenly, so that most of the crawl profits from the answers."""

from __future__ import annotations

from msgspec import Struct

FIRST_PAGE = 11
"""Before this page there is too little to choose from."""
EARLY_SHARE = 0.4
"""Share of the page budget over which the questions are spread."""
PAGES_PER_QUESTION = 20
"""Pages between two questions where the crawl has no page budget."""


class Schedule(Struct, frozen=True):
    """Spreads a number of questions over the first part of a crawl."""

    questions: int
    max_pages: int = 0

    def due(self, pages: int) -> int:
        """Questions that should have been asked once this many pages are fetched."""
        if pages < FIRST_PAGE:
            return 0
        last = FIRST_PAGE + self.questions * PAGES_PER_QUESTION
        if self.max_pages:
            last = max(FIRST_PAGE + 1, int(EARLY_SHARE * self.max_pages))
        share = (pages - FIRST_PAGE + 1) / (last - FIRST_PAGE + 1)
        return min(self.questions, max(1, int(share * self.questions)))
