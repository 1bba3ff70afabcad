"""Hosts that give no page for what is asked of them: their links wait until others run dry.

A miss is a request that brought no page: no answer, an error status, or something that is no page. A host
that never gave a page is allowed `FREE` misses. One that gave pages is allowed a few more in a row, and in
all a tenth of its pages and four tenths of its relevant ones. Beyond that it is asked once in a while, the
more rarely the fewer pages it gave and the more misses it had since. Hosts that were never asked share an
allowance that grows with the pages of the crawl, so that a web of dead links does not cost more requests
than it brings pages.
"""

from __future__ import annotations

import heapq
from math import log2

from msgspec import Struct

from lagotto.base.batch import Place
from lagotto.base.records import SEED_SCORE

FREE = 2
"""Misses in a row that every host may have."""
PER_PAGE, PER_RELEVANT = 0.1, 0.4
"""Misses for each page of a host that are usual, and how many more each relevant one excuses."""
PAUSE, LEAST_PAUSE = 500, 10
"""Pages of the crawl until a host is asked again that never gave a page, and that gave many.

The pause doubles with each miss.
"""
LONGEST = 12
"""Times that the pause doubles at most."""
TRIALS = 20
SHARE = 0.08
"""Misses that hosts without a page may have together: so many, and so many for each page of the crawl."""
LATER = 1e9
"""What is added to the place of a link that waits until others run dry.

It is added twice for hosts that were never asked, and three times for those that were and gave nothing:
when all others have run dry, those that gave pages come first.
"""


class _Host(Struct):
    pages: int = 0
    relevant: int = 0
    misses: int = 0
    row: int = 0
    """Misses since the last page."""
    again_at: int = 0
    """Pages of the crawl at which it may be asked again, while it is doubted."""

    @property
    def beyond(self) -> float:
        """Misses in a row beyond those it may have; negative while it may have more."""
        return self.row - FREE - log2(1 + self.pages)

    @property
    def doubted(self) -> bool:
        return self.beyond >= 0 or (self.row > 0 and self.misses > self._excused)

    @property
    def _excused(self) -> float:
        return 2 * FREE + PER_PAGE * self.pages + PER_RELEVANT * self.relevant

    @property
    def pause(self) -> int:
        """Pages of the crawl until it may be asked again."""
        doublings = min(LONGEST, max(0, int(self.beyond)))
        return max(LEAST_PAUSE, PAUSE // (1 + self.pages)) << doublings


class DeadEnds:
    """Counts pages and misses of hosts, and says whose links must wait."""

    def __init__(self) -> None:
        self.pages = 0
        self.misses = 0
        """Misses of hosts that had given no page."""
        self._hosts: dict[str, _Host] = {}
        self._due: list[tuple[int, str]] = []
        """Doubted hosts by the number of pages at which they may be asked again."""
        self._untried: list[tuple[Place, str]] = []
        """Hosts that were never asked and wait for the allowance, the best first."""
        self._waiting: set[str] = set()
        """The same hosts."""
        self._admitted: set[str] = set()
        """Hosts from there whose turn it is."""

    def page(self, host: str, *, relevant: bool = False) -> None:
        """The host gave a page."""
        known = self._hosts.setdefault(host, _Host())
        self.pages += 1
        known.pages += 1
        known.relevant += relevant
        known.row = known.again_at = 0
        self._admitted.discard(host)

    def miss(self, host: str) -> None:
        """A request to the host brought no page."""
        known = self._hosts.setdefault(host, _Host())
        known.misses += 1
        known.row += 1
        self.misses += not known.pages
        self._admitted.discard(host)
        if known.doubted:
            known.again_at = self.pages + known.pause
            heapq.heappush(self._due, (known.again_at, host))

    def place(self, host: str, place: Place) -> Place:
        """Where the host's best link stands, seen from what the host gave so far."""
        if place[0] <= -SEED_SCORE:
            return place  # The user chose the seeds.
        known = self._hosts.get(host)
        if known is None:
            return place if host in self._admitted or self._allowance >= 1 else self._put_off(host, place)
        if known.doubted and self.pages < known.again_at:
            return place[0] + (LATER if known.pages else 3 * LATER), place[1]
        return place

    def _put_off(self, host: str, place: Place) -> Place:
        if host not in self._waiting:
            self._waiting.add(host)
            heapq.heappush(self._untried, (place, host))
        return place[0] + 2 * LATER, place[1]

    def take_due(self) -> list[str]:
        """Hosts whose links need not wait any more; they are to be placed anew."""
        due = []
        while self._due and self._due[0][0] <= self.pages:
            due.append(heapq.heappop(self._due)[1])
        while self._untried and self._allowance >= 1 + len(self._admitted):
            host = heapq.heappop(self._untried)[1]
            self._waiting.discard(host)
            if host not in self._hosts and host not in self._admitted:
                self._admitted.add(host)
                due.append(host)
        return due

    @property
    def _allowance(self) -> float:
        """Misses that hosts without a page may still have."""
        return TRIALS + SHARE * self.pages - self.misses


def is_last_resort(at: float) -> bool:
    """Whether what stands at this place waits until others run dry."""
    return at > LATER / 2
