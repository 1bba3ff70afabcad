"""The charts of a comparison, which both the report's page and its pictures show."""

from __future__ import annotations

import numpy as np

from lagotto.lab.experiments.measures import Curve, band_of_mean
from lagotto.lab.experiments.papers import mean_segments, segment_length
from lagotto.lab.experiments.planning import BLIND
from lagotto.lab.experiments.results import SHARE, Comparison
from lagotto.lab.experiments.verdict_figures import reliability_of, runs_of
from lagotto.lab.report.charts import Chart, Row, Series, dot_chart, line_chart
from lagotto.lab.report.learning import learning_curves, reliability_diagram


def shares(comparison: Comparison, protocol: str) -> Chart:
    """Each strategy's share of the oracle's area under the harvest curve."""
    classes = class_names(comparison)
    rows = [
        Row(classes[name], name, comparison.interval(SHARE, protocol, name))
        for name in comparison.ranking(protocol)
    ]
    x_title = "share of the oracle's area under the harvest curve; lines: 95 % interval over topics"
    return dot_chart(rows, width=760, x_title=x_title)


def mean_curves(comparison: Comparison, protocol: str) -> Chart:
    """Relevant pages found as the crawl goes on, mean over topics, with 95 % intervals as bands."""
    series = []
    for name in comparison.strategies:
        curves = comparison.mean_curves(protocol, name)
        low, high = band_of_mean(curves)
        series.append(_series(comparison, protocol, name, curves.mean(axis=0), low, high))
    return line_chart(series, width=1020, height=440, labelled=True, x_title="pages fetched")


def topic_curves(comparison: Comparison, protocol: str, topic: str) -> Chart:
    """The same for one topic, mean over draws, with bands from the worst draw to the best."""
    series = []
    for name in comparison.strategies:
        curves = comparison.curve(protocol, name, topic)
        low, high = curves.min(axis=0), curves.max(axis=0)
        series.append(_series(comparison, protocol, name, curves.mean(axis=0), low, high))
    return line_chart(series, width=330, height=210, labelled=False)


def segment_counts(comparison: Comparison, protocol: str) -> Chart:
    """Relevant pages in each segment, mean over topics: the figure in the paper of `linkrank`."""
    length = segment_length(comparison.budget)
    series = []
    for name in comparison.strategies:
        counts = length * np.asarray(mean_segments(comparison, protocol, name).segment)
        series.append(_series(comparison, protocol, name, counts, counts, counts))
    x_title = f"segment of {length} pages"
    return line_chart(series, width=1020, height=300, labelled=True, x_title=x_title, from_origin=False)


def verdict_charts(comparison: Comparison, protocol: str) -> dict[str, tuple[str, Chart]]:
    """Name -> title and chart: how far the best strategy's relevance is a chance, and what marks bring."""
    charts = {}
    judging = [name for name in comparison.ranking(protocol) if name not in BLIND]
    best = next((name for name in judging if name in comparison.contenders), judging[0])
    curves = reliability_of(runs_of(comparison.runs, protocol, best))
    if any(curves.values()):
        title = f"Relevance against the share on topic, {best}"
        charts["reliability"] = title, reliability_diagram(curves)
    learned = learning_curves(comparison, protocol)
    if learned is not None:
        charts["learning"] = "What marks bring, by their number", learned
    return charts


def class_names(comparison: Comparison) -> dict[str, str]:
    """Class of each strategy in charts and style sheets."""
    return {name: f"k{number}" for number, name in enumerate(comparison.strategies)}


def _series(
    comparison: Comparison, protocol: str, name: str, values: Curve, low: Curve, high: Curve
) -> Series:
    emphasis = "lead" if name == comparison.lead(protocol) else "plain" if name == "bfs" else ""
    return Series(class_names(comparison)[name], name, values, low, high, emphasis)
