"""The charts of a comparison, which the report's page shows, and their SVG files."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from lagotto.base.svg import FONT, document, shape, text
from lagotto.lab.experiments.measures import Curve, band_of_mean
from lagotto.lab.experiments.papers import mean_segments, segment_length
from lagotto.lab.experiments.planning import BLIND
from lagotto.lab.experiments.results import SHARE, Comparison
from lagotto.lab.experiments.verdict_figures import reliability_of, runs_of
from lagotto.lab.report.charts import COLOURS, Chart, Row, Series, dot_chart, line_chart, looks, numbered
from lagotto.lab.report.learning import learning_curves, reliability_diagram

COLUMNS = 3
LEGEND_WIDTH = 160
LEGEND_HEIGHT = 22
TITLE_HEIGHT = 24
STYLE = f"""
text {{ font: 12px {FONT}; fill: #1c1f24; }}
.axis {{ fill: #5d646d; }}
.topic {{ font-weight: 650; }}
.grid {{ stroke: #eceef0; fill: none; }}
.line {{ fill: none; stroke-width: 1.6; stroke-linejoin: round; }}
.line.lead {{ stroke-width: 3; }}
.band {{ stroke: none; opacity: 0; }}
.band.lead {{ opacity: .16; }}
.band.plain {{ opacity: .11; }}
.end.lead {{ font-weight: 650; }}
.diagonal {{ stroke: #b6bbc1; stroke-dasharray: 4 3; fill: none; }}
.bin {{ fill-opacity: .5; }}
.dot path {{ stroke-width: 3; stroke-linecap: round; opacity: .45; }}
"""


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


def draw_pictures(comparison: Comparison, folder: Path) -> None:
    """Draw all pictures of a comparison into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    style = _style(comparison)
    for protocol in comparison.protocols:
        charts = {
            "shares": shares(comparison, protocol),
            "curves": mean_curves(comparison, protocol),
            "topics": _topics(comparison, protocol),
            "segments": segment_counts(comparison, protocol),
        }
        charts |= {name: chart for name, (_, chart) in verdict_charts(comparison, protocol).items()}
        for name, chart in charts.items():
            drawn = document(chart.width, chart.height, f"{name}, {protocol}", style, chart.parts)
            (folder / f"{protocol}-{name}.svg").write_text(drawn, encoding="utf-8")


def _topics(comparison: Comparison, protocol: str) -> Chart:
    """A small chart for each topic, and a legend below."""
    parts = []
    columns = min(COLUMNS, len(comparison.topics))
    for number, topic in enumerate(comparison.topics):
        chart = topic_curves(comparison, protocol, topic)
        row, column = divmod(number, columns)
        x, y = column * chart.width, row * (chart.height + TITLE_HEIGHT)
        title = text("topic", "start", 12, 18, topic)
        curves = f'<g transform="translate(0 {TITLE_HEIGHT})">{"".join(chart.parts)}</g>'
        parts.append(f'<g transform="translate({x} {y})">{title}{curves}</g>')
    width = columns * chart.width
    height = (row + 1) * (chart.height + TITLE_HEIGHT)
    legend = _legend(comparison, width)
    parts.append(f'<g transform="translate(12 {height})">{"".join(legend.parts)}</g>')
    return Chart(width, height + legend.height, parts)


def _legend(comparison: Comparison, width: int) -> Chart:
    columns = max(1, width // LEGEND_WIDTH)
    parts = []
    for number, (name, key) in enumerate(class_names(comparison).items()):
        row, column = divmod(number, columns)
        x, y = column * LEGEND_WIDTH, row * LEGEND_HEIGHT + 14
        parts.append(shape(f"line {key}", f"M{x} {y}h22"))
        parts.append(text("name", "start", x + 28, y + 4, name))
    return Chart(width, (row + 1) * LEGEND_HEIGHT + 8, parts)


def _style(comparison: Comparison) -> str:
    classes = class_names(comparison)
    rules = [STYLE]
    for name, look in looks(comparison).items():
        key, colour = classes[name], look.light
        rules.append(f".line.{key}, .dot.{key} path {{ stroke: {colour}; }}")
        rules.append(f".band.{key}, .end.{key}, .dot.{key} circle {{ fill: {colour}; }}")
        if look.dashes:
            rules.append(f".line.{key} {{ stroke-dasharray: {look.dashes}; }}")
    for number, look in enumerate(COLOURS):
        key = numbered(number)
        rules.append(
            f".line.{key} {{ stroke: {look.light}; }} .bin.{key}, .name.{key} {{ fill: {look.light}; }}"
        )
    return "\n".join(rules)
