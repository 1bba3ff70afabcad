"""Relevance that is shown while the crawl runs, by the level that judging all pages again would set now.

The judge and the link model learn from a split of the pages in two. A split always finds two groups, so it
would claim pages on a web without the topic. What is shown and counted goes by `judging.level` instead, drawn
anew with each fit of the judge. It is provisional, since later pages tell more.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp
from typing import NamedTuple

import numpy as np

from lagotto.base.records import Page
from lagotto.focus.judging.calibration import best_cut, expected_share, sigmoid
from lagotto.focus.judging.harvest import coverage, density
from lagotto.focus.judging.level import FEWEST, LEAST_BEST, Line, line, own_signs, trust
from lagotto.focus.strategies.scent.columns import Column

MOST = 1500
"""Pages that the level is drawn from, at most: an even sample of all."""
FIRST_CUT = 0.4
"""Relevance from which a page is claimed before there are pages to compare."""


class Signs(NamedTuple):
    """What a page has of the words."""

    log_odds: float = 0.0
    """By its own signs."""
    coverage: float = 0.0


class Live:
    """Draws the level of a running crawl."""

    def __init__(self, words: Mapping[str, float]) -> None:
        """`words` are the user's, with the share of each."""
        self.words = words
        self.signs = Column(np.float64)
        """Log odds of each page by its own signs."""
        self.line = Line()
        self.cut = FIRST_CUT
        self.best = LEAST_BEST
        """Coverage of the words by the best page read."""

    def signs_of(self, page: Page, about: float | None, link_score: float) -> Signs:
        """What a page has of the words, given the score of the links to it."""
        covered, dense = coverage(page.terms, self.words), density(page.terms, self.words)
        meant = None if about is None else np.array([about])
        found = own_signs(
            np.array([covered]),
            np.array([dense]),
            meant,
            np.array([link_score]),
            best=max(self.best, covered),
        )
        return Signs(float(found[0]), covered)

    def add(self, signs: Signs) -> None:
        """Take in what a page has of the words."""
        self.signs.append(signs.log_odds)
        self.best = max(self.best, signs.coverage)

    def relevance(self, logit: float, signs: float) -> float:
        """Relevance of a page, given the judge's log odds and its own signs."""
        drawn = self.line
        found = drawn.trust * (drawn.slope * logit + drawn.offset) + (1.0 - drawn.trust) * signs
        return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, found))))

    def draw(self, logits: np.ndarray, seeds: np.ndarray) -> np.ndarray:
        """Draw the level anew from the judge's log odds of all pages; returns their relevances."""
        signs = self.signs.rows
        found = np.flatnonzero(~seeds)
        if len(found) > MOST:
            found = found[np.linspace(0, len(found) - 1, MOST).astype(np.int64)]
        drawn = line(logits[found], expected_share(sigmoid(logits[found])), signs[found])
        if len(found) >= FEWEST:
            drawn = drawn._replace(trust=trust(int((~seeds).sum())))
        self.line = drawn
        shown = sigmoid(self.line.log_odds(logits, signs))
        self.cut = best_cut(shown[found]) if len(found) else FIRST_CUT
        return shown
