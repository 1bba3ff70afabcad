"""Going wider when what is at hand dries up: little-known hosts are tried before more of the known ones.

A drought is told from the relevance of the latest pages beside the best time of the crawl. The drier it is,
the more is added to the log odds of links to hosts that gave few pages or none: an upper confidence bound,
as of an arm that was seldom pulled.
"""

from __future__ import annotations

import os

import numpy as np

WINDOW = int(os.environ.get("DW", 50))
"""Pages over which relevance is averaged."""
GATE = float(os.environ.get("DG", 0.5))
"""Share of the best window's relevance below which a drought begins."""
STRENGTH = float(os.environ.get("DC", 1.0))
"""Log odds added for a host without pages in full drought, times the square root of the log of all pages."""
SINCE = float(os.environ.get("DS", 0.0))


def dryness(relevances: np.ndarray) -> float:
    """How dry it is, from 0 to 1, by the relevance of all pages in the order of their fetches."""
    if len(relevances) < 2 * WINDOW:
        return 0.0
    sums = np.cumsum(np.concatenate([[0.0], relevances]))
    means = (sums[WINDOW:] - sums[:-WINDOW]) / WINDOW
    best = float(means.max())
    return max(0.0, 1.0 - float(means[-1]) / (GATE * best)) if best > 0 else 0.0


def bonuses(relevances: np.ndarray, pages_of_hosts: np.ndarray) -> np.ndarray:
    """What is added to the log odds of links to each host, by the pages that it gave."""
    strength = STRENGTH * dryness(relevances)
    return np.asarray(strength * np.sqrt(np.log(len(relevances) + 1.0) / (pages_of_hosts + 1.0)))
