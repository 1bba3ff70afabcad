"""Splitting scores into two groups, without a threshold set by hand."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np


class Split(NamedTuple):
    """A threshold and a softness: relevance = sigmoid((score - threshold) / softness)."""

    threshold: float
    softness: float

    def logits(self, scores: np.ndarray) -> np.ndarray:
        """Log odds of being in the upper group."""
        return np.asarray(np.clip((scores - self.threshold) / self.softness, -20.0, 20.0))

    def logit(self, score: float) -> float:
        """The same of one score."""
        return max(-20.0, min(20.0, (score - self.threshold) / self.softness))


def split(scores: np.ndarray, *, shift: float, sharpness: float) -> Split:
    """Otsu's split: the cut that leaves the least variance within the two groups.

    With m0 and m1 the groups' means, the threshold lies `shift`·(cut - m0) below the cut and the softness
    is (m1 - m0) / sharpness.
    """
    ordered = np.sort(scores.astype(np.float64))
    n = len(ordered)
    if n < 2 or ordered[-1] - ordered[0] < 1e-9:
        return Split(float(ordered[0]) if n else 0.0, 1.0)
    sums = np.cumsum(ordered)
    lower = np.arange(1, n)
    low_means = sums[:-1] / lower
    high_means = (sums[-1] - sums[:-1]) / (n - lower)
    at = int(np.argmax(lower * (n - lower) * (high_means - low_means) ** 2))
    gap = max(float(high_means[at] - low_means[at]), 1e-3)
    cut = float(ordered[at] + ordered[at + 1]) / 2
    return Split(cut - shift * (cut - float(low_means[at])), gap / sharpness)


def sigmoid(logits: np.ndarray) -> np.ndarray:
    """Probabilities of log odds."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(logits, -30.0, 30.0))))


def chance(logit: float) -> float:
    """Probability of one log odds."""
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, logit))))


ENOUGH = 1.0
"""Sum of what all pages have of the words, by `Words.presence`, at which the evidence is complete."""
OWN = 0.2
"""The same of one page, at which it is not damped."""
DAMPING = 4.0
"""What the log odds of a page without the words lose, in addition to all that they are above 0."""


def evidence(present: np.ndarray, marks: np.ndarray) -> float:
    """Evidence from 0 to 1, given what pages have of the words; a page marked as relevant is enough."""
    return 1.0 if (marks > 0).any() else min(1.0, float(present.sum()) / ENOUGH)


def damped(logits: np.ndarray, present: np.ndarray, evidence: float) -> np.ndarray:
    """Log odds of pages; those with little of the words are lowered while there is little evidence."""
    share = (1.0 - evidence) * (1.0 - np.minimum(present / OWN, 1.0))
    return np.asarray(logits - share * (np.maximum(logits, 0.0) + DAMPING))
