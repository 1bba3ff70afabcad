"""Telling since when hardly anything is found: the latest pages beside the best time of the crawl."""

from __future__ import annotations

import numpy as np

WINDOW = 50
"""Pages over which relevance is averaged."""
GATE = 0.2
"""Share of the best window's relevance below which a drought begins."""


def dry_since(relevances: np.ndarray) -> int:
    """Number of the page from which on the drought has lasted for a window at least; 0 if there is none."""
    means = _means(relevances)
    if not len(means):
        return 0
    (rich,) = (means >= GATE * means.max()).nonzero()
    last = int(rich[-1]) + WINDOW
    return last if len(relevances) - last >= WINDOW else 0


def _means(relevances: np.ndarray) -> np.ndarray:
    """Mean relevance of each window of pages; none before there are two windows' worth."""
    if len(relevances) < 2 * WINDOW:
        return np.zeros(0)
    sums = np.cumsum(np.concatenate([[0.0], relevances]))
    return np.asarray((sums[WINDOW:] - sums[:-WINDOW]) / WINDOW)
