"""Filters and sort orders of one list, combined in ever new ways."""

from __future__ import annotations

from collections import OrderedDict

from lagotto.base.reasons import Refused
from lagotto.crawling.frontier.traps.evidence import Look, Sighting, Trapped, remember

ENOUGH = 50
"""Pages of a path that must have come from queries with two or more parameters."""
COMBINED = 2
"""Pages that came for each different `name=value`, on average."""
ALIKE = 22
"""Bits of 64 by which a page of the same few things differs at most from the path's look."""
SHARE = 2 / 3
"""Share of the pages that must look alike."""
PATHS = 20_000


class _Path:
    """What came from one path."""

    def __init__(self) -> None:
        self.pages = 0
        self.alike = 0
        self.pairs: set[str] = set()
        self.look = Look()

    def add(self, pairs: list[str], simhash: int) -> None:
        """Count a page."""
        self.pages += 1
        self.alike += not simhash or self.look.distance(simhash) <= ALIKE
        if simhash:
            self.look.add(simhash)
        self.pairs.update(pairs)

    @property
    def closed(self) -> bool:
        return (
            self.pages >= ENOUGH
            and self.pages >= COMBINED * len(self.pairs)
            and self.alike >= SHARE * self.pages
        )


class Facets:
    """Paths whose queries combine the same few values again and again.

    The rule: once 50 pages of a path came from queries of two or more parameters, at least two for
    each different `name=value`, and two thirds of them look alike, queries of two or more parameters are
    refused there. A page looks alike if its simhash differs in at most 22 of 64 bits from the path's look,
    which has in each bit what most of the pages before had, or if it has no simhash.
    """

    def __init__(self) -> None:
        self._paths: OrderedDict[str, _Path] = OrderedDict()
        self._closed: set[str] = set()

    def count(self, page: Sighting) -> None:
        """Count the page for its path."""
        address, pairs = _combination(page.url)
        if not pairs or address in self._closed:
            return
        path = self._paths.get(address) or _Path()
        path.add(pairs, page.simhash)
        remember(self._paths, address, path, PATHS)
        if path.closed:
            self._closed.add(address)
            del self._paths[address]

    @property
    def refuse_some(self) -> bool:
        """Whether any URL would be refused."""
        return bool(self._closed)

    def refuses(self, url: str) -> Trapped | None:
        """Why the URL is one combination too many, or None."""
        if not self._closed:
            return None
        address, pairs = _combination(url)
        if pairs and address in self._closed:
            return Trapped(Refused.FACETS, f"{address} combines the same few parameters again and again")
        return None


def _combination(url: str) -> tuple[str, list[str]]:
    """Path and the pairs of the query, if there are two or more."""
    address, _, query = url.partition("?")
    pairs = [pair for pair in query.split("&") if pair]
    return address, pairs if len(pairs) > 1 else []
