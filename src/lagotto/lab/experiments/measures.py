"""Measures of a crawl by truth: hits in fetch order in, figures out.

`hits[i]` says whether the i-th page that counts is on topic; seeds and example pages do not count.
A crawl that ended before its budget is taken to have fetched misses from then on.
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
    padded = np.zeros(budget)
    padded[: len(hits)] = hits[:budget]
    return np.cumsum(padded)


def area(hits: Hits, budget: int) -> float:
    """Area under the harvest curve."""
    return float(harvest_curve(hits, budget).sum())


def area_share(hits: Hits, best: Hits, budget: int) -> float:
    """Area as a share of the oracle's on the same topic, seeds and budget."""
    of_oracle = area(best, budget)
    return area(hits, budget) / of_oracle if of_oracle else 0.0


def harvest_at(hits: Hits, pages: int) -> float:
    """Harvest ratio after so many pages."""
    return float(hits[:pages].sum()) / pages


def recall_at(hits: Hits, pages: int, relevant: int) -> float:
    """Share of all relevant pages found after so many pages."""
    return float(hits[:pages].sum()) / relevant if relevant else 0.0


def r_precision(hits: Hits, relevant: int, budget: int) -> float:
    """Harvest ratio at as many pages as there are relevant ones, at the budget if they are more."""
    return harvest_at(hits, min(relevant, budget)) if relevant else 0.0


class Segments(Struct):
    """A crawl in segments of equal length, as the paper of `linkrank` draws it."""

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
        """What that paper calls its average harvest rate."""
        return float(np.mean(self.cumulative)) if self.cumulative else 0.0


def segments(hits: Hits, budget: int, length: int = 500) -> Segments:
    """Harvest ratio of each whole segment of the budget, and cumulated to its end."""
    ends = np.arange(length, budget + 1, length)
    found = np.concatenate([[0.0], harvest_curve(hits, budget)[ends - 1]])
    return Segments(
        segment=(np.diff(found) / length).tolist(),
        cumulative=(found[1:] / ends).tolist(),
    )


ENOUGH = 5
"""Topics from which on resampling them says how sure their mean is; of few it says too much."""


class Interval(Struct, frozen=True):
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float


class Paired(Struct, frozen=True):
    """Two strategies over the same topics: mean difference, 95 % interval, wins."""

    difference: Interval
    wins: int
    losses: int
    topics: int

    @property
    def sure(self) -> bool:
        """Whether there are enough topics, and the interval leaves out zero."""
        return self.topics >= ENOUGH and (self.difference.low > 0 or self.difference.high < 0)


RESAMPLES = 10_000


def bootstrap(values: Sequence[float], *, seed: int = 0, resamples: int = RESAMPLES) -> Interval:
    """Resample topics to see how sure their mean is."""
    figures = np.asarray(values, float)
    random = np.random.default_rng(seed)
    means = figures[random.integers(0, len(figures), (resamples, len(figures)))].mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return Interval(float(figures.mean()), float(low), float(high))


def paired_bootstrap(
    first: Sequence[float], second: Sequence[float], *, seed: int = 0, resamples: int = RESAMPLES
) -> Paired:
    """Resample topics to see how sure the mean of first - second is."""
    differences = np.asarray(first, float) - np.asarray(second, float)
    return Paired(
        bootstrap(differences.tolist(), seed=seed, resamples=resamples),
        wins=int((differences > 0).sum()),
        losses=int((differences < 0).sum()),
        topics=len(differences),
    )


def band_of_mean(curves: Curve, *, seed: int = 0, resamples: int = RESAMPLES // 10) -> tuple[Curve, Curve]:
    """95 % interval of the mean of some curves (rows), by resampling them."""
    count = len(curves)
    drawn = np.random.default_rng(seed).integers(0, count, (resamples, count))
    weights = np.stack([np.bincount(rows, minlength=count) for rows in drawn]) / count
    low, high = np.quantile(weights @ curves, [0.025, 0.975], axis=0)
    return low, high


# Verdicts: what a strategy says of each page, against the truth.


def average_precision(hits: Hits, scores: Curve) -> float:
    """Mean, over the pages on topic, of the share on topic among pages with a score at least as high.

    Pages of equal score count together, so that their order in the crawl decides nothing.
    """
    if not hits.any():
        return 0.0
    order = np.argsort(-scores, kind="stable")
    ordered, found = scores[order], np.cumsum(hits[order])
    last = np.searchsorted(-ordered, -ordered, side="right") - 1
    precision = found[last] / (last + 1)
    return float(precision[hits[order]].mean())


def f1(hits: Hits, claimed: Hits) -> float:
    """Harmonic mean of precision and recall of the pages claimed."""
    total = int(hits.sum()) + int(claimed.sum())
    return 2.0 * int((hits & claimed).sum()) / total if total else 0.0


def claimed_ratio(hits: Hits, claimed: Hits) -> float:
    """Pages claimed and pages on topic, the larger number over the smaller, each at least 1."""
    one, other = max(1, int(hits.sum())), max(1, int(claimed.sum()))
    return max(one, other) / min(one, other)


def brier_score(hits: Hits, chances: Curve) -> float:
    """Mean square difference of chance and truth."""
    return float(np.mean((chances - hits) ** 2)) if len(hits) else 0.0


class Bin(Struct, frozen=True):
    """Pages with a similar predicted chance."""

    pages: int
    chance: float
    """Their mean chance."""
    share: float
    """Share of them that is on topic."""


def reliability(hits: Hits, chances: Curve, bins: int = 10) -> list[Bin]:
    """Pages in bins of equal width by their chance; bins without pages are left out."""
    places = np.minimum((chances * bins).astype(int), bins - 1)
    return [
        Bin(int(inside.sum()), float(chances[inside].mean()), float(hits[inside].mean()))
        for place in range(bins)
        if (inside := places == place).any()
    ]


def calibration_error(hits: Hits, chances: Curve, bins: int = 10) -> float:
    """Expected calibration error: mean difference of chance and share, over bins weighted by pages."""
    found = reliability(hits, chances, bins)
    total = sum(one.pages for one in found)
    return sum(one.pages * abs(one.chance - one.share) for one in found) / total if total else 0.0
