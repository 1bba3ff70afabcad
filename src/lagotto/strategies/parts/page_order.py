"""Links in the order of their page."""

from __future__ import annotations

import numpy as np

STEP = 1e-9
"""Difference between the scores of two neighbouring links, far smaller than between pages."""


def in_page_order(scores: np.ndarray) -> np.ndarray:
    """Scores that put equal links in the order of the page, also links that were found before on another."""
    return np.asarray(scores - STEP * np.arange(len(scores)))
