"""A comparison: all its runs, judged, and the figures that follow from them.

A figure of a strategy on a topic is the mean over draws; over topics, means and intervals are taken of these.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from lagotto.focus.topic import Confusion
from lagotto.lab.experiments.measures import (
    Curve,
    Interval,
    Paired,
    area_share,
    bootstrap,
    harvest_at,
    harvest_curve,
    paired_bootstrap,
    r_precision,
    recall_at,
)
from lagotto.lab.experiments.tasks import BOUNDS, ORACLE
from lagotto.lab.experiments.verdicts import Judged

Figure = Callable[[Judged, Judged, int], float]
"""A figure of a run, given the oracle's run from the same start, and the budget."""


class Measure(NamedTuple):
    """One column of the tables."""

    name: str
    title: str
    of: Figure
    decimals: int = 3
    best: bool = True
    """Whether more is better."""


SHARE = Measure(
    "share", "share of oracle's area", lambda run, best, budget: area_share(run.hits, best.hits, budget)
)
MEASURES = (
    SHARE,
    Measure("harvest", "harvest ratio", lambda run, _, budget: harvest_at(run.hits, budget)),
    Measure("recall", "recall", lambda run, _, budget: recall_at(run.hits, budget, run.relevant)),
    Measure("r_precision", "R-precision", lambda run, _, budget: r_precision(run.hits, run.relevant, budget)),
    Measure("hosts", "relevant hosts", lambda run, _, __: run.hosts, 1),
    Measure("cpu_ms", "CPU ms a page", lambda run, _, __: run.cpu_ms, 2, best=False),
    Measure("again_ms", "judged again, CPU ms a page", lambda run, _, __: run.again_ms, 2, best=False),
    Measure("frontier", "links left in frontier", lambda run, _, __: run.frontier, 0, best=False),
)


class RunKey(NamedTuple):
    """Which run it is."""

    protocol: str
    strategy: str
    topic: str
    draw: int
    marks: int = 0
    """Pages that a simulated teacher was asked about."""
    right: float = 1.0
    """Share of its answers that are right."""


class Facts(Struct, frozen=True):
    """What was compared, for whoever wants to do it again."""

    web: str
    content_hash: str
    pages: int
    hosts: int
    links: int
    relevant: dict[str, int]
    """Topic -> pages that its labels name."""
    words: dict[str, str]
    unknown_labels: int
    settings: dict[str, str]
    """Options of the command, as they were in force."""
    versions: dict[str, str]
    absent: dict[str, str] = {}
    """Topics that the web does not have -> their words."""
    unlabelled: tuple[str, ...] = ()
    """Those of them that were given as ordinary topics, but no page has their label."""


class Comparison:
    """Strategies on the same topics, from the same starts, with the same budget."""

    def __init__(
        self,
        facts: Facts,
        runs: dict[RunKey, Judged],
        *,
        budget: int,
        baseline: str = "",
        absent: dict[RunKey, Judged] | None = None,
        taught: dict[RunKey, Judged] | None = None,
    ) -> None:
        """`absent` are runs for topics that the web does not have, `taught` those with a teacher."""
        self.facts = facts
        self.runs = runs
        self.absent = absent or {}
        self.taught = taught or {}
        self.budget = budget
        self.baseline = baseline
        self.protocols = list(dict.fromkeys(key.protocol for key in runs))
        self.topics = list(dict.fromkeys(key.topic for key in runs))
        self.draws = list(dict.fromkeys(key.draw for key in runs))
        self.strategies = list(dict.fromkeys(key.strategy for key in runs))
        self._figures: dict[tuple[str, str, str, str], float] = {}

    @property
    def contenders(self) -> list[str]:
        """Strategies that are no bounds."""
        return [name for name in self.strategies if name not in BOUNDS]

    def run(self, protocol: str, strategy: str, topic: str, draw: int) -> Judged:
        """One run."""
        return self.runs[RunKey(protocol, strategy, topic, draw)]

    def figure(self, measure: Measure, protocol: str, strategy: str, topic: str) -> float:
        """A figure of a strategy on a topic, mean over draws."""
        key = (measure.name, protocol, strategy, topic)
        if key not in self._figures:
            figures = [
                measure.of(
                    self.run(protocol, strategy, topic, draw),
                    self.run(protocol, ORACLE, topic, draw),
                    self.budget,
                )
                for draw in self.draws
            ]
            self._figures[key] = float(np.mean(figures))
        return self._figures[key]

    def figures(self, measure: Measure, protocol: str, strategy: str) -> list[float]:
        """The same for every topic."""
        return [self.figure(measure, protocol, strategy, topic) for topic in self.topics]

    def mean(self, measure: Measure, protocol: str, strategy: str) -> float:
        """Mean over topics."""
        return float(np.mean(self.figures(measure, protocol, strategy)))

    def interval(self, measure: Measure, protocol: str, strategy: str) -> Interval:
        """Mean over topics with its 95 % interval."""
        return bootstrap(self.figures(measure, protocol, strategy))

    def ranking(self, protocol: str) -> list[str]:
        """Strategies and bounds but the oracle, the largest share of its area first."""
        shares = {name: self.mean(SHARE, protocol, name) for name in self.strategies if name != ORACLE}
        return sorted(shares, key=lambda name: -shares[name])

    def lead(self, protocol: str) -> str:
        """The best strategy that is no bound; breadth first when there is no other."""
        return next((name for name in self.ranking(protocol) if name in self.contenders), "bfs")

    def rival(self, protocol: str, strategy: str) -> str:
        """Whom a strategy is measured against: the baseline, or else the best of the others."""
        if self.baseline and strategy != self.baseline:
            return self.baseline
        return next(name for name in self.ranking(protocol) if name != strategy)

    def paired(self, protocol: str, strategy: str, rival: str) -> Paired:
        """A strategy against another, by share of the oracle's area, topic by topic."""
        return paired_bootstrap(self.figures(SHARE, protocol, strategy), self.figures(SHARE, protocol, rival))

    def curve(self, protocol: str, strategy: str, topic: str) -> Curve:
        """Harvest curves on a topic, one row a draw."""
        return np.stack(
            [
                harvest_curve(self.run(protocol, strategy, topic, draw).hits, self.budget)
                for draw in self.draws
            ]
        )

    def mean_curves(self, protocol: str, strategy: str) -> Curve:
        """Harvest curves, each the mean over draws, one row a topic."""
        return np.stack([self.curve(protocol, strategy, topic).mean(axis=0) for topic in self.topics])

    def confusion(self, protocol: str, strategy: str) -> Confusion:
        """Verdicts against labels, over all runs."""
        counts = np.sum(
            [
                _cells(self.run(protocol, strategy, topic, draw).confusion)
                for topic in self.topics
                for draw in self.draws
            ],
            axis=0,
        )
        return Confusion(*map(int, counts))


def _cells(confusion: Confusion) -> tuple[int, int, int, int]:
    return (
        confusion.true_positive,
        confusion.false_positive,
        confusion.false_negative,
        confusion.true_negative,
    )
