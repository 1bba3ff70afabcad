"""Links in the order of their page."""

from __future__ import annotations

import numpy as np

STEP = 1e-9
"""Difference between the scores of two neighbouring links, far smaller than between pages."""


def in_page_order(scores: np.ndarray) -> np.ndarray:
    """Scores that put equal links in the order of their page, even if another page had them before."""
    return np.asarray(scores - STEP * np.arange(len(scores)))
