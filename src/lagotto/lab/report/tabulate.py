"""Which tables a comparison gives: our measures, and the shapes of the papers."""

from __future__ import annotations

import numpy as np

from lagotto.lab.comparison import MEASURES, SHARE, Comparison
from lagotto.lab.papers import (
    DYNAMIC_MARKS,
    HYBRID_MARKS,
    REPORTED,
    crawl_summary,
    harvest_at_marks,
    marks_within,
    mean_segments,
    segment_length,
)
from lagotto.lab.report.tables import Cell, Column, Table
from lagotto.lab.tasks import INDEGREE, ORACLE, RANDOM

_BLIND = (RANDOM, INDEGREE, ORACLE)
"""Bounds that judge no page."""


def tables_of(comparison: Comparison, protocol: str) -> list[Table]:
    """All tables that are shown to people."""
    return [
        _summary(comparison, protocol),
        _paired(comparison, protocol),
        _topics(comparison, protocol),
        _marks(comparison, protocol, "dynamic", DYNAMIC_MARKS, "Harvest ratio"),
        _marks(comparison, protocol, "hybrid", HYBRID_MARKS, "Precision"),
        _segments(comparison, protocol),
        _confusion(comparison, protocol),
    ]


def tables_only_as_csv(comparison: Comparison, protocol: str) -> list[Table]:
    """Tables for further computation."""
    return [
        _runs(comparison, protocol),
        _curves(comparison, protocol),
        _segment_curves(comparison, protocol),
    ]


def _order(comparison: Comparison, protocol: str) -> list[str]:
    return [ORACLE, *comparison.ranking(protocol)]


def _summary(comparison: Comparison, protocol: str) -> Table:
    best = {"cpu_ms": "min", "frontier": ""}
    rows: list[list[Cell]] = []
    for name in _order(comparison, protocol):
        share = comparison.interval(SHARE, protocol, name)
        figures = [comparison.mean(measure, protocol, name) for measure in MEASURES]
        rows.append([name, figures[0], f"{share.low:.3f} to {share.high:.3f}", *figures[1:]])
    columns = [Column(m.title, m.decimals, best.get(m.name, "max")) for m in MEASURES]
    note = (
        f"Means over {_topics_and_draws(comparison)}, at {comparison.budget:,} pages. The share of the "
        "oracle's area under the harvest curve says how much of what was possible a strategy found, and how "
        "early; beside it its 95 % interval over topics."
    )
    return Table(
        "summary", "All measures.", note, [Column("strategy"), columns[0], Column("95 %"), *columns[1:]], rows
    )


def _paired(comparison: Comparison, protocol: str) -> Table:
    rows: list[list[Cell]] = []
    for name in comparison.ranking(protocol):
        if name not in comparison.contenders:
            continue
        for rival in dict.fromkeys([comparison.rival(protocol, name), "bfs"]):
            paired = comparison.paired(protocol, name, rival)
            gap = paired.difference
            verdict = ("better" if gap.mean > 0 else "worse") if paired.sure else "not sure"
            interval = f"{gap.low:+.3f} to {gap.high:+.3f}"
            rows.append([name, rival, f"{gap.mean:+.3f}", interval, paired.wins, paired.losses, verdict])
    columns = [
        Column("strategy"),
        Column("against"),
        Column("difference"),
        Column("95 %"),
        Column("topics won", 0),
        Column("topics lost", 0),
        Column("verdict"),
    ]
    note = (
        "Difference in share of the oracle's area, topic by topic, with the 95 % interval of a paired "
        f"bootstrap over {len(comparison.topics)} topics. 'Not sure' where the interval holds zero."
    )
    return Table("paired", "Who is ahead of whom.", note, columns, rows)


def _topics(comparison: Comparison, protocol: str) -> Table:
    rows: list[list[Cell]] = [
        [name, *comparison.figures(SHARE, protocol, name)] for name in comparison.ranking(protocol)
    ]
    columns = [Column("strategy"), *(Column(topic, best="max") for topic in comparison.topics)]
    return Table("topics", "Topic by topic.", "Share of the oracle's area.", columns, rows)


def _marks(
    comparison: Comparison, protocol: str, paper: str, paper_marks: tuple[int, ...], what: str
) -> Table:
    marks = marks_within(paper_marks, comparison.budget)
    rows: list[list[Cell]] = [
        [name, *harvest_at_marks(comparison, protocol, name, marks)] for name in _order(comparison, protocol)
    ]
    reached = [paper_marks.index(mark) if mark in paper_marks else None for mark in marks]
    for system, figures in REPORTED[paper].items():
        cells: list[Cell] = [None if place is None else figures[place] for place in reached]
        if any(cell is not None for cell in cells):
            rows.append([f"the paper's {system}", *cells])
    note = (
        f"As in the paper of '{paper}'. Its own figures, where it has some for these marks, are for the open "
        "web of its time and judged by the scorer that steered the crawl: not to be compared with the others."
    )
    columns = [Column("strategy"), *(Column(f"{mark:,} pages") for mark in marks)]
    return Table(f"marks-{paper}", f"{what} after so many pages.", note, columns, rows)


def _segments(comparison: Comparison, protocol: str) -> Table:
    rows: list[list[Cell]] = []
    for name in _order(comparison, protocol):
        row = crawl_summary(comparison, protocol, name)
        rows.append([name, row.found, row.relative_time, row.mean_of_segments, row.mean_of_cumulative])
    columns = [
        Column("strategy"),
        Column("relevant pages", 1, "max"),
        Column("relative crawl time", 2),
        Column("mean of segments", 3, "max"),
        Column("mean of cumulative harvest", 3, "max"),
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
        if name in _BLIND:
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
    columns = [Column("strategy"), *(Column(title, 0) for title in titles)]
    columns += [Column(title, best="max") for title in ("precision", "recall", "accuracy")]
    note = (
        "As in the paper of 'neural': the strategy's own verdicts on the pages it fetched, against the "
        "labels, summed over all runs."
    )
    return Table("confusion", "Verdicts.", note, columns, rows)


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
