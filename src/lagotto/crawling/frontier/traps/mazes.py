"""Look-alike pages that lead to more of their kind: soft 404 pages, calendars, made-up pages."""

from __future__ import annotations

from collections import OrderedDict

from lagotto.base.reasons import Refused
from lagotto.base.urls import host_of
from lagotto.crawling.frontier.traps.evidence import Look, Sighting, Trapped, remember

ALIKE = 14
"""Bits of 64 by which a page differs at most from the look it has."""
ENOUGH = 20
"""Look-alike pages that must have been found on look-alike pages."""
PARENTS = 5
"""Different look-alike pages on which they must have been found."""
COST = 9
"""One page of another look cancels this many look-alike pages."""
LOOKS = 8
"""Looks that are kept of a host; the one with the fewest pages makes room for a new one."""


class _Kind(Look):
    """Pages of one look on one host, and what their links led to."""

    def __init__(self) -> None:
        super().__init__()
        self.votes = 0
        self.parents: set[int] = set()
        self.closed = False
        self.example = ""

    def led_to(self, parent: int, *, alike: bool) -> None:
        """A page was found on a page of this look."""
        if not alike:
            self.votes = max(0, self.votes - COST)
            return
        self.votes = min(self.votes + 1, ENOUGH)
        if len(self.parents) < PARENTS:
            self.parents.add(parent)
        self.closed |= self.votes >= ENOUGH and len(self.parents) >= PARENTS


class Mazes:
    """Pages of one look on a host that lead to nothing but pages of the same look.

    The rule: once 20 pages found on at least 5 pages of one look have this look themselves (14 of 64
    bits of the simhash), links found on pages of this look are refused. Each page of another look that was
    found there cancels nine of the 20.
    """

    def __init__(self) -> None:
        self._kinds: OrderedDict[str, list[_Kind]] = OrderedDict()
        self._kind_of: OrderedDict[int, _Kind] = OrderedDict()
        self._some_closed = False

    def count(self, page: Sighting) -> None:
        """Find out which look the page has, and whether it was found on one of its kind."""
        if not page.simhash:
            return
        host, parent = host_of(page.url), hash(page.parent)
        kind = self._nearest(host, page.simhash) or self._new_kind(host, page.url)
        kind.add(page.simhash)
        remember(self._kind_of, hash(page.url), kind)
        found_on = self._kind_of.get(parent)
        if found_on is not None:
            found_on.led_to(parent, alike=found_on is kind)
            self._some_closed |= found_on.closed

    def _nearest(self, host: str, simhash: int) -> _Kind | None:
        kinds = self._kinds.get(host)
        if not kinds:
            return None
        distances = [kind.distance(simhash) for kind in kinds]
        nearest = min(distances)
        return kinds[distances.index(nearest)] if nearest <= ALIKE else None

    def _new_kind(self, host: str, url: str) -> _Kind:
        kinds = self._kinds.get(host, [])
        if len(kinds) >= LOOKS:
            kinds.remove(min(kinds, key=lambda kind: (kind.closed, kind.pages)))
        kind = _Kind()
        kind.example = url
        kinds.append(kind)
        remember(self._kinds, host, kinds)
        return kind

    def is_in(self, url: str, simhash: int) -> Trapped | None:
        """Why the links of a page are not followed, or None."""
        if not simhash or not self._some_closed:
            return None
        kind = self._nearest(host_of(url), simhash)
        return _trapped(kind) if kind is not None and kind.closed else None

    def found_in(self, parent: str) -> Trapped | None:
        """Why a link that was found on this page is not followed, or None."""
        kind = self._kind_of.get(hash(parent))
        return _trapped(kind) if kind is not None and kind.closed else None


def _trapped(kind: _Kind) -> Trapped:
    return Trapped(Refused.ALIKE, f"found among pages that look like {kind.example} and lead to more of them")
