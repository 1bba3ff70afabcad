"""The charts as SVG files."""

from __future__ import annotations

from pathlib import Path

from lagotto.base.svg import FONT, document, shape, text
from lagotto.lab.experiments.results import Comparison
from lagotto.lab.report.charts import COLOURS, Chart, looks, numbered
from lagotto.lab.report.figures import (
    class_names,
    mean_curves,
    segment_counts,
    shares,
    topic_curves,
    verdict_charts,
)

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
