"""Drawings of a report, as SVG inside the page; its style sheet gives them their colours."""

from __future__ import annotations

from collections.abc import Sequence

from lagotto.base.svg import Frame, drawing, grid, line, shape, text
from lagotto.base.views import Moment
from lagotto.harvest.report.html import Html, element

WIDTH = 720


def harvest_curve(course: Sequence[Moment]) -> Html:
    """Pages on topic against pages fetched."""
    pages, found = course[-1].pages, course[-1].relevant
    frame = Frame(WIDTH, 300, max(1, pages), 1.08 * max(1, found), left=56, right=16, top=12, bottom=44)
    points = [(frame.x(0), frame.y(0)), *((frame.x(each.pages), frame.y(each.relevant)) for each in course)]
    floor = frame.plot_bottom
    reach = min(pages, 1.08 * max(1, found))
    parts = [
        *grid(frame),
        shape(
            "all", line([(frame.x(0), frame.y(0)), (frame.x(reach), frame.y(reach))]), "every page on topic"
        ),
        shape("area", f"{line([*points, (points[-1][0], floor), (points[0][0], floor)])}Z"),
        shape("line", line(points), "pages on topic"),
        f'<circle class="end" cx="{points[-1][0]:g}" cy="{points[-1][1]:g}" r="3.5"/>',
        text("axis", "middle", (frame.left + frame.plot_right) / 2, frame.height - 6, "pages fetched"),
        text("axis", "start", frame.left + 8, frame.top + 10, "pages on topic"),
    ]
    return Html(drawing(WIDTH, frame.height, f"{found} pages on topic among {pages} fetched", parts))


def relevance_bars(on: Sequence[int], off: Sequence[int]) -> Html:
    """How many pages have which relevance; those on topic are filled."""
    highest = max(a + b for a, b in zip(on, off, strict=True))
    frame = Frame(WIDTH, 180, 1.0, 1.08 * max(1, highest), left=56, right=16, top=10, bottom=42)
    width = (frame.plot_right - frame.left) / len(on)
    parts = [part for part in grid(frame) if "axis" not in part or 'text-anchor="end"' in part]
    for at, (above, below) in enumerate(zip(on, off, strict=True)):
        x = frame.left + at * width + 1
        for classes, start, count in (("bar off", 0, below), ("bar", below, above)):
            if count:
                top, height = frame.y(start + count), frame.y(start) - frame.y(start + count)
                parts.append(_rectangle(classes, x, top, width - 2, height))
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(text("axis", "middle", frame.x(tick), frame.plot_bottom + 16, f"{tick:g}"))
    middle = (frame.left + frame.plot_right) / 2
    parts.append(text("axis", "middle", middle, frame.height - 6, "relevance, from 0 to 1"))
    return Html(drawing(WIDTH, frame.height, "pages by relevance", parts))


def interval_bar(low: float, middle: float, high: float, label: str) -> Html:
    """A share from 0 to 1 with its interval."""
    frame = Frame(240, 22, 1.0, 1.0, left=2, right=2, top=2, bottom=2)
    parts = [
        shape("rail", f"M{frame.x(0)} 11H{frame.x(1)}"),
        shape("range", f"M{frame.x(low)} 11H{frame.x(high)}"),
        f'<circle class="end" cx="{frame.x(middle):g}" cy="11" r="5"/>',
    ]
    return element("span", Html(drawing(240, 22, label, parts)), class_="interval")


def share_bar(share: float, *, classes: str = "share") -> Html:
    """A bar as long as a share of 1."""
    frame = Frame(120, 8, 1.0, 1.0, left=0, right=0, top=0, bottom=0)
    parts = [_rectangle("rail", 0, 0, 120, 8), _rectangle("bar", 0, 0, frame.x(min(1.0, share)), 8)]
    return element("span", Html(drawing(120, 8, f"{share:.0%}", parts)), class_=classes)


def spark_bars(counts: Sequence[int]) -> Html:
    """Counts as a row of small bars."""
    highest, width, height = max([*counts, 1]), 5, 18
    parts = [
        _rectangle("bar", at * width, height - height * count / highest, width - 1, height * count / highest)
        for at, count in enumerate(counts)
        if count
    ]
    label = f"pages in each of {len(counts)} parts of the crawl"
    return element("span", Html(drawing(width * len(counts), height, label, parts)), class_="spark")


def _rectangle(classes: str, x: float, y: float, width: float, height: float) -> str:
    return f'<rect class="{classes}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"/>'
