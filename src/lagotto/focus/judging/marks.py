"""Learning from pages that were marked: a kernel logistic regression that starts from the unmarked judgement.

The log odds by which each page was judged without marks are its offset. A kernel says how far a mark on one
page speaks for another: all pages a little (the level), pages of like log odds (the slope), pages alike in
text or meaning, and pages of the same host. With few marks little changes; with many they decide.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lagotto.focus.judging.calibration import sigmoid

Floats = NDArray[np.float64]
Vectors = NDArray[np.float32]
Integers = NDArray[np.int64]

OF_LEVEL, OF_SLOPE, OF_TEXT, OF_MEANING, OF_HOST = 1.0, 0.1, 4.0, 8.0, 4.0
"""Variances of the kernel's parts, in log odds."""
MOST = 1000
"""Marks that are learned from; of more, an even sample."""
BLOCK = 4096
STEPS = 30
ENOUGH = 1e-4
"""Gain of log likelihood below which the solution is good enough."""
UPPER = 2.5
"""Questions are drawn from this multiple of the pages expected on topic."""


def taught(
    log_odds: Floats, marks: Floats, texts: Vectors, meanings: Vectors | None, hosts: Integers
) -> Floats:
    """Log odds after the marks (1 on, 0 off, nan none)."""
    marked = np.flatnonzero(np.isfinite(marks))
    if not len(marked):
        return log_odds
    marked = marked[np.unique(np.linspace(0, len(marked) - 1, min(len(marked), MOST)).astype(np.int64))]
    middle = float(log_odds.mean())
    several = len(np.unique(hosts)) > 1

    def kernel(rows: Integers | slice) -> Floats:
        found = OF_LEVEL + OF_SLOPE * np.outer(log_odds[rows] - middle, log_odds[marked] - middle)
        found = found + OF_TEXT * (texts[rows] @ texts[marked].T)
        if meanings is not None:
            found += OF_MEANING * (meanings[rows] @ meanings[marked].T)
        if several:
            found += OF_HOST * (hosts[rows][:, np.newaxis] == hosts[marked])
        return np.asarray(found)

    dual = _solve(kernel(marked), log_odds[marked], marks[marked])
    changed = np.array(log_odds, np.float64)
    for first in range(0, len(changed), BLOCK):
        rows = slice(first, first + BLOCK)
        changed[rows] += kernel(rows) @ dual
    return changed


def _solve(kernel: Floats, offsets: Floats, marks: Floats) -> Floats:
    """Dual weights of the marked pages, by Newton's method with halved steps."""
    dual = np.zeros(len(marks))
    worth = _worth(kernel, offsets, marks, dual)
    for _ in range(STEPS):
        chances = sigmoid(offsets + kernel @ dual)
        spread = np.maximum(chances * (1.0 - chances), 1e-4)
        wanted = kernel @ dual + (marks - chances) / spread
        step = np.linalg.solve(kernel + np.diag(1.0 / spread), wanted) - dual
        before = worth
        while (worth := _worth(kernel, offsets, marks, dual + step)) < before and np.abs(step).max() > 1e-6:
            step = step / 2.0
        if worth - before < ENOUGH:
            break
        dual = dual + step
    return dual


def _worth(kernel: Floats, offsets: Floats, marks: Floats, dual: Floats) -> float:
    """Log likelihood of the marks less what the change of log odds costs."""
    change = kernel @ dual
    found = offsets + change
    return float(marks @ found - np.logaddexp(0.0, found).sum() - dual @ change / 2.0)


def worth_asking(relevance: Floats, marks: Floats, n: int, *, random_seed: int = 0) -> Integers:
    """Rows of unmarked pages to ask about, drawn by chance from the upper part of the order.

    Measured with 50 marks, this taught more than the most uncertain pages and than pages drawn from all.
    """
    free = np.flatnonzero(~np.isfinite(marks))
    upper = free[np.argsort(-relevance[free], kind="stable")]
    upper = upper[: max(n, int(UPPER * float(relevance.sum())))]
    return np.asarray(np.random.default_rng(random_seed).permutation(upper)[:n], np.int64)
