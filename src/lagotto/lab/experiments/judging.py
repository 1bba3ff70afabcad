"""Judging runs by the labels: the only place where what a crawler did meets what is true."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from lagotto.lab.experiments.draws import Draw
from lagotto.lab.experiments.measures import Hits
from lagotto.lab.experiments.one_run import Replayed
from lagotto.topic import Confusion
from lagotto.urls import host_of


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
    """CPU time for each fetched page."""
    frontier: int
    why: str


def judge(run: Replayed, draw: Draw, relevant: frozenset[str], budget: int) -> Judged:
    """Judge a run on the first pages, up to the budget, that its user did not have before."""
    wanted = relevant - draw.given
    counted = [
        (url, verdict) for url, verdict in zip(run.urls, run.relevant, strict=True) if url not in draw.given
    ][:budget]
    hits = np.array([url in wanted for url, _ in counted], bool)
    return Judged(
        hits=hits,
        confusion=Confusion.of(zip(hits.tolist(), (verdict for _, verdict in counted), strict=True)),
        relevant=len(wanted),
        hosts=len({host_of(url) for url, _ in counted if url in wanted}),
        cpu_ms=1000 * run.cpu_seconds / max(1, len(run.urls)),
        frontier=run.frontier,
        why=run.why,
    )
