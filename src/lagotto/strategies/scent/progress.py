"""How the crawl is doing, and whether going on is worth it."""

from __future__ import annotations

from collections import Counter, deque
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from lagotto.strategies.scent.columns import Column
from lagotto.strategies.scent.exploration import Exploration

WINDOW = 500
"""Latest pages that the marginal harvest is taken over."""
TOO_LITTLE = 0.1
"""Share of the best window's harvest below which going on is not worth it."""


class Figures(Struct, frozen=True):
    """What the strategy can say of its own crawl; all of it by its own judgement."""

    pages: int
    relevant: float
    """Sum of relevance."""
    hosts: int
    """Hosts with a relevant page."""
    harvest: float
    """Relevant pages per fetch, over all."""
    marginal: float
    """Relevant pages per fetch, over the latest ones."""
    expected: float
    """Relevant pages per fetch that the best queued links promise."""
    waiting: float
    """Relevant pages expected among all queued links, by what links picked by chance turned out to be."""
    recall: float
    """Share of relevant pages that was fetched, of those fetched, queued and (capture-recapture) unseen."""


class Outlook(NamedTuple):
    """What the links tell of what is to come."""

    best: float
    """Mean of what the best queued links promise."""
    all: float
    """Sum of what all of them promise."""
    once: int
    """Relevant pages fetched to which one link is known."""
    twice: int


class Progress:
    """Keeps count of what was fetched."""

    def __init__(self) -> None:
        self.pages = 0
        self.relevant = 0.0
        self.promised = 0.0
        """Sum of what links had promised of the pages they led to."""
        self.numbers = Column(np.int32)
        """Pages fetched, by number."""
        self.relevances = Column(np.float64)
        """Relevance of each of them when it was fetched, or what the user said later."""
        self.hosts: Counter[str] = Counter()
        """Relevant pages of each host."""
        self.window: deque[float] = deque(maxlen=WINDOW)
        self.in_window = 0.0
        """Sum of relevance over the window."""
        self.best_window = 0.0

    def note(self, number: int, relevance: float, promise: float, host: str) -> None:
        """One more page, with what the link that led to it had promised."""
        self.pages += 1
        self.numbers.append(number)
        self.relevances.append(relevance)
        self.relevant += relevance
        self.promised += promise
        self.hosts[host] += relevance >= 0.5
        self.in_window += relevance - (self.window[0] if len(self.window) == WINDOW else 0.0)
        self.window.append(relevance)
        if len(self.window) == WINDOW:
            self.best_window = max(self.best_window, self.marginal)

    def correct(self, number: int, relevance: float, host: str) -> None:
        """A page that was fetched is worth what the user says."""
        at = int(np.searchsorted(self.numbers.rows, number))
        if number not in self.numbers.rows[at : at + 1]:
            return
        before = self.relevances.rows.item(at)
        self.relevances.rows[at] = relevance
        self.relevant += relevance - before
        self.hosts[host] += (relevance >= 0.5) - (before >= 0.5)
        ago = len(self.numbers) - at
        if ago <= len(self.window):
            self.window[-ago] = relevance
            self.in_window += relevance - before

    @property
    def marginal(self) -> float:
        """Relevant pages per fetch over the latest pages."""
        return self.in_window / max(1, len(self.window))

    @property
    def trust(self) -> float:
        """Relevant pages found for each one that links had promised."""
        return (self.relevant + 1.0) / (self.promised + 1.0)

    def figures(self, outlook: Outlook, exploration: Exploration) -> Figures:
        """All figures. Links promise too much or too little in the same measure as before.

        What is true of links that were followed for their promise need not be true of the others; of those
        the picks by chance speak. Relevant pages that no link shows yet are estimated by Chao's bound,
        once² / (2·twice), links being the captures.
        """
        once, twice = outlook.once, outlook.twice
        waiting = exploration.trust(self.trust) * outlook.all
        unseen = once**2 / (2 * twice) if twice else once * (once - 1) / 2
        return Figures(
            pages=self.pages,
            relevant=self.relevant,
            hosts=len(+self.hosts),
            harvest=self.relevant / max(1, self.pages),
            marginal=self.marginal,
            expected=min(1.0, self.trust * outlook.best),
            waiting=waiting,
            recall=self.relevant / max(1e-9, self.relevant + waiting + unseen),
        )

    def stop_reason(self, expected: float, by_chance: float) -> str:
        """Why the crawl should stop, as a sentence; empty while it should go on.

        It should go on while links picked by chance bring more than the model's best ones.
        """
        if self.pages < 2 * WINDOW:
            return ""
        if expected < 0.02:
            return f"the best links promise {expected:.3f} relevant pages a fetch"
        little = TOO_LITTLE * self.best_window
        if max(self.marginal, expected, by_chance) < little:
            return (
                f"the last {WINDOW} pages brought {self.marginal:.3f} relevant pages a fetch, "
                f"the best {WINDOW} brought {self.best_window:.3f}"
            )
        return ""
