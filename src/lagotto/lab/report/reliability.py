"""A reliability diagram: of pages given a chance, how many were on topic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt

from lagotto.lab.experiments.measures import Bin
from lagotto.lab.report.charts import Chart
from lagotto.lab.report.colours import numbered
from lagotto.svg import Frame, line, shape, text

SIZE = 360
SMALLEST, LARGEST = 2.0, 9.0
"""Radii of the dots of bins with the fewest and the most pages."""
TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def reliability_diagram(curves: Mapping[str, Sequence[Bin]]) -> Chart:
    """A curve for each name; the diagonal is perfect calibration, dots grow with their pages."""
    frame = Frame(SIZE, SIZE, 1.0, 1.0, bottom=42)
    parts = [*_axes(frame)]
    for number, (name, bins) in enumerate(curves.items()):
        parts += _curve(frame, numbered(number), bins)
        parts.append(text(f"name {numbered(number)}", "start", 56, 28 + 16 * number, name))
    return Chart(SIZE, SIZE, parts)


def _axes(frame: Frame) -> Iterator[str]:
    yield shape("diagonal", line([(frame.x(0), frame.y(0)), (frame.x(1), frame.y(1))]))
    for tick in TICKS:
        yield text("axis", "end", frame.left - 6, frame.y(tick) + 4, f"{tick:g}")
        yield text("axis", "middle", frame.x(tick), frame.plot_bottom + 16, f"{tick:g}")
    yield text("axis", "middle", frame.x(0.5), SIZE - 6, "relevance given; upwards: share on topic")


def _curve(frame: Frame, key: str, bins: Sequence[Bin]) -> Iterator[str]:
    most = max((one.pages for one in bins), default=1)
    yield shape(f"line {key}", line([(frame.x(one.chance), frame.y(one.share)) for one in bins]))
    for one in bins:
        radius = SMALLEST + (LARGEST - SMALLEST) * sqrt(one.pages / most)
        x, y = frame.x(one.chance), frame.y(one.share)
        yield f'<circle class="bin {key}" cx="{x:g}" cy="{y:g}" r="{radius:.1f}"/>'
