"""The tables of the five papers, computed as they were printed, for any strategies.

Papers are told apart by the strategy that Lagotto builds from them.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from lagotto.lab.comparison import Comparison
from lagotto.lab.measures import Segments, harvest_at, segments

LINKRANK_SEGMENT = 500

REPORTED = {
    "dynamic": {
        "basic crawler": {500: 0.30, 1000: 0.25, 2000: 0.20, 4000: 0.15},
        "static table": {500: 0.80, 1000: 0.78, 2000: 0.77, 4000: 0.70},
        "dynamic table": {500: 1.00, 1000: 0.95, 2000: 0.90, 4000: 0.87},
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
