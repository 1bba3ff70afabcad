"""Tables about verdicts: how good they are, what crawls say of themselves, absent topics, and teachers."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan, nan

from lagotto.lab.experiments.measures import Interval
from lagotto.lab.experiments.planning import BLIND
from lagotto.lab.experiments.results import Comparison
from lagotto.lab.experiments.verdict_figures import (
    Runs,
    area_of,
    kinds_of,
    lessons_of,
    of_estimates,
    of_verdicts,
    runs_of,
    taught_runs,
    verdicts_at,
)
from lagotto.lab.experiments.verdicts import CLAIMED, F1, FETCH, PRECISION, VERDICT_MEASURES
from lagotto.lab.report.tables import Cell, Column, Table

_INTERVAL = Column("95 % interval")
_WHO = [Column("strategy", text=True), Column("judged", text=True)]


def verdict_tables(comparison: Comparison, protocol: str) -> list[Table]:
    """The tables of a protocol; those about absent topics stand with the first one."""
    tables = [_quality(comparison, protocol), _recall(comparison, protocol)]
    if comparison.absent and protocol == comparison.protocols[0]:
        tables.append(_absent(comparison))
    tables.append(_learning(comparison, protocol))
    return [table for table in tables if table.rows]


def verdict_tables_only_as_csv(comparison: Comparison, protocol: str) -> list[Table]:
    """Tables for further computation."""
    return [_every(comparison, protocol)]


def _quality(comparison: Comparison, protocol: str) -> Table:
    rows: list[list[Cell]] = []
    for name, runs in _judging(comparison, protocol):
        for kind in kinds_of(runs):
            figures = [of_verdicts(runs, kind, measure.of) for measure in VERDICT_MEASURES]
            rows.append([name, kind, *(cell for figure in figures for cell in _cells(figure))])
    columns = [
        column
        for measure in VERDICT_MEASURES
        for column in (Column(measure.title, best=measure.best), _INTERVAL)
    ]
    note = (
        "The strategy's relevance and verdicts on the pages it fetched, against the labels: at fetch; judged "
        "again at the end as a crawl does it, if the strategy does that; and judged again with a sentence "
        "encoder, if one was named. Means over topics with 95 % intervals. Claimed / true is the larger "
        "number over the smaller. Seeds and example pages do not count, nor do pages whose content was "
        "seen before."
    )
    return Table("verdicts", "Final verdicts.", note, [*_WHO, *columns], rows)


def _recall(comparison: Comparison, protocol: str) -> Table:
    rows: list[list[Cell]] = []
    for name, runs in _judging(comparison, protocol):
        for kind in kinds_of(runs):
            error = of_estimates(runs, kind, lambda said: abs(said.estimate - said.recall))
            covered = of_estimates(runs, kind, lambda said: said.covered)
            width = of_estimates(runs, kind, lambda said: said.high - said.low)
            if error and covered and width:
                rows.append([name, kind, *_cells(error), *_cells(covered), width.mean])
    columns = [Column("mean error"), _INTERVAL, Column("covers"), _INTERVAL, Column("its width")]
    note = (
        "Estimated against true recall: the mean difference, and the share of crawls whose 90 % interval "
        "holds the true recall. The estimate of a strategy that knows no chances goes by its verdicts."
    )
    return Table("recall", "The recall estimate.", note, [*_WHO, *columns], rows)


def _absent(comparison: Comparison) -> Table:
    rows: list[list[Cell]] = []
    for name in dict.fromkeys(key.strategy for key in comparison.absent):
        runs = {key: run for key, run in comparison.absent.items() if key.strategy == name}
        for kind in kinds_of(runs):
            claimed = of_verdicts(runs, kind, CLAIMED.of)
            most = max(CLAIMED.of(verdicts_at(run, kind)) for run in runs.values())
            presence = of_estimates(runs, kind, lambda said: said.presence)
            gone = of_estimates(runs, kind, lambda said: nan if isnan(said.presence) else not said.here)
            rows.append([name, kind, *_cells(claimed), most, _mean(presence), _mean(gone)])
    columns = [Column("pages claimed"), _INTERVAL, Column("most")]
    columns += [Column("chance of presence"), Column("said to be absent")]
    words = "; ".join(f"{name} ({text})" for name, text in comparison.facts.absent.items())
    note = (
        "The share of pages claimed for topics that the web does not have, the most of any crawl, what the "
        f"strategy thinks of the topic's presence, and the share of crawls that say it is not here: {words}."
    )
    return Table("absent", "Absent topics.", note, [*_WHO, *columns], rows)


def _learning(comparison: Comparison, protocol: str) -> Table:
    rows: list[list[Cell]] = []
    for name in comparison.contenders:
        for lesson in lessons_of(comparison, protocol, name):
            runs = taught_runs(comparison, protocol, name, lesson)
            right = f"{100 * lesson.right:.0f} %" if lesson.marks else None
            for kind in kinds_of(runs)[1:]:
                figures = [area_of(comparison, runs)]
                for measure in (PRECISION, F1):
                    figures.append(of_verdicts(runs, kind, measure.of))
                    figures.append(of_verdicts(runs, kind, measure.of_unmarked))
                cells = [cell for figure in figures for cell in _cells(figure)]
                rows.append([name, lesson.marks, right, kind, *cells])
    columns = [
        Column("strategy", text=True),
        Column("marks", 0),
        Column("right"),
        Column("judged", text=True),
    ]
    for title in (
        "share of oracle's area",
        PRECISION.title,
        "of pages not marked",
        F1.title,
        "of pages not marked",
    ):
        columns += [Column(title), _INTERVAL]
    note = (
        "A simulated teacher is asked about so many pages within the first two fifths of the crawl, chosen "
        "as a crawl chooses them, and answers by the labels; this share of its answers is right, the others "
        "say the opposite. The marks count in the final verdicts. Figures over all pages, and over those "
        "that were not marked. A page was fetched before it was asked about, so the area counts all."
    )
    return Table("learning", "What marks bring.", note, columns, rows)


def _every(comparison: Comparison, protocol: str) -> Table:
    rows: list[list[Cell]] = []
    everything = {**comparison.runs, **comparison.taught, **comparison.absent}
    for key, run in everything.items():
        if key.protocol != protocol or key.strategy in BLIND:
            continue
        for kind, verdicts in run.verdicts.items():
            figures = [measure.of(verdicts) for measure in VERDICT_MEASURES]
            said = verdicts.estimate
            own = [said.recall, said.estimate, said.low, said.high, said.presence] if said else [None] * 5
            lesson: list[Cell] = [key.marks, key.right, run.marks]
            pages = [len(verdicts.hits), int(verdicts.hits.sum()), int(verdicts.claimed.sum())]
            rows.append([key.strategy, key.topic, key.draw, *lesson, kind, *pages, *figures, *own])
    titles = ["strategy", "topic", "draw", "marks", "right", "answered", "judged"]
    titles += ["pages", "on topic", "claimed", *(measure.name for measure in VERDICT_MEASURES)]
    titles += ["recall", "estimate", "low", "high", "presence"]
    return Table("verdict-runs", "Verdicts of every run.", "", [Column(title) for title in titles], rows)


def _judging(comparison: Comparison, protocol: str) -> Iterator[tuple[str, Runs]]:
    """Strategies that judge pages, with their runs."""
    for name in comparison.ranking(protocol):
        if name not in BLIND:
            runs = runs_of(comparison.runs, protocol, name)
            if any(len(run.verdicts[FETCH].hits) for run in runs.values()):
                yield name, runs


def _cells(interval: Interval) -> tuple[Cell, Cell]:
    return interval.mean, f"{interval.low:.3f} to {interval.high:.3f}"


def _mean(interval: Interval | None) -> float | None:
    return None if interval is None else interval.mean
