"""Judging runs by the labels: the only place where what a crawler did meets what is true."""

from __future__ import annotations

from math import nan

import numpy as np
from msgspec import Struct

from lagotto.lab.experiments.draws import Draw
from lagotto.lab.experiments.measures import Hits
from lagotto.lab.experiments.one_run import Replayed
from lagotto.lab.experiments.verdicts import Verdicts, verdicts_of
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
