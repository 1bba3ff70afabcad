"""Which tables a comparison gives: our measures, and the shapes of the papers."""

from __future__ import annotations

import numpy as np

from lagotto.lab.experiments.measures import ENOUGH
from lagotto.lab.experiments.papers import (
    FOCUSED,
    REPORTED,
    REPORTED_GAINS,
    SIMPLE,
    crawl_summary,
    gain,
    gain_pages,
    harvest_at_marks,
    marks_within,
    mean_segments,
    segment_length,
)
from lagotto.lab.experiments.planning import BLIND
from lagotto.lab.experiments.results import MEASURES, SHARE, Comparison
from lagotto.lab.experiments.tasks import ORACLE
from lagotto.lab.report.tables import Cell, Column, Table
from lagotto.lab.report.verdict_tables import verdict_tables, verdict_tables_only_as_csv


def tables_of(comparison: Comparison, protocol: str) -> list[Table]:
    """All tables that are shown to people."""
    return [
        _summary(comparison, protocol),
        _paired(comparison, protocol),
        _topics(comparison, protocol),
        _marks(comparison, protocol),
        _gains(comparison, protocol),
        _segments(comparison, protocol),
        _confusion(comparison, protocol),
        *verdict_tables(comparison, protocol),
    ]


def tables_only_as_csv(comparison: Comparison, protocol: str) -> list[Table]:
    """Tables for further computation."""
    return [
        _runs(comparison, protocol),
        _curves(comparison, protocol),
        _segment_curves(comparison, protocol),
        *verdict_tables_only_as_csv(comparison, protocol),
    ]


def _order(comparison: Comparison, protocol: str) -> list[str]:
    return [ORACLE, *comparison.ranking(protocol)]


def _summary(comparison: Comparison, protocol: str) -> Table:
    rows: list[list[Cell]] = []
    for name in _order(comparison, protocol):
        share = comparison.interval(SHARE, protocol, name)
        figures = [comparison.mean(measure, protocol, name) for measure in MEASURES]
        rows.append([name, figures[0], f"{share.low:.3f} to {share.high:.3f}", *figures[1:]])
    columns = [Column(measure.title, measure.decimals, measure.best) for measure in MEASURES]
    columns = [Column("strategy", text=True), columns[0], Column("95 % interval"), *columns[1:]]
    note = (
        f"Means over {_topics_and_draws(comparison)}, at {comparison.budget:,} pages. The share of the "
        "oracle's area under the harvest curve says how much of what was possible a strategy found, and how "
        "early; beside it its 95 % interval over topics."
    )
    return Table("summary", "All measures.", note, columns, rows)


def _paired(comparison: Comparison, protocol: str) -> Table:
    rows: list[list[Cell]] = []
    for name in comparison.ranking(protocol):
        if name in comparison.contenders:
            rivals = (comparison.rival(protocol, name), "bfs")
            cells = [_against(comparison, protocol, name, rival) for rival in rivals]
            rows.append([name, rivals[0], *cells[0], *cells[1]])
    titles = ("difference", "95 % interval", "won : lost", "to bfs", "95 % interval", "won : lost")
    columns = [Column("strategy", text=True), Column("against", text=True), *map(Column, titles)]
    note = (
        "Difference in share of the oracle's area, topic by topic, with the 95 % interval of a paired "
        f"bootstrap over {len(comparison.topics)} topics, and topics won and lost: against "
        f"{comparison.baseline or 'the best of the others'}, and against breadth first. A difference whose "
        f"interval holds zero is not sure, nor is any with fewer than {ENOUGH} topics."
    )
    return Table("paired", "Who is ahead of whom.", note, columns, rows)


def _against(comparison: Comparison, protocol: str, name: str, rival: str) -> list[Cell]:
    paired = comparison.paired(protocol, name, rival)
    gap = paired.difference
    return [f"{gap.mean:+.3f}", f"{gap.low:+.3f} to {gap.high:+.3f}", f"{paired.wins} : {paired.losses}"]


def _topics(comparison: Comparison, protocol: str) -> Table:
    rows: list[list[Cell]] = [
        [name, *comparison.figures(SHARE, protocol, name)] for name in comparison.ranking(protocol)
    ]
    columns = [Column("strategy", text=True), *(Column(topic, best=True) for topic in comparison.topics)]
    return Table("topics", "Topic by topic.", "Share of the oracle's area.", columns, rows)


def _marks(comparison: Comparison, protocol: str) -> Table:
    marks = marks_within(comparison.budget)
    rows: list[list[Cell]] = [
        [name, *harvest_at_marks(comparison, protocol, name, marks)] for name in _order(comparison, protocol)
    ]
    for paper, systems in REPORTED.items():
        for system, figures in systems.items():
            if any(mark in figures for mark in marks):
                rows.append([f"{paper}'s paper: {system}", *(figures.get(mark) for mark in marks)])
    note = (
        "As in the papers of 'dynamic' (500 to 4,000 pages) and 'hybrid' (100 to 2,000). What they report is "
        "for the open web of their time, judged by the scorers that steered their crawls: not to be compared "
        "with the rows above."
    )
    columns = [Column("strategy", text=True), *(Column(f"{mark:,} pages") for mark in marks)]
    return Table("marks", "Harvest ratio after so many pages.", note, columns, rows)


def _gains(comparison: Comparison, protocol: str) -> Table:
    rows: list[list[Cell]] = []
    for name in comparison.ranking(protocol):
        found = gain(comparison, protocol, name)
        rows.append([name, found.harvest, _per_cent(found.over_simple), _per_cent(found.over_focused)])
    rows.append(["priority's paper: priority queue", None, *map(_per_cent, REPORTED_GAINS)])
    columns = [
        Column("strategy", text=True),
        Column("harvest ratio", best=True),
        Column(f"gain over {SIMPLE}"),
        Column(f"gain over {FOCUSED}"),
    ]
    note = (
        f"As in the paper of 'priority', after {gain_pages(comparison.budget):,} pages: how much more a "
        f"strategy harvests than a simple crawler ({SIMPLE}) and than a focused one ({FOCUSED}). What the "
        "paper reports is for four words on the open web of its time."
    )
    return Table("gains", "Gains in per cent.", note, columns, rows)


def _per_cent(share: float | None) -> str | None:
    return None if share is None else f"{100 * share:+.0f} %"


def _segments(comparison: Comparison, protocol: str) -> Table:
    rows: list[list[Cell]] = []
    for name in _order(comparison, protocol):
        row = crawl_summary(comparison, protocol, name)
        rows.append([name, row.found, row.relative_time, row.mean_of_segments, row.mean_of_cumulative])
    columns = [
        Column("strategy", text=True),
        Column("relevant pages", 1, best=True),
        Column("relative crawl time", 2),
        Column("mean of segments", best=True),
        Column("mean of cumulative harvest", best=True),
    ]
    note = (
        f"As in the paper of 'linkrank', in segments of {segment_length(comparison.budget)} pages. Crawl "
        "time is CPU time against breadth first; what that paper calls average harvest rate is the mean of "
        "the cumulative one."
    )
    return Table("segments", "Crawls in segments.", note, columns, rows)


def _confusion(comparison: Comparison, protocol: str) -> Table:
    rows: list[list[Cell]] = []
    for name in comparison.ranking(protocol):
        if name in BLIND:
            continue
        counts = comparison.confusion(protocol, name)
        rows.append(
            [
                name,
                counts.true_positive,
                counts.false_positive,
                counts.false_negative,
                counts.true_negative,
                counts.precision,
                counts.recall,
                counts.accuracy,
            ]
        )
    titles = ("true positive", "false positive", "false negative", "true negative")
    columns = [Column("strategy", text=True), *(Column(title, 0) for title in titles)]
    columns += [Column(title, best=True) for title in ("precision", "recall", "accuracy")]
    note = (
        "As in the paper of 'neural': the strategy's own verdicts on the pages when it fetched them, against "
        "the labels, summed over all runs."
    )
    return Table("confusion", "Verdicts at fetch.", note, columns, rows)


def _runs(comparison: Comparison, protocol: str) -> Table:
    rows: list[list[Cell]] = []
    for name in comparison.strategies:
        for topic in comparison.topics:
            for draw in comparison.draws:
                run = comparison.run(protocol, name, topic, draw)
                best = comparison.run(protocol, ORACLE, topic, draw)
                figures = [measure.of(run, best, comparison.budget) for measure in MEASURES]
                rows.append([name, topic, draw, *figures, len(run.hits), run.relevant, run.why])
    titles = [measure.name for measure in MEASURES]
    columns = ["strategy", "topic", "draw", *titles, "fetched", "relevant", "why it ended"]
    return Table("runs", "Every run.", "", [Column(title) for title in columns], rows)


def _curves(comparison: Comparison, protocol: str) -> Table:
    means = [comparison.mean_curves(protocol, name).mean(axis=0) for name in comparison.strategies]
    rows: list[list[Cell]] = [
        [page, *found] for page, found in enumerate(np.stack(means, axis=1).round(4).tolist(), 1)
    ]
    columns = [Column("pages", 0), *(Column(name) for name in comparison.strategies)]
    return Table("curves", "Relevant pages found.", "", columns, rows)


def _segment_curves(comparison: Comparison, protocol: str) -> Table:
    length = segment_length(comparison.budget)
    rows: list[list[Cell]] = []
    for name in comparison.strategies:
        figures = mean_segments(comparison, protocol, name)
        for number, (own, cumulated) in enumerate(zip(figures.segment, figures.cumulative, strict=True), 1):
            rows.append([name, number * length, own, cumulated])
    columns = ["strategy", "pages", "harvest of segment", "cumulative harvest"]
    return Table("segment-curves", "Harvest a segment.", "", [Column(title) for title in columns], rows)


def _topics_and_draws(comparison: Comparison) -> str:
    topics, draws = len(comparison.topics), len(comparison.draws)
    return f"{topics} topic{'s' * (topics > 1)} and {draws} draw{'s' * (draws > 1)} of seeds"
