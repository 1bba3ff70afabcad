"""Now and then a queued link is followed by chance.

What such picks bring, beside what the link model expected of them, says how far its promises can be
trusted for links that it would not follow: the model chooses all other fetches itself, and so never
hears of what it overlooks.
"""

from __future__ import annotations

from collections import deque
from random import Random

import numpy as np

from lagotto.strategies.scent.linktable import UNFETCHED, LinkTable

DECAY = 200.0
"""Pages after which half as many fetches are picked by chance."""
LEAST = 0.1
"""Share of the picks of the beginning that is left in the end."""
BONUS = 20.0
"""Log odds that a picked link is lifted by, which puts it before all others of its host."""
TRIES = 50
"""Random rows that are looked at to find a queued link."""
DOUBT = 3.0
"""Relevant pages that picks must have promised to count as much as all other fetches together."""
RECENT = 20
"""Latest picks that the stop rule looks at."""


class Exploration:
    """Picks links, and keeps what became of them."""

    def __init__(self, share: float) -> None:
        self.share = share
        self.owed = 0.0
        """Picks that are due, as a fraction of one."""
        self.out: set[int] = set()
        """Ids of links picked and not fetched yet."""
        self.promised = 0.0
        """Sum of what the link model expected of the picks that were fetched."""
        self.found = 0.0
        """Sum of their relevance."""
        self.recent: deque[float] = deque(maxlen=RECENT)

    def pick(self, links: LinkTable, pages: int) -> int | None:
        """Row of a queued target when it is time for one, each as likely as any other.

        Chance hangs on the number of pages alone, so that a crawl that is resumed picks as it would have.
        """
        self.owed += self.share * max(LEAST, DECAY / (DECAY + pages))
        if self.owed < 1.0:
            return None
        self.owed -= 1.0
        state, ids = links.targets["page"].rows, links.targets["id"].rows
        if not len(state):
            return None
        draw = Random(pages)
        for _ in range(TRIES):
            row = draw.randrange(len(state))
            if state[row] == UNFETCHED and int(ids[row]) not in self.out:
                self.out.add(int(ids[row]))
                return row
        return None

    def note(self, id: int, relevance: float, promise: float) -> None:
        """A page was fetched; the model had given the link to it this probability."""
        if id in self.out:
            self.out.remove(id)
            self.promised += promise
            self.found += relevance
            self.recent.append(relevance)

    def lost(self, id: int) -> None:
        """A link brought no page."""
        self.out.discard(id)

    def moved(self, id: int, target: int) -> None:
        """A link is redirected to a target that is still to be fetched."""
        if id in self.out:
            self.out.remove(id)
            self.out.add(target)

    def are_out(self, ids: np.ndarray) -> np.ndarray:
        """Which of these links are picked and not fetched yet."""
        return np.array([id in self.out for id in ids.tolist()], bool)

    def trust(self, usual: float) -> float:
        """Relevant pages found for each one promised, among all links; `usual` is that of all fetches."""
        return (self.found + DOUBT * usual) / (self.promised + DOUBT)
