"""Charts as SVG, to stand inside a page whose style sheet gives them their colours.

Whatever belongs to a series has its class, such as `k3`, so that the page can bring one series forward.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lagotto.lab.measures import Curve, Interval

MAX_POINTS = 120
"""Points drawn of a curve; more could not be told apart."""
LABEL_GAP = 13


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


class Frame(NamedTuple):
    """Where the plot lies in the picture, and what its axes measure."""

    width: int
    height: int
    x_max: float
    y_max: float
    left: int = 44
    right: int = 12
    top: int = 10
    bottom: int = 30

    def x(self, value: float) -> float:
        """Place of a value on the picture."""
        return round(self.left + (self.width - self.left - self.right) * value / self.x_max, 1)

    def y(self, value: float) -> float:
        """Place of a value on the picture, which counts from the top."""
        return round(
            self.height - self.bottom - (self.height - self.top - self.bottom) * value / self.y_max, 1
        )


def line_chart(
    series: Sequence[Series], *, title: str, width: int, height: int, labelled: bool, x_title: str = ""
) -> str:
    """Curves from the origin; with the name of each at its end if `labelled`."""
    pages = max(len(line.values) for line in series)
    highest = max(float(line.values[-1]) for line in series)
    frame = Frame(
        width,
        height,
        pages,
        max(1.0, highest) * 1.03,
        right=110 if labelled else 24,
        bottom=42 if x_title else 26,
    )
    parts = [*_grid(frame)]
    if x_title:
        middle = (frame.left + frame.width - frame.right) / 2
        parts.append(
            f'<text class=axis text-anchor=middle x="{middle}" y="{height - 6}">{escape(x_title)}</text>'
        )
    for line in series:
        places = np.unique(np.linspace(0, len(line.values) - 1, MAX_POINTS).astype(int))
        parts.append(f'<path class="band {line.key} {line.classes}" d="{_band(frame, line, places)}"/>')
    for line in series:
        places = np.unique(np.linspace(0, len(line.values) - 1, MAX_POINTS).astype(int))
        points = [(frame.x(0), frame.y(0))]
        points += [(frame.x(place + 1), frame.y(line.values[place])) for place in places]
        parts.append(
            f'<path class="line {line.key} {line.classes}" d="{_path(points)}">'
            f"<title>{escape(line.label)}</title></path>"
        )
    if labelled:
        parts += _end_labels(frame, series)
    return _svg(width, height, title, parts)


def dot_chart(rows: Sequence[Row], *, title: str, width: int, x_title: str) -> str:
    """Means as dots, their intervals as lines; 1 is the oracle."""
    row_height, left = 24, 11 + int(7.2 * max(len(row.label) for row in rows))
    highest = max(1.0, *(row.interval.high for row in rows))
    frame = Frame(width, row_height * len(rows) + 58, highest, 1.0, left=left, right=52, top=8, bottom=50)
    parts = []
    for tick in ticks(highest):
        x, low, high = frame.x(tick), frame.top, frame.height - frame.bottom
        parts.append(f'<path class=grid d="M{x} {low}V{high}"/>')
        parts.append(_text("axis", "middle", x, high + 16, f"{100 * tick:.0f} %"))
    middle = (frame.left + frame.width - frame.right) / 2
    parts.append(_text("axis", "middle", middle, frame.height - 10, x_title))
    for number, row in enumerate(rows):
        y = frame.top + row_height * (number + 0.5)
        start, dot, end = (frame.x(v) for v in (row.interval.low, row.interval.mean, row.interval.high))
        name = _text("name", "end", left - 10, y + 4, row.label)
        figure = _text("figure", "start", max(end, dot + 5) + 7, y + 4, f"{100 * row.interval.mean:.0f} %")
        parts.append(
            f'<g class="dot {row.key}">{name}<path d="M{start} {y}H{end}"/>'
            f'<circle cx="{dot}" cy="{y}" r="5"/>{figure}</g>'
        )
    return _svg(width, frame.height, title, parts)


def ticks(highest: float) -> list[float]:
    """Some four to six round figures from 0 up.

    >>> ticks(130)
    [0.0, 25.0, 50.0, 75.0, 100.0, 125.0]
    """
    power = 10.0 ** math.floor(math.log10(highest / 4))
    step = next(size * power for size in (1, 2, 2.5, 5, 10) if highest / (size * power) <= 6)
    return [round(number * step, 10) for number in range(int(highest / step + 1e-9) + 1)]


def _grid(frame: Frame) -> Iterator[str]:
    right, bottom = frame.width - frame.right, frame.height - frame.bottom
    for tick in ticks(frame.y_max):
        y = frame.y(tick)
        yield f'<path class=grid d="M{frame.left} {y}H{right}"/>'
        yield _text("axis", "end", frame.left - 6, y + 4, f"{tick:g}")
    for tick in ticks(frame.x_max):
        yield _text("axis", "middle", frame.x(tick), bottom + 16, f"{tick:,.0f}")


def _end_labels(frame: Frame, series: Sequence[Series]) -> Iterator[str]:
    """Names beside the ends of their curves, moved apart where they would overlap."""
    ends = sorted(series, key=lambda line: -line.values[-1])
    places = [frame.y(float(line.values[-1])) for line in ends]
    for number in range(1, len(places)):
        places[number] = max(places[number], places[number - 1] + LABEL_GAP)
    places[-1] = min(places[-1], frame.height - frame.bottom + 2)
    for number in range(len(places) - 2, -1, -1):
        places[number] = min(places[number], places[number + 1] - LABEL_GAP)
    x = frame.width - frame.right + 8
    for line, place in zip(ends, places, strict=True):
        yield _text(f"end {line.key} {line.classes}", "start", x, round(place + 4, 1), line.label)


def _band(frame: Frame, line: Series, places: NDArray[np.int64]) -> str:
    upper = [(frame.x(place + 1), frame.y(line.high[place])) for place in places]
    lower = [(frame.x(place + 1), frame.y(line.low[place])) for place in places[::-1]]
    return _path([(frame.x(0), frame.y(0)), *upper, *lower]) + "Z"


def _text(classes: str, anchor: str, x: float, y: float, text: str) -> str:
    return f'<text class="{classes}" text-anchor={anchor} x="{x}" y="{y}">{escape(text)}</text>'


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x} {y}" for x, y in points)


def _svg(width: int, height: int, title: str, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role=img '
        f'aria-label="{escape(title)}">{"".join(parts)}</svg>'
    )
