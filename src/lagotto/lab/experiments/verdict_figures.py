"""Figures of a comparison about verdicts: how good they are, and what the crawl says of itself.

As elsewhere, a figure of a topic is the mean over draws; over topics, means and intervals are taken of these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from lagotto.lab.experiments.measures import Bin, Interval, area_share, bootstrap, reliability
from lagotto.lab.experiments.results import Comparison, RunKey
from lagotto.lab.experiments.tasks import ORACLE
from lagotto.lab.experiments.verdicts import FETCH, KINDS, Estimate, Judged, Verdicts

Runs = dict[RunKey, Judged]


class Lesson(NamedTuple):
    """What a simulated teacher was asked to do."""

    marks: int
    right: float


NO_LESSON = Lesson(0, 1.0)


def runs_of(runs: Runs, protocol: str, strategy: str, lesson: Lesson = NO_LESSON) -> Runs:
    """The runs of one strategy under a protocol, and with such a teacher."""
    wanted = (protocol, strategy, *lesson)
    return {
        key: run for key, run in runs.items() if (key.protocol, key.strategy, key.marks, key.right) == wanted
    }


def lessons_of(comparison: Comparison, protocol: str, strategy: str) -> list[Lesson]:
    """The teachers that a strategy had, and none first."""
    found = {
        Lesson(key.marks, key.right)
        for key in comparison.taught
        if (key.protocol, key.strategy) == (protocol, strategy)
    }
    return [NO_LESSON, *sorted(found, key=lambda lesson: (lesson.marks, -lesson.right))] if found else []


def taught_runs(comparison: Comparison, protocol: str, strategy: str, lesson: Lesson) -> Runs:
    """The runs with a teacher, or those without one."""
    runs = comparison.taught if lesson.marks else comparison.runs
    return runs_of(runs, protocol, strategy, lesson)


def kinds_of(runs: Runs) -> list[str]:
    """When the pages of these runs were judged."""
    return [kind for kind in KINDS if any(kind in run.verdicts for run in runs.values())]


def verdicts_at(run: Judged, kind: str) -> Verdicts:
    """The verdicts of a run; those at fetch hold where its pages were not judged again."""
    return run.verdicts.get(kind) or run.verdicts[FETCH]


def over_topics(runs: Runs, of: Callable[[RunKey, Judged], float]) -> Interval:
    """Mean over topics of a figure's means over draws, with its interval."""
    figures: dict[str, list[float]] = {}
    for key, run in runs.items():
        figures.setdefault(key.topic, []).append(of(key, run))
    return bootstrap([float(np.mean(draws)) for draws in figures.values()])


def of_verdicts(runs: Runs, kind: str, of: Callable[[Verdicts], float]) -> Interval:
    """The same for a figure of verdicts."""
    return over_topics(runs, lambda _, run: of(verdicts_at(run, kind)))


def of_estimates(runs: Runs, kind: str, of: Callable[[Estimate], float]) -> Interval | None:
    """The same for a figure of what the crawl says of itself; None if it says nothing."""
    estimates = {
        key: estimate
        for key, run in runs.items()
        if kind in run.verdicts and (estimate := run.verdicts[kind].estimate) is not None
    }
    saying = {key: run for key, run in runs.items() if key in estimates}
    return over_topics(saying, lambda key, _: of(estimates[key])) if saying else None


def area_of(comparison: Comparison, runs: Runs) -> Interval:
    """Share of the oracle's area."""

    def share(key: RunKey, run: Judged) -> float:
        best = comparison.run(key.protocol, ORACLE, key.topic, key.draw)
        return area_share(run.hits, best.hits, comparison.budget)

    return over_topics(runs, share)


def reliability_of(runs: Runs) -> dict[str, list[Bin]]:
    """When the pages were judged -> all pages in bins by their relevance."""
    return {kind: _bins(verdicts_at(run, kind) for run in runs.values()) for kind in kinds_of(runs)}


def _bins(verdicts: Iterable[Verdicts]) -> list[Bin]:
    found = list(verdicts)
    hits = np.concatenate([each.hits for each in found])
    chances = np.concatenate([each.chances for each in found])
    return reliability(hits, np.clip(chances, 0.0, 1.0))
