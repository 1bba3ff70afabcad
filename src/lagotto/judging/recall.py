"""How much of the topic on the web was fetched, with an interval.

A crawl that follows the best links first brings little at its end when there is little left. The ratio of
what the last third of the pages brought to what all pages brought in the mean is the one sign that held
across webs; the interval is as wide as that sign was wrong.
"""

from __future__ import annotations

from math import log

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from lagotto.judging.calibration import sigmoid

LAST = 0.3
"""Share of the pages that are the crawl's end."""
FLOOR = 0.02
"""Added to both harvest ratios, so that an end without any hit stays finite."""
LEVEL, DECLINE, SPREAD = 0.033, -0.913, 1.4
"""Log odds of recall = LEVEL + DECLINE · ln(end / mean); SPREAD is the standard deviation of its error."""
NINETY = 1.645
FEW = 50
"""With fewer pages than this nothing is estimated."""


class Recall(Struct, frozen=True):
    """Share of the web's pages on topic that was fetched, and its 90 % interval."""

    estimate: float
    low: float
    high: float


def estimate_recall(relevant: NDArray[np.bool_]) -> Recall:
    """Estimate recall from the verdicts in fetch order, seeds left out."""
    if len(relevant) < FEW or not relevant.any():
        return Recall(0.5, 0.0, 1.0)
    end = float(relevant[int((1.0 - LAST) * len(relevant)) :].mean())
    ratio = log((end + FLOOR) / (float(relevant.mean()) + FLOOR))
    middle = LEVEL + DECLINE * ratio
    low, estimate, high = sigmoid(middle + SPREAD * NINETY * np.array([-1.0, 0.0, 1.0])).tolist()
    return Recall(estimate, low, high)
