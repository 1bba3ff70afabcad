"""What pages have in common with the pages next to them, by text, by meaning and by links."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lagotto.judging.similarity import Neighbours

Floats = NDArray[np.float64]
ROUNDS = 3


def standard(values: NDArray[np.floating], among: NDArray[np.bool_] | None = None) -> Floats:
    """Values in standard deviations from their mean over some of the pages; unknown ones are 0."""
    known = np.isfinite(values)
    chosen = values[known] if among is None else values[known & among]
    if not len(chosen):
        return np.zeros(len(values))
    deviation = max(float(chosen.std()), 1e-9)
    return np.where(known, (np.where(known, values, 0.0) - chosen.mean()) / deviation, 0.0)


def correlation(one: Floats, other: Floats) -> float:
    """Pearson's correlation, 0 where one of both does not vary."""
    if len(one) < 2:
        return 0.0
    one, other = one - one.mean(), other - other.mean()
    size = float(np.sqrt((one @ one) * (other @ other)))
    return float(one @ other) / size if size > 1e-12 else 0.0


def ramp(value: float, low: float, high: float) -> float:
    """0 up to `low`, 1 from `high` on, straight in between."""
    return min(1.0, max(0.0, (value - low) / (high - low)))


def smooth(values: Floats, neighbours: Neighbours, share: float) -> Floats:
    """Values mixed with those of the nearest pages, `share` being the neighbours' part, a few times over."""
    found = values
    for _ in range(ROUNDS if share else 0):
        found = (1.0 - share) * values + share * neighbours.mean(found)
    return found


def over_links(values: Floats, children: NDArray[np.int64], parents: NDArray[np.int64]) -> Floats:
    """Mean of the pages that link to each page; of a page without such links, its own value."""
    counts = np.bincount(children, minlength=len(values))
    sums = np.bincount(children, values[parents], len(values))
    return np.where(counts > 0, sums / np.maximum(counts, 1), values)
