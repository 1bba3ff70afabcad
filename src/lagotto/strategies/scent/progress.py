"""How the crawl is doing, and whether going on is worth it."""

from __future__ import annotations

import math
from collections import deque

from msgspec import Struct

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
    """Relevant pages expected among all queued links."""
    recall: float
    """Share of relevant pages that was fetched, of those fetched, queued and (capture-recapture) unseen."""


class Progress:
    """Keeps count of what was fetched."""

    def __init__(self) -> None:
        self.pages = 0
        self.relevant = 0.0
        self.promised = 0.0
        """Sum of what links had promised of the pages they led to."""
        self.hosts: set[str] = set()
        self.window: deque[float] = deque(maxlen=WINDOW)
        self.in_window = 0.0
        """Sum of relevance over the window."""
        self.best_window = 0.0

    def note(self, relevance: float, score: float, host: str) -> None:
        """One more page, with the score of the link that led to it."""
        self.pages += 1
        self.relevant += relevance
        self.promised += 1.0 / (1.0 + math.exp(-max(score, -30.0)))
        if relevance >= 0.5:
            self.hosts.add(host)
        self.in_window += relevance - (self.window[0] if len(self.window) == WINDOW else 0.0)
        self.window.append(relevance)
        if len(self.window) == WINDOW:
            self.best_window = max(self.best_window, self.marginal)

    @property
    def marginal(self) -> float:
        """Relevant pages per fetch over the latest pages."""
        return self.in_window / max(1, len(self.window))

    def figures(self, promises: list[float], once: int, twice: int) -> Figures:
        """All figures, given what queued links promise, best first, and relevant pages linked once and twice.

        Links promise too much or too little in the same measure as before. Relevant pages that no link
        shows yet are estimated by Chao's bound: once² / (2·twice), links being the captures.
        """
        trust = (self.relevant + 1.0) / (self.promised + 1.0)
        waiting = trust * sum(promises)
        unseen = once**2 / (2 * twice) if twice else once * (once - 1) / 2
        best = promises[:100]
        return Figures(
            pages=self.pages,
            relevant=self.relevant,
            hosts=len(self.hosts),
            harvest=self.relevant / max(1, self.pages),
            marginal=self.marginal,
            expected=min(1.0, trust * sum(best) / max(1, len(best))),
            waiting=waiting,
            recall=self.relevant / max(1e-9, self.relevant + waiting + unseen),
        )

    def stop_reason(self, expected: float) -> str:
        """Why the crawl should stop, as a sentence; empty while it should go on."""
        if self.pages < 2 * WINDOW:
            return ""
        if expected < 0.02:
            return f"the best links promise {expected:.3f} relevant pages a fetch"
        if self.marginal < TOO_LITTLE * self.best_window and expected < TOO_LITTLE * self.best_window:
            return (
                f"the last {WINDOW} pages brought {self.marginal:.3f} relevant pages a fetch, "
                f"the best {WINDOW} brought {self.best_window:.3f}"
            )
        return ""
