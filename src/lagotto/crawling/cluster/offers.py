"""What workers tell each other of their best links, so that together they lease in about the order of one."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from lagotto.base.batch import Place
from lagotto.base.protocols import SharedStore

AGE = 10
"""Links of equal score may be leased up to this many places too early."""
STEP = 0.01
"""Links may be leased too early whose score is less than the best one by up to this share of it."""
COMPARE = 0.05
"""Seconds between two looks at what others could lease, while links could be leased here."""
SAME = 1.0
"""Seconds after which an offer is told, and those of others are heard, though nothing calls for it."""


class Offers:
    """Tells and hears where the best links stand; neither more often than matters."""

    def __init__(self, store: SharedStore, now: Callable[[], float]) -> None:
        self._store = store
        self._now = now
        self.best: Place | None = None
        """Where the best link stands that other workers could lease now."""
        self._told: Place | None = None
        self._told_at = -inf
        self._look_at = -inf
        self._heard_at = -inf

    def due(self, *, could_lease: bool) -> bool:
        """Whether it is time to look again; a worker that could lease links must know of better ones."""
        now = self._now()
        return now >= self._look_at or (could_lease and now >= self._heard_at + COMPARE)

    async def exchange(self, mine: Place | None, *, could_lease: bool) -> None:
        """Tell of the best link here if that has changed much, and hear of those of others."""
        now = self._now()
        self._look_at = now + COMPARE
        if is_news(mine, self._told) or now >= self._told_at + SAME:
            self._told, self._told_at = mine, now
            self.best = await self._store.offer(mine)
        elif could_lease or now >= self._heard_at + SAME:
            self.best = await self._store.offered()
        else:
            return
        self._heard_at = now

    async def withdraw(self) -> None:
        """This worker leases nothing more, so nobody needs to wait for its links."""
        await self._store.offer(None)


def is_news(mine: Place | None, told: Place | None) -> bool:
    """Whether a place is further from the one that was told than half of what `comes_later` allows.

    As it is less than that, no two workers wait for each other.
    """
    if mine is None or told is None:
        return mine is not told
    if mine[0] == told[0]:
        return abs(mine[1] - told[1]) > AGE / 2
    return abs(mine[0] - told[0]) > STEP / 2 * max(abs(mine[0]), abs(told[0]))


def comes_later(place: Place, best: Place) -> bool:
    """Whether a single worker would take a link clearly after another one."""
    if place[0] == best[0]:
        return place[1] > best[1] + AGE
    return place[0] > best[0] + STEP * max(abs(place[0]), abs(best[0]))
