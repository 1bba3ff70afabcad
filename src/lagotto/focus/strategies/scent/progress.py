"""Figures of the crawl's progress, and the rule when to stop."""

from __future__ import annotations

from collections import Counter, deque
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from lagotto.focus.strategies.scent.columns import Column
from lagotto.focus.strategies.scent.exploration import Exploration

WINDOW = 500
"""Number of latest pages for the marginal harvest."""
TOO_LITTLE = 0.1
"""Share of the best window's harvest below which the crawl should stop."""


class Figures(Struct, frozen=True):
    """Figures of a crawl, by the strategy's own judgement."""

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
    """Relevant pages expected among all queued links, corrected by the results of random picks."""
    recall: float
    """Estimated share of all relevant pages that was fetched."""


class Outlook(NamedTuple):
    """What is expected of the queued links."""

    best: float
    """Mean probability of the best queued links."""
    all: float
    """Sum of the probabilities of all queued links."""
    once: int
    """Relevant fetched pages with one known link."""
    twice: int


class Progress:
    """Keeps count of what was fetched."""

    def __init__(self) -> None:
        self.pages = 0
        self.relevant = 0.0
        self.promised = 0.0
        """Sum of the predicted probabilities of fetched links."""
        self.numbers = Column(np.int32)
        """Pages fetched, by number."""
        self.relevances = Column(np.float64)
        """Relevance of each of them at the latest level, or that the user gave it."""
        self.hits = Column(np.bool_)
        """Whether each is counted as a relevant page of its host: as it was judged when it was fetched."""
        self.hosts: Counter[str] = Counter()
        """Relevant pages of each host."""
        self.window: deque[float] = deque(maxlen=WINDOW)
        self.in_window = 0.0
        """Sum of relevance over the window."""
        self.best_window = 0.0

    def record(self, number: int, relevance: float, promise: float, host: str) -> None:
        """Add a page, with the predicted probability of the link to it."""
        self.pages += 1
        self.numbers.append(number)
        self.relevances.append(relevance)
        self.hits.append(relevance >= 0.5)
        self.relevant += relevance
        self.promised += promise
        self.hosts[host] += relevance >= 0.5
        self.in_window += relevance - (self.window[0] if len(self.window) == WINDOW else 0.0)
        self.window.append(relevance)
        if len(self.window) == WINDOW:
            self.best_window = max(self.best_window, self.marginal)

    def correct(self, number: int, relevance: float, host: str) -> None:
        """Replace the relevance of a fetched page by that of the user."""
        at = int(np.searchsorted(self.numbers.rows, number))
        if number not in self.numbers.rows[at : at + 1]:
            return
        before = self.relevances.rows.item(at)
        self.relevances.rows[at] = relevance
        self.relevant += relevance - before
        self.hosts[host] += int(relevance >= 0.5) - int(self.hits.rows[at])
        self.hits.rows[at] = relevance >= 0.5
        ago = len(self.numbers) - at
        if ago <= len(self.window):
            self.window[-ago] = relevance
            self.in_window += relevance - before

    def revise(self, relevances: np.ndarray) -> None:
        """Replace all relevances by those at a new level, given for the pages by number."""
        if not self.pages:
            return
        revised = relevances[self.numbers.rows]
        self.relevances.set(revised)
        self.relevant = float(revised.sum())
        self.window = deque(revised[-WINDOW:].tolist(), WINDOW)
        self.in_window = sum(self.window)
        sums = np.concatenate([[0.0], np.cumsum(revised)])
        if len(revised) >= WINDOW:
            self.best_window = float((sums[WINDOW:] - sums[:-WINDOW]).max()) / WINDOW

    def by_number(self, pages: int) -> np.ndarray:
        """Relevances of at least so many pages by number; 0 for those that were not fetched."""
        relevances = np.zeros(max(pages, int(self.numbers.rows.max(initial=-1)) + 1))
        relevances[self.numbers.rows] = self.relevances.rows
        return relevances

    @property
    def marginal(self) -> float:
        """Relevant pages per fetch over the latest pages."""
        return self.in_window / max(1, len(self.window))

    @property
    def trust(self) -> float:
        """Relevant pages found per predicted one."""
        return (self.relevant + 1.0) / (self.promised + 1.0)

    def figures(self, outlook: Outlook, exploration: Exploration) -> Figures:
        """All figures.

        Predictions for the best links are corrected by the results of all fetches, predictions for all links
        by those of random picks. The number of relevant pages without a known link is estimated by Chao's
        bound, once² / (2·twice), with links as captures.
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

        It should go on while random picks bring more than the model's best links.
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
