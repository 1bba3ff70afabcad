"""Line charts and dot charts as SVG.

The elements of a series have its class, such as `k3`, so that a style sheet can give it a colour and a
page can highlight it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lagotto.base.svg import Frame, grid, line, shape, spread_apart, text, ticks
from lagotto.lab.experiments.measures import Curve, Interval
from lagotto.lab.experiments.results import Comparison
from lagotto.lab.experiments.tasks import INDEGREE, ORACLE, RANDOM


class Look(NamedTuple):
    """Colours on a light and on a dark ground, and dashes as SVG writes them."""

    light: str
    dark: str
    dashes: str = ""


COLOURS = (
    Look("#0b62c4", "#63a9ff"),
    Look("#c8450b", "#ff9457"),
    Look("#127a4b", "#4fc98c"),
    Look("#7d3bd1", "#bd93ff"),
    Look("#a06800", "#e2b048"),
    Look("#c2256b", "#ff82b4"),
    Look("#08808f", "#4fc7d6"),
    Look("#71513c", "#c9a58c"),
    Look("#55730b", "#a9c957"),
    Look("#4a55a8", "#9ea8f0"),
)
BOUNDS = {
    ORACLE: Look("#3b3f46", "#d7dae0", "2 3"),
    "bfs": Look("#6f757d", "#a2a8b0"),
    INDEGREE: Look("#8d939b", "#858b94", "7 3"),
    RANDOM: Look("#a3a8af", "#757b84", "1 3"),
}


def numbered(number: int) -> str:
    """Class of a curve that stands for no strategy, by its number in the picture."""
    return f"c{number % len(COLOURS)}"


def looks(comparison: Comparison) -> dict[str, Look]:
    """The look of each strategy, in the order of the comparison; dashed when colours come round again."""
    found = dict(BOUNDS)
    for place, name in enumerate(comparison.contenders):
        rounds, colour = divmod(place, len(COLOURS))
        found[name] = COLOURS[colour]._replace(dashes="5 3" if rounds else "")
    return {name: found[name] for name in comparison.strategies}


MAX_POINTS = 120
"""Points drawn of a curve; more could not be told apart."""
LABEL_GAP = 13
ROW_HEIGHT = 24


class Series(NamedTuple):
    """A curve, and the band around it."""

    key: str
    label: str
    values: Curve
    low: Curve
    high: Curve
    classes: str = ""


class Row(NamedTuple):
    """A line of a dot chart."""

    key: str
    label: str
    interval: Interval


class Chart(NamedTuple):
    """A drawing without its surrounding element."""

    width: int
    height: int
    parts: list[str]


def line_chart(
    series: Sequence[Series],
    *,
    width: int,
    height: int,
    labelled: bool,
    x_title: str = "",
    from_origin: bool = True,
) -> Chart:
    """Curves from the origin or from their first value, each with its name at its end if `labelled`."""
    pages = max(len(one.values) for one in series)
    highest = max(float(one.values.max()) for one in series)
    frame = Frame(
        width,
        height,
        pages,
        max(1.0, highest) * 1.03,
        right=110 if labelled else 24,
        bottom=42 if x_title else 26,
    )
    parts = [*grid(frame)]
    if x_title:
        parts.append(text("axis", "middle", (frame.left + frame.plot_right) / 2, height - 6, x_title))
    for one in series if from_origin else ():
        parts.append(shape(f"band {one.key} {one.classes}", _band(frame, one, _places(one.values))))
    for one in series:
        points = [(frame.x(0), frame.y(0))] if from_origin else []
        points += [(frame.x(place + 1), frame.y(one.values[place])) for place in _places(one.values)]
        parts.append(shape(f"line {one.key} {one.classes}", line(points), one.label))
    if labelled:
        parts += _end_labels(frame, series)
    return Chart(width, height, parts)


def dot_chart(rows: Sequence[Row], *, width: int, x_title: str) -> Chart:
    """Means as dots, their intervals as lines; 1 is the oracle."""
    left = 11 + int(7.2 * max(len(row.label) for row in rows))
    highest = max(1.0, *(row.interval.high for row in rows))
    frame = Frame(width, ROW_HEIGHT * len(rows) + 58, highest, 1.0, left=left, right=52, top=8, bottom=50)
    parts = []
    for tick in ticks(highest):
        x, low, high = frame.x(tick), frame.top, frame.plot_bottom
        parts.append(shape("grid", f"M{x} {low}V{high}"))
        parts.append(text("axis", "middle", x, high + 16, f"{100 * tick:.0f} %"))
    parts.append(text("axis", "middle", (frame.left + frame.plot_right) / 2, frame.height - 10, x_title))
    for number, row in enumerate(rows):
        y = frame.top + ROW_HEIGHT * (number + 0.5)
        start, dot, end = (frame.x(v) for v in (row.interval.low, row.interval.mean, row.interval.high))
        name = text("name", "end", left - 10, y + 4, row.label)
        figure = text("figure", "start", max(end, dot + 5) + 7, y + 4, f"{100 * row.interval.mean:.0f} %")
        parts.append(
            f'<g class="dot {row.key}">{name}<path d="M{start} {y}H{end}"/>'
            f'<circle cx="{dot}" cy="{y}" r="5"/>{figure}</g>'
        )
    return Chart(width, frame.height, parts)


def _end_labels(frame: Frame, series: Sequence[Series]) -> Iterator[str]:
    """Names beside the ends of their curves, moved apart where they would overlap."""
    ends = sorted(series, key=lambda one: -one.values[-1])
    wanted = [frame.y(float(one.values[-1])) for one in ends]
    places = spread_apart(wanted, LABEL_GAP, frame.plot_bottom + 2)
    for one, place in zip(ends, places, strict=True):
        classes = f"end {one.key} {one.classes}"
        yield text(classes, "start", frame.plot_right + 8, round(place + 4, 1), one.label)


def _band(frame: Frame, one: Series, places: NDArray[np.int64]) -> str:
    upper = [(frame.x(place + 1), frame.y(one.high[place])) for place in places]
    lower = [(frame.x(place + 1), frame.y(one.low[place])) for place in places[::-1]]
    return line([(frame.x(0), frame.y(0)), *upper, *lower]) + "Z"


def _places(values: Curve) -> NDArray[np.int64]:
    return np.unique(np.linspace(0, len(values) - 1, MAX_POINTS).astype(int))
