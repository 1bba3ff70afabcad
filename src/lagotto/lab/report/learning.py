"""Learning curves: what a teacher's marks bring, by their number and by the share that is right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import sqrt

from lagotto.base.svg import Frame, grid, line, shape, text
from lagotto.lab.experiments.measures import Bin, Interval
from lagotto.lab.experiments.request import READING
from lagotto.lab.experiments.results import Comparison
from lagotto.lab.experiments.verdict_figures import (
    NO_LESSON,
    Lesson,
    Runs,
    area_of,
    kinds_of,
    lessons_of,
    of_verdicts,
    taught_runs,
)
from lagotto.lab.experiments.verdicts import AGAIN, ENCODED, F1, PRECISION
from lagotto.lab.report.charts import Chart, numbered

WIDTH, HEIGHT = 500, 250
LINE = 18
"""Height of a line of the legend."""


def learning_curves(comparison: Comparison, protocol: str) -> Chart | None:
    """Four panels of curves over the number of marks; None if no strategy had a teacher."""
    curves = list(_curves(comparison, protocol))
    if not curves:
        return None
    parts = []
    for number, (title, figure) in enumerate(_panels(comparison).items()):
        row, column = divmod(number, 2)
        panel = _panel(comparison, protocol, title, figure, curves)
        parts.append(f'<g transform="translate({column * WIDTH} {row * HEIGHT})">{"".join(panel)}</g>')
    height = 2 * HEIGHT
    for number, (name, right) in enumerate(curves):
        y = height + LINE * (number + 1) - 4
        parts.append(shape(f"line {numbered(number)}", f"M44 {y - 4}h22"))
        parts.append(text("name", "start", 74, y, f"{name}, {100 * right:.0f} % of the answers right"))
    return Chart(2 * WIDTH, height + LINE * (len(curves) + 1), parts)


def _curves(comparison: Comparison, protocol: str) -> Iterator[tuple[str, float]]:
    """Strategy and share of right answers of each curve."""
    for name in comparison.contenders:
        lessons = lessons_of(comparison, protocol, name)
        for right in dict.fromkeys(lesson.right for lesson in lessons if lesson.marks):
            yield name, right


def _panels(comparison: Comparison) -> dict[str, Callable[[str, Runs], Interval]]:
    return {
        "share of oracle's area": lambda name, runs: area_of(comparison, runs),
        PRECISION.title: lambda name, runs: of_verdicts(runs, _last(name, runs), PRECISION.of),
        F1.title: lambda name, runs: of_verdicts(runs, _last(name, runs), F1.of),
        f"{F1.title} of pages not marked": lambda name, runs: of_verdicts(
            runs, _last(name, runs), F1.of_unmarked
        ),
    }


def _last(name: str, runs: Runs) -> str:
    """A strategy that reads with an encoder is judged with it as well."""
    return ENCODED if name.endswith(READING) and ENCODED in kinds_of(runs) else AGAIN


def _panel(
    comparison: Comparison,
    protocol: str,
    title: str,
    figure: Callable[[str, Runs], Interval],
    curves: list[tuple[str, float]],
) -> Iterator[str]:
    most = max(key.marks for key in comparison.taught)
    frame = Frame(WIDTH, HEIGHT, most, 1.0, top=26, bottom=42)
    yield text("name", "start", frame.left, 16, title)
    yield from grid(frame)
    yield text("axis", "middle", (frame.left + frame.plot_right) / 2, HEIGHT - 6, "marks")
    for number, (name, right) in enumerate(curves):
        lessons = [
            lesson
            for lesson in lessons_of(comparison, protocol, name)
            if lesson == NO_LESSON or lesson.right == right
        ]
        points = [
            _point(frame, lesson, figure(name, taught_runs(comparison, protocol, name, lesson)))
            for lesson in lessons
        ]
        yield shape(f"line {numbered(number)}", line(points), name)
        for x, y in points:
            yield f'<circle class="bin {numbered(number)}" cx="{x:g}" cy="{y:g}" r="3"/>'


def _point(frame: Frame, lesson: Lesson, figure: Interval) -> tuple[float, float]:
    return frame.x(lesson.marks), frame.y(figure.mean)


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
