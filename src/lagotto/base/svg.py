"""Drawing simple charts as SVG: places on the picture, axes, texts and paths.

Attributes are quoted, so that a drawing is valid both as a file of its own and inside an HTML page.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"

Point = tuple[float, float]


class Frame(NamedTuple):
    """Where the plot lies in the picture, and the range of its axes, which start at 0."""

    width: int
    height: int
    x_max: float
    y_max: float
    left: int = 44
    right: int = 12
    top: int = 10
    bottom: int = 30

    @property
    def plot_right(self) -> int:
        """Right edge of the plot."""
        return self.width - self.right

    @property
    def plot_bottom(self) -> int:
        """Bottom edge of the plot."""
        return self.height - self.bottom

    def x(self, value: float) -> float:
        """Horizontal place of a value on the picture."""
        return round(self.left + (self.plot_right - self.left) * value / self.x_max, 1)

    def y(self, value: float) -> float:
        """Vertical place of a value on the picture, counted from the top."""
        return round(self.plot_bottom - (self.plot_bottom - self.top) * value / self.y_max, 1)


def ticks(highest: float) -> list[float]:
    """Four to six round figures from 0 up.

    >>> ticks(130)
    [0.0, 25.0, 50.0, 75.0, 100.0, 125.0]
    """
    power = 10.0 ** math.floor(math.log10(highest / 4))
    step = next(size * power for size in (1, 2, 2.5, 5, 10) if highest / (size * power) <= 6)
    return [round(number * step, 10) for number in range(int(highest / step + 1e-9) + 1)]


def grid(frame: Frame) -> Iterator[str]:
    """Horizontal grid lines, and the figures of both axes."""
    for tick in ticks(frame.y_max):
        y = frame.y(tick)
        yield shape("grid", f"M{frame.left} {y}H{frame.plot_right}")
        yield text("axis", "end", frame.left - 6, y + 4, f"{tick:,g}")
    for tick in ticks(frame.x_max):
        yield text("axis", "middle", frame.x(tick), frame.plot_bottom + 16, f"{tick:,.0f}")


def spread_apart(places: Sequence[float], gap: float, lowest: float) -> list[float]:
    """Move places, given from top to bottom, until they are `gap` apart and the last is not below `lowest`.

    >>> spread_apart([10, 12, 50], 10, 50)
    [10, 20, 50]
    >>> spread_apart([40, 49, 50], 10, 50)
    [30, 40, 50]
    """
    placed = list(places)
    for number in range(1, len(placed)):
        placed[number] = max(placed[number], placed[number - 1] + gap)
    if placed:
        placed[-1] = min(placed[-1], lowest)
    for number in range(len(placed) - 2, -1, -1):
        placed[number] = min(placed[number], placed[number + 1] - gap)
    return placed


def text(classes: str, anchor: str, x: float, y: float, content: str) -> str:
    """A line of text; `anchor` is start, middle or end."""
    return f'<text class="{classes}" text-anchor="{anchor}" x="{x:g}" y="{y:g}">{escape(content)}</text>'


def line(points: Sequence[Point]) -> str:
    """Path data of straight lines through points."""
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points)


def shape(classes: str, path: str, label: str = "") -> str:
    """A path; the label shows when it is pointed at."""
    title = f"<title>{escape(label)}</title>" if label else ""
    return f'<path class="{classes}" d="{path}">{title}</path>'


def drawing(width: int, height: int, title: str, parts: Sequence[str]) -> str:
    """A drawing to stand inside an HTML page, whose style sheet gives it its colours."""
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'aria-label="{escape(title)}">{"".join(parts)}</svg>'
    )


def document(width: int, height: int, title: str, style: str, parts: Sequence[str]) -> str:
    """A drawing as a file of its own, with its style sheet and a white ground."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-label="{escape(title)}"><style>{style}</style>'
        f'<rect width="100%" height="100%" fill="#ffffff"/>{"".join(parts)}</svg>\n'
    )
