"""Measures of a crawl by truth: hits in fetch order in, figures out.

`hits[i]` says whether the i-th fetched page is on topic, seeds and example pages left out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Hits = NDArray[np.bool_]
Curve = NDArray[np.float64]


def harvest_curve(hits: Hits, budget: int) -> Curve:
    """Relevant pages found after 1, 2, ... pages; flat after a crawl that ended early."""
    found = np.cumsum(hits[:budget], dtype=float)
    if len(found) < budget:
        found = np.concatenate([found, np.full(budget - len(found), found[-1] if len(found) else 0.0)])
    return found


def area(hits: Hits, budget: int) -> float:
    """Area under the harvest curve."""
    return float(harvest_curve(hits, budget).sum())


def area_share(hits: Hits, best: Hits, budget: int) -> float:
    """Area as a share of the oracle's on the same topic, seeds and budget."""
    of_oracle = area(best, budget)
    return area(hits, budget) / of_oracle if of_oracle else 0.0


def harvest_at(hits: Hits, pages: int) -> float:
    """Harvest ratio after so many pages; pages never fetched count as misses."""
    return float(hits[:pages].sum()) / pages


def recall_at(hits: Hits, pages: int, relevant: int) -> float:
    """Share of all relevant pages found after so many pages."""
    return float(hits[:pages].sum()) / relevant if relevant else 0.0


def r_precision(hits: Hits, relevant: int) -> float:
    """Harvest ratio at as many pages as there are relevant ones."""
    return harvest_at(hits, relevant) if relevant else 0.0


class Segments(Struct):
    """A crawl in segments of equal length, as paper 004 draws it."""

    segment: list[float]
    """Harvest ratio of each segment by itself."""
    cumulative: list[float]
    """Harvest ratio from the start to the end of each segment."""

    @property
    def mean_of_segments(self) -> float:
        """Equal to the overall harvest ratio."""
        return float(np.mean(self.segment)) if self.segment else 0.0

    @property
    def mean_of_cumulative(self) -> float:
        """What paper 004 calls its average harvest rate."""
        return float(np.mean(self.cumulative)) if self.cumulative else 0.0


def segments(hits: Hits, length: int = 500) -> Segments:
    """Harvest ratio of each whole segment, and cumulated to its end."""
    ends = range(length, len(hits) + 1, length)
    return Segments(
        segment=[float(hits[end - length : end].mean()) for end in ends],
        cumulative=[float(hits[:end].mean()) for end in ends],
    )


class Paired(Struct):
    """Two strategies over the same topics: mean difference, 95 % interval, wins."""

    difference: float
    low: float
    high: float
    wins: int
    losses: int
    topics: int


def paired_bootstrap(
    first: Sequence[float], second: Sequence[float], *, seed: int = 0, draws: int = 10_000
) -> Paired:
    """Resample topics to see how sure the mean of first - second is."""
    differences = np.asarray(first, float) - np.asarray(second, float)
    count = len(differences)
    random = np.random.default_rng(seed)
    means = differences[random.integers(0, count, (draws, count))].mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return Paired(
        float(differences.mean()),
        float(low),
        float(high),
        int((differences > 0).sum()),
        int((differences < 0).sum()),
        count,
    )
