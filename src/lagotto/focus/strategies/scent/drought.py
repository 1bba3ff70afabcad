"""Telling when what is at hand dries up, and going wider then.

A drought is told from the relevance of the latest pages beside the best time of the crawl. The drier it is,
the more is added to the log odds of links to hosts that gave few pages or none: an upper confidence bound,
as of an arm that was seldom pulled.
"""

from __future__ import annotations

import os

import numpy as np

WINDOW = int(os.environ.get("DW", "50"))
"""Pages over which relevance is averaged."""
GATE = float(os.environ.get("DG", "0.2"))
"""Share of the best window's relevance below which a drought begins."""
STRENGTH = float(os.environ.get("DC", "0"))
"""Log odds added for a host without pages in full drought, times the square root of the log of all pages."""


def dryness(relevances: np.ndarray) -> float:
    """How dry it is, from 0 to 1, by the relevance of all pages in the order of their fetches."""
    means = _means(relevances)
    if not len(means):
        return 0.0
    best = float(means.max())
    return max(0.0, 1.0 - float(means[-1]) / (GATE * best)) if best > 0 else 0.0


def dry_since(relevances: np.ndarray) -> int:
    """Number of the page from which on the drought has lasted for a window at least; 0 if there is none."""
    means = _means(relevances)
    if not len(means):
        return 0
    (rich,) = (means >= GATE * means.max()).nonzero()
    last = int(rich[-1]) + WINDOW
    return last if len(relevances) - last >= WINDOW else 0


def bonuses(relevances: np.ndarray, pages_of_hosts: np.ndarray) -> np.ndarray:
    """What is added to the log odds of links to each host, by the pages that it gave."""
    strength = STRENGTH * dryness(relevances)
    return np.asarray(strength * np.sqrt(np.log(len(relevances) + 1.0) / (pages_of_hosts + 1.0)))


def _means(relevances: np.ndarray) -> np.ndarray:
    """Mean relevance of each window of pages; none before there are two windows' worth."""
    if len(relevances) < 2 * WINDOW:
        return np.zeros(0)
    sums = np.cumsum(np.concatenate([[0.0], relevances]))
    return np.asarray((sums[WINDOW:] - sums[:-WINDOW]) / WINDOW)
