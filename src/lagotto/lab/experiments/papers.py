"""The tables and figures of the five papers, computed as they were printed, for any strategies.

Papers are named by the strategy that Lagotto builds from them.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from msgspec import Struct

from lagotto.lab.experiments.measures import Segments, harvest_at, segments
from lagotto.lab.experiments.results import Comparison

LINKRANK_SEGMENT = 500
TABLE_2 = range(500, 4001, 500)
"""Pages at which Table II of the paper of `dynamic` has a row."""
GAIN_PAGES = 1000
"""Pages at which the paper of `priority` compares."""
SIMPLE, FOCUSED = "bfs", "best-first"
"""Strategies that take the places of that paper's simple and focused crawlers."""
REPORTED_GAINS = (0.87, 0.24)
"""Gain over the simple and over the focused crawler that it reports."""


def _at(marks: Iterable[int], *figures: float) -> dict[int, float]:
    return dict(zip(marks, figures, strict=True))


REPORTED = {
    "dynamic": {
        "basic crawler": _at(TABLE_2, 0.30, 0.25, 0.27, 0.20, 0.18, 0.19, 0.15, 0.15),
        "static table": _at(TABLE_2, 0.80, 0.78, 0.79, 0.77, 0.74, 0.75, 0.73, 0.70),
        "dynamic table": _at(TABLE_2, 1.00, 0.95, 0.92, 0.90, 0.88, 0.91, 0.87, 0.87),
    },
    "hybrid": {
        "breadth first": {100: 0.50, 500: 0.35, 1000: 0.26, 2000: 0.20},
        "earlier focused": {100: 0.75, 500: 0.67, 1000: 0.64, 2000: 0.65},
        "proposed": {100: 0.86, 500: 0.81, 1000: 0.78, 2000: 0.77},
    },
}
"""Paper -> system -> pages -> harvest ratio that it reports, which one of them calls precision."""
MARKS = sorted({mark for systems in REPORTED.values() for figures in systems.values() for mark in figures})


def marks_within(budget: int) -> list[int]:
    """The papers' marks that a budget reaches, and the budget itself."""
    return [mark for mark in MARKS if mark < budget] + [budget]


def harvest_at_marks(comparison: Comparison, protocol: str, strategy: str, marks: list[int]) -> list[float]:
    """Harvest ratio at each mark, mean over topics (papers of `dynamic` and `hybrid`)."""
    return [
        float(
            np.mean(
                [
                    harvest_at(comparison.run(protocol, strategy, topic, draw).hits, mark)
                    for topic in comparison.topics
                    for draw in comparison.draws
                ]
            )
        )
        for mark in marks
    ]


class Gain(Struct, frozen=True):
    """How much more a strategy harvests than two others, as the paper of `priority` compares."""

    harvest: float
    over_simple: float | None
    """Share by which it harvests more than breadth first; None if that found nothing."""
    over_focused: float | None
    """The same against best-first; None as well if that was not compared."""


def gain_pages(budget: int) -> int:
    """1,000 pages as in the paper, or the budget if it is smaller."""
    return min(GAIN_PAGES, budget)


def gain(comparison: Comparison, protocol: str, strategy: str) -> Gain:
    """The gains of a strategy, by its mean harvest ratio over topics."""
    pages = [gain_pages(comparison.budget)]
    (own,) = harvest_at_marks(comparison, protocol, strategy, pages)

    def over(other: str) -> float | None:
        if other not in comparison.strategies:
            return None
        (base,) = harvest_at_marks(comparison, protocol, other, pages)
        return own / base - 1 if base else None

    return Gain(own, over(SIMPLE), over(FOCUSED))


def segment_length(budget: int) -> int:
    """500 pages as in the paper, or a tenth of a budget too small for that."""
    return LINKRANK_SEGMENT if budget >= 4 * LINKRANK_SEGMENT else max(1, budget // 10)


def mean_segments(comparison: Comparison, protocol: str, strategy: str) -> Segments:
    """Harvest ratio a segment and cumulated, mean over topics (paper of `linkrank`)."""
    length = segment_length(comparison.budget)
    found = [
        segments(comparison.run(protocol, strategy, topic, draw).hits, comparison.budget, length)
        for topic in comparison.topics
        for draw in comparison.draws
    ]
    return Segments(
        segment=np.mean([run.segment for run in found], axis=0).tolist(),
        cumulative=np.mean([run.cumulative for run in found], axis=0).tolist(),
    )


class CrawlSummary(Struct, frozen=True):
    """A row of the summary table in the paper of `linkrank`."""

    found: float
    """Relevant pages, mean over runs."""
    relative_time: float
    """CPU time a page, against breadth first."""
    mean_of_segments: float
    mean_of_cumulative: float


def crawl_summary(comparison: Comparison, protocol: str, strategy: str) -> CrawlSummary:
    """The row of a strategy."""
    runs = [
        (comparison.run(protocol, strategy, topic, draw), comparison.run(protocol, "bfs", topic, draw))
        for topic in comparison.topics
        for draw in comparison.draws
    ]
    figures = mean_segments(comparison, protocol, strategy)
    return CrawlSummary(
        found=float(np.mean([run.hits.sum() for run, _ in runs])),
        relative_time=sum(run.cpu_ms for run, _ in runs) / max(1e-9, sum(plain.cpu_ms for _, plain in runs)),
        mean_of_segments=figures.mean_of_segments,
        mean_of_cumulative=figures.mean_of_cumulative,
    )
