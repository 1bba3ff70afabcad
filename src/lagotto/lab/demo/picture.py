"""The harvest curve: relevant pages found against pages fetched, one line a crawl."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lagotto.base.svg import FONT, Frame, document, grid, line, shape, spread_apart, text
from lagotto.lab.demo.play import Run
from lagotto.lab.webs.web import input_errors

WIDTH, HEIGHT = 900, 520
LABEL_HEIGHT = 38
"""Height of a line's name and figures beside its end."""
COLOURS = ("#1b7f5c", "#c8553d", "#3d6cb9", "#b8891e", "#7a4fa3", "#4a9aa5", "#8a5a44", "#d0699c")
STYLE = f"""
text {{ font: 14px {FONT}; fill: #8c8c8c; }}
.title {{ font-size: 22px; font-weight: 700; fill: #262626; }}
.label {{ fill: #262626; }}
.name {{ font-weight: 700; }}
.small {{ font-size: 12px; }}
.grid {{ stroke: #e6e6e6; }}
.base {{ stroke: #bfbfbf; }}
.ideal {{ fill: none; stroke: #8c8c8c; stroke-width: 2; stroke-dasharray: 6 4; }}
.area {{ fill: #8c8c8c; opacity: .07; }}
.line {{ fill: none; stroke-width: 3.5; stroke-linejoin: round; stroke-linecap: round; }}
.lead {{ fill: none; stroke-width: 1.2; }}
"""


def draw_harvest(runs: Sequence[Run], relevant: int, path: Path, title: str, subtitle: str = "") -> None:
    """Draw the harvest curves of crawls, best first, as an SVG file."""
    ranked = sorted(runs, key=lambda run: -run.found)
    longest = max((run.fetched for run in ranked), default=0) or 1
    highest = 1.06 * max(min(relevant, longest), 1)
    frame = Frame(WIDTH, HEIGHT, longest, highest, left=70, right=207, top=94, bottom=62)
    parts = [
        text("title", "start", frame.left, 40, title),
        text("", "start", frame.left, 66, subtitle),
        *grid(frame),
        shape("base", f"M{frame.left} {frame.plot_bottom}H{frame.plot_right}"),
        text("label", "middle", (frame.left + frame.plot_right) / 2, HEIGHT - 16, "pages fetched"),
        f'<g transform="rotate(-90 20 {HEIGHT / 2:g})">'
        f"{text('label', 'middle', 20, HEIGHT / 2, 'relevant pages found')}</g>",
        *_ideal(frame, min(relevant, longest)),
    ]
    for number, run in enumerate(ranked):
        points = [(frame.x(pages), frame.y(found)) for pages, found in enumerate(run.curve())]
        parts.append(shape(f"line c{_colour(number)}", line(points), run.name))
    parts += _end_labels(frame, ranked)
    colours = "".join(
        f".c{number} {{ stroke: {colour}; }} .t{number} {{ fill: {colour}; }}\n"
        for number, colour in enumerate(COLOURS)
    )
    with input_errors(f"cannot write {path}"):
        path.write_text(document(WIDTH, HEIGHT, title, STYLE + colours, parts), encoding="utf-8")


def _ideal(frame: Frame, corner: int) -> list[str]:
    """The curve of a crawl that fetches relevant pages only, until there are no more."""
    points = [(frame.x(pages), frame.y(found)) for pages, found in ((0, 0), (corner, corner))]
    points.append((frame.x(frame.x_max), frame.y(corner)))
    area = f"{line(points)}V{frame.plot_bottom}H{frame.left}Z"
    x, y = points[1]
    return [shape("area", area), shape("ideal", line(points)), text("", "end", x - 12, y + 4, "ideal")]


def _end_labels(frame: Frame, ranked: Sequence[Run]) -> list[str]:
    """Each line's name and figures beside its end, moved apart where lines end close together."""
    ends = [frame.y(run.found) for run in ranked]
    places = spread_apart(ends, LABEL_HEIGHT, frame.plot_bottom - LABEL_HEIGHT / 2)
    x, parts = frame.plot_right, []
    for number, (run, end, place) in enumerate(zip(ranked, ends, places, strict=True)):
        figures = f"{run.found:,} relevant, {run.harvest_ratio:.0%} harvest"
        parts += [
            shape(f"lead c{_colour(number)}", line([(x, end), (x + 14, place)])),
            text(f"name t{_colour(number)}", "start", x + 20, place - 2, run.name),
            text("small", "start", x + 20, place + 14, figures),
        ]
    return parts


def _colour(number: int) -> int:
    return number % len(COLOURS)
