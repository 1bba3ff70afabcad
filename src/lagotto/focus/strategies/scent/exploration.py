"""Exploration: from time to time a random queued link is fetched.

The link model chooses all other fetches, and so never learns about links that it underrates. Comparing the
relevance of random picks with their predicted probability shows how well its predictions hold for all links.
"""

from __future__ import annotations

from collections import deque
from random import Random

import numpy as np

from lagotto.focus.strategies.scent.link_table import QUEUED, LinkTable

DECAY = 200.0
"""Number of pages after which the share of random picks has halved."""
LEAST = 0.1
"""Smallest share of random picks, as a fraction of that at the start."""
BONUS = 20.0
"""Bonus on the log odds of a picked link, which puts it before all others of its host."""
TRIES = 50
"""Random rows that are tried to find a queued link."""
DOUBT = 3.0
"""Weight of the rate of all fetches in `trust`, as a number of predicted relevant pages."""
RECENT = 20
"""Latest picks that the stopping rule uses."""


class Exploration:
    """Picks links, and records how they turned out."""

    def __init__(self, share: float) -> None:
        self.share = share
        self.owed = 0.0
        """Fraction of a pick that is due."""
        self.out: set[int] = set()
        """Ids of picked links that are not fetched yet."""
        self.promised = 0.0
        """Sum of the predicted probabilities of fetched picks."""
        self.found = 0.0
        """Sum of their relevance."""
        self.recent: deque[float] = deque(maxlen=RECENT)

    def pick(self, links: LinkTable, pages: int) -> int | None:
        """Row of a random queued target if a pick is due.

        The random numbers depend only on the number of pages, so that a resumed crawl makes the same picks.
        """
        self.owed += self.share * max(LEAST, DECAY / (DECAY + pages))
        if self.owed < 1.0:
            return None
        self.owed -= 1.0
        state, ids = links.targets["state"].rows, links.targets["id"].rows
        if not len(state):
            return None
        draw = Random(pages)
        for _ in range(TRIES):
            row = draw.randrange(len(state))
            if state[row] == QUEUED and int(ids[row]) not in self.out:
                self.out.add(int(ids[row]))
                return row
        return None

    def record(self, id: int, relevance: float, promise: float) -> None:
        """Record a fetched page, with the probability that the model had predicted."""
        if id in self.out:
            self.out.remove(id)
            self.promised += promise
            self.found += relevance
            self.recent.append(relevance)

    def lost(self, id: int) -> None:
        """Forget a link that brought no page."""
        self.out.discard(id)

    def moved(self, id: int, target: int) -> None:
        """Follow the redirect of a link to a target that is still to be fetched."""
        if id in self.out:
            self.out.remove(id)
            self.out.add(target)

    def are_out(self, ids: np.ndarray) -> np.ndarray:
        """Which of these links are picked and not fetched yet."""
        return np.array([id in self.out for id in ids.tolist()], bool)

    def trust(self, usual: float) -> float:
        """Relevant pages found per predicted one, among all links; `usual` is the rate of all fetches."""
        return (self.found + DOUBT * usual) / (self.promised + DOUBT)
