"""What a run said of the pages that it judged, beside what is true of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import nan
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from lagotto.base.urls import host_of
from lagotto.focus.topic import Confusion
from lagotto.lab.experiments import measures
from lagotto.lab.experiments.draws import Draw
from lagotto.lab.experiments.measures import Hits
from lagotto.lab.experiments.one_run import Replayed

FETCH, AGAIN, ENCODED = "at fetch", "judged again", "with encoder"
"""When a page was judged: when it was fetched; at the end; at the end with an encoder."""
KINDS = (FETCH, AGAIN, ENCODED)


class Estimate(Struct, frozen=True):
    """What judging again says of the crawl."""

    recall: float
    """True share of the web's pages on topic that the crawl fetched."""
    estimate: float
    low: float
    high: float
    """Its 90 % interval."""
    presence: float
    """Chance that the web has the topic; not a number if the strategy does not judge that."""
    here: bool

    @property
    def covered(self) -> bool:
        """Whether the interval holds the true recall."""
        return self.low <= self.recall <= self.high


class Verdicts(Struct, frozen=True):
    """Verdicts on the pages that count, in fetch order; pages that were not judged are left out."""

    hits: Hits
    """Whether each is on topic."""
    chances: NDArray[np.float64]
    """Relevance of each."""
    claimed: NDArray[np.bool_]
    """Verdict on each."""
    marked: NDArray[np.bool_]
    """Whether a simulated teacher was asked about it."""
    estimate: Estimate | None = None

    def unmarked(self) -> Verdicts:
        """The same without pages that were marked."""
        rest = ~self.marked
        return Verdicts(
            self.hits[rest], self.chances[rest], self.claimed[rest], self.marked[rest], self.estimate
        )


class VerdictMeasure(NamedTuple):
    """A figure of verdicts."""

    name: str
    title: str
    of: Callable[[Verdicts], float]
    best: bool = True
    """Whether more is better."""

    def of_unmarked(self, verdicts: Verdicts) -> float:
        """The figure of the pages that were not marked."""
        return self.of(verdicts.unmarked())


PRECISION = VerdictMeasure(
    "average_precision", "average precision", lambda said: measures.average_precision(said.hits, said.chances)
)
F1 = VerdictMeasure("f1", "F1", lambda said: measures.f1(said.hits, said.claimed))
CLAIMED = VerdictMeasure(
    "claimed", "pages claimed", lambda said: float(said.claimed.sum()) / max(1, len(said.claimed)), False
)
VERDICT_MEASURES = (
    PRECISION,
    F1,
    VerdictMeasure(
        "claimed_ratio", "claimed / true", lambda said: measures.claimed_ratio(said.hits, said.claimed), False
    ),
    VerdictMeasure("brier", "Brier score", lambda said: measures.brier_score(said.hits, said.chances), False),
    VerdictMeasure(
        "calibration",
        "calibration error",
        lambda said: measures.calibration_error(said.hits, said.chances),
        False,
    ),
)


def verdicts_of(
    run: Replayed, counted: Sequence[int], wanted: frozenset[str], recall: float
) -> dict[str, Verdicts]:
    """When the pages were judged -> the verdicts on those that count, given as places in fetch order."""
    return {
        kind: _verdicts(run, relevance, relevant, counted, wanted, estimate)
        for kind, relevance, relevant, estimate in _judgings(run, recall)
    }


_Judging = tuple[str, list[float | None], list[bool], Estimate | None]


def _judgings(run: Replayed, recall: float) -> Iterator[_Judging]:
    yield FETCH, run.relevance, run.relevant, None
    for kind, again in ((AGAIN, run.again), (ENCODED, run.encoded)):
        if again is not None:
            presence = nan if again.presence is None else again.presence
            estimate = Estimate(
                recall, again.recall, again.recall_low, again.recall_high, presence, again.here
            )
            yield kind, again.relevance, again.relevant, estimate


def _verdicts(
    run: Replayed,
    relevance: list[float | None],
    relevant: list[bool],
    counted: Sequence[int],
    wanted: frozenset[str],
    estimate: Estimate | None,
) -> Verdicts:
    judged = [(place, chance) for place in counted if (chance := relevance[place]) is not None]
    places = [place for place, _ in judged]
    return Verdicts(
        hits=np.array([run.urls[place] in wanted for place in places], bool),
        chances=np.array([chance for _, chance in judged], float),
        claimed=np.array([relevant[place] for place in places], bool),
        marked=np.array([run.urls[place] in run.marks for place in places], bool),
        estimate=estimate,
    )


class Judged(Struct, frozen=True):
    """A run as the labels see it; seeds and example pages are left out."""

    hits: Hits
    """For each page in fetch order whether it is on topic."""
    confusion: Confusion
    """The strategy's verdicts on these pages against the labels."""
    relevant: int
    """Pages that were to be found."""
    hosts: int
    """Hosts on which relevant pages were found."""
    cpu_ms: float
    """CPU time of the crawl for each fetched page."""
    frontier: int
    why: str
    verdicts: dict[str, Verdicts] = {}
    """When the pages were judged -> the verdicts on them, and what judging again estimates."""
    again_ms: float = nan
    """CPU time of judging all pages again, without an encoder, for each page."""
    marks: int = 0
    """Pages that a simulated teacher was asked about."""


def judge(run: Replayed, draw: Draw, relevant: frozenset[str], budget: int) -> Judged:
    """Judge a run on the first pages, up to the budget, that its user did not have before."""
    wanted = relevant - draw.given
    fresh = [place for place, url in enumerate(run.urls) if url not in draw.given]
    counted = fresh[:budget]
    urls = [run.urls[place] for place in counted]
    hits = np.array([url in wanted for url in urls], bool)
    recall = sum(run.urls[place] in wanted for place in fresh) / max(1, len(wanted))
    pages = max(1, len(run.urls))
    return Judged(
        hits=hits,
        confusion=Confusion.of(zip(hits.tolist(), (run.relevant[place] for place in counted), strict=True)),
        relevant=len(wanted),
        hosts=len({host_of(url) for url in urls if url in wanted}),
        cpu_ms=1000 * run.cpu_seconds / pages,
        frontier=run.frontier,
        why=run.why,
        verdicts=verdicts_of(run, counted, wanted, recall),
        again_ms=nan if run.again is None else 1000 * run.again.cpu_seconds / pages,
        marks=len(run.marks),
    )
