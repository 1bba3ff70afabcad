"""What verdicts may not come to fall below, and how far the chances may be from the truth."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lagotto.lab.experiments.measures import average_precision, calibration_error, f1


class Crawl(NamedTuple):
    """Pages judged again, seeds left out, and whether each is on topic."""

    relevance: np.ndarray
    relevant: np.ndarray
    on_topic: np.ndarray


class Band(NamedTuple):
    """Smallest and largest figure that passes."""

    low: float
    high: float


# Measured when the band was set, after each one. Raise what has become better. The slope goes down with
# the slope of `focus.judging.level`.
FLOORS = {
    "wikischools": {
        "average precision": Band(0.89, 1.0),  # 0.920
        "F1": Band(0.8, 1.0),  # 0.830
        "calibration error": Band(0.0, 0.17),  # 0.140
        "expected / true": Band(0.7, 1.1),  # 0.789
        "claimed / true": Band(0.8, 1.2),  # 0.941
        "slope": Band(1.2, 2.1),  # 1.630: too timid
    },
    "debdocs": {
        "average precision": Band(0.92, 1.0),  # 0.948
        "F1": Band(0.57, 1.0),  # 0.614
        "calibration error": Band(0.0, 0.43),  # 0.396: the model expects half of what there is
        "expected / true": Band(0.41, 1.1),  # 0.458
        "claimed / true": Band(0.5, 1.2),  # 0.565
        "slope": Band(1.15, 2.05),  # 1.590
    },
}

FIGURES = ("average precision", "F1", "calibration error", "expected / true", "claimed / true", "slope")


def figures(crawls: list[Crawl]) -> dict[str, float]:
    """Means of average precision and F1 over the crawls; the rest over the pages of all of them."""
    relevance, relevant, on_topic = (np.concatenate(arrays) for arrays in zip(*crawls, strict=True))
    found = (
        float(np.mean([average_precision(crawl.on_topic, crawl.relevance) for crawl in crawls])),
        float(np.mean([f1(crawl.on_topic, crawl.relevant) for crawl in crawls])),
        calibration_error(on_topic, relevance),
        float(relevance.sum() / on_topic.sum()),
        float(relevant.sum() / on_topic.sum()),
        calibration_slope(crawls),
    )
    return dict(zip(FIGURES, found, strict=True))


def calibration_slope(crawls: list[Crawl]) -> float:
    """How far log odds must be stretched to fit the truth best: 1 if chances are as sure as is right.

    A logistic regression with an intercept for each crawl, so that a level which is off decides nothing.
    """
    chances = np.clip(np.concatenate([crawl.relevance for crawl in crawls]), 1e-6, 1 - 1e-6)
    log_odds = np.log(chances / (1 - chances))
    number = np.repeat(np.arange(len(crawls)), [len(crawl.relevance) for crawl in crawls])
    inputs = np.column_stack([number[:, np.newaxis] == np.arange(len(crawls)), log_odds]).astype(float)
    truth = np.concatenate([crawl.on_topic for crawl in crawls])
    weights = np.zeros(inputs.shape[1])
    for _ in range(30):
        predicted = 1 / (1 + np.exp(-np.clip(inputs @ weights, -30, 30)))
        spread = inputs.T @ (inputs * (predicted * (1 - predicted))[:, np.newaxis])
        # A little ridge, as a crawl may have no page off topic.
        step = np.linalg.solve(spread + 1e-3 * np.eye(len(weights)), inputs.T @ (truth - predicted))
        weights += np.clip(step, -2, 2)
    return float(weights[-1])


def outside(name: str, crawls: list[Crawl]) -> dict[str, tuple[float, Band]]:
    """The figures that are not within the bands of this web."""
    found = figures(crawls)
    return {
        figure: (round(found[figure], 3), band)
        for figure, band in FLOORS[name].items()
        if not band.low <= found[figure] <= band.high
    }
