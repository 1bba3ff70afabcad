"""Evidence that a difference between URLs makes no difference to the page."""

from __future__ import annotations

ENOUGH = 5
"""Different pages that must have come twice."""
MOST_EXCEPTIONS = 0.1
"""Share of the pairs that may have given different pages."""
_KEPT = 64


class Evidence:
    """Pairs of URLs that differ in one thing: convincing once 5 different pages came twice.

    At most one in ten of the pairs may have given different pages. Pairs that gave one and the same
    page, such as an error page, count once.
    """

    def __init__(self) -> None:
        self.differed = 0
        self._pages: set[int] = set()
        self._agreed = 0

    def agree(self, fingerprint: int) -> None:
        """Two URLs gave this page."""
        if fingerprint in self._pages:
            return
        self._agreed += 1
        if len(self._pages) < _KEPT:
            self._pages.add(fingerprint)

    def differ(self) -> None:
        """Two URLs gave different pages."""
        self.differed += 1

    @property
    def convincing(self) -> bool:
        """Whether the difference between the URLs may be ignored."""
        return self._agreed >= ENOUGH and self.differed <= MOST_EXCEPTIONS * (self._agreed + self.differed)
