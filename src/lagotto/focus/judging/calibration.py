"""From scores to chances: how many pages are on topic, how sure each one is, where the cut lies."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LEVEL, GROWTH = -0.8, 1.452
"""Log odds of the share on topic = LEVEL + GROWTH · log odds of the model's mean relevance."""
MOST = 0.95
"""Largest share on topic that is expected: else pages without a sign of the topic would be lifted, too."""
LEAST_CUT = 0.3
"""Relevance below which no page is claimed, whatever the expected F1."""


def sigmoid(log_odds: Floats | np.float64) -> Floats:
    """Chances of log odds."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(log_odds, -30.0, 30.0))))


def logit(chances: Floats | np.float64) -> Floats:
    """Log odds of chances, away from the infinite ends."""
    clipped = np.clip(chances, 1e-6, 1.0 - 1e-6)
    return np.asarray(np.log(clipped / (1.0 - clipped)))


def expected_share(chance: Floats) -> float:
    """Share of pages on topic that relevances by the model stand for: models claim too many pages."""
    if not len(chance):
        return 0.0
    by_model = float(logit(np.float64(chance.mean())))
    return min(MOST, float(sigmoid(np.float64(LEVEL + GROWTH * by_model))))


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
    return max(LEAST_CUT, float(ordered[int(np.argmax(expected))]))
