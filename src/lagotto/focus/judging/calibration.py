"""From scores to chances: how many pages are on topic, how sure each one is, where the cut lies."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SLOPE = 1.4
"""Log odds for each standard deviation of the score."""
LEVEL, GROWTH = -1.094, 1.452
"""Log odds of the share on topic = LEVEL + GROWTH · log odds of the model's mean relevance."""
NEARLY_ALL, RAISE = 0.8, 1.5
"""Mean relevance at fetch from which on these log odds are raised, and by how much for each one above it.

Where nearly all pages are on topic, the model still splits them in two; at fetch they were compared with the
few pages before them.
"""
MOST = 0.95
"""Largest share on topic that is expected: else pages without a sign of the topic would be lifted, too."""


def sigmoid(log_odds: Floats | np.float64) -> Floats:
    """Chances of log odds."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(log_odds, -30.0, 30.0))))


def logit(chances: Floats | np.float64) -> Floats:
    """Log odds of chances, away from the infinite ends."""
    clipped = np.clip(chances, 1e-6, 1.0 - 1e-6)
    return np.asarray(np.log(clipped / (1.0 - clipped)))


def expected_share(chance: Floats, at_fetch: Floats) -> float:
    """Share of pages on topic that relevances by the model and at fetch stand for."""
    if not len(chance):
        return 0.0
    by_model, first, nearly_all = logit(np.array([chance.mean(), at_fetch.mean(), NEARLY_ALL])).tolist()
    share = sigmoid(np.float64(LEVEL + GROWTH * by_model + RAISE * max(0.0, first - nearly_all)))
    return min(MOST, float(share))


def offset_for(log_odds: Floats, share: float) -> float:
    """What to add to log odds so that the mean of their chances is the share."""
    low, high = -40.0, 40.0
    for _ in range(50):
        middle = (low + high) / 2.0
        if len(log_odds) and float(sigmoid(log_odds + middle).mean()) > share:
            high = middle
        else:
            low = middle
    return (low + high) / 2.0


def best_cut(chances: Floats) -> float:
    """The cut with the highest expected F1, which is 2 · Σ chances above / (pages above + Σ chances)."""
    if not len(chances):
        return 0.5
    ordered = np.sort(chances)[::-1]
    expected = 2.0 * np.cumsum(ordered) / (np.arange(1, len(ordered) + 1) + ordered.sum() + 1e-12)
    return float(ordered[int(np.argmax(expected))])
