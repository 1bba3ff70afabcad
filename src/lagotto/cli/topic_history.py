"""How the weight table of a crawl changed, as a table, as JSON and as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click
import msgspec

from lagotto.cli import counted, printable
from lagotto.svg import FONT, Frame, Point, document, grid, line, shape, spread_apart, text
from lagotto.topic.history import TableVersion, changes, spread

COLUMNS = 6
"""Versions that are shown beside each other."""
COLOURS = (
    *("#0b62c4", "#c8450b", "#127a4b", "#7d3bd1", "#a06800", "#c2256b"),
    *("#08808f", "#71513c", "#55730b", "#4a55a8", "#6f757d", "#a3361b"),
)
LINES = len(COLOURS)
"""Keywords that are drawn."""
WIDTH, HEIGHT = 900, 500
LABEL_GAP = 15
STYLE = f"""
text {{ font: 13px {FONT}; fill: #262626; }}
.title {{ font-size: 16px; font-weight: 700; }}
.axis {{ fill: #767676; }}
.grid {{ stroke: #e6e6e6; fill: none; }}
.line {{ fill: none; stroke-width: 2; stroke-linejoin: round; }}
""" + "".join(
    f".line.k{number} {{ stroke: {colour}; }} .end.k{number} {{ fill: {colour}; }}\n"
    for number, colour in enumerate(COLOURS)
)


def say_history(versions: Sequence[TableVersion], top: int, *, as_json: bool) -> None:
    """Show what rose and fell."""
    if as_json:
        click.echo(msgspec.json.encode([_entry(version) for version in versions]))
        return
    for row in history_lines(versions, top):
        click.echo(printable(row))


def history_lines(versions: Sequence[TableVersion], top: int) -> Iterator[str]:
    """A line for each keyword: its weight in the versions, and whether it rose or fell."""
    last = versions[-1]
    count, pages = counted(len(versions), "version"), counted(last.pages, "page")
    yield f"{count} of the weight table ({last.table.source}), the last after {pages}"
    shown = spread(versions, COLUMNS)
    found = changes(shown)
    width = max([len("keyword"), *(len(change.keyword) for change in found[:top])])
    heads = "".join(f"{f'{version.pages:,} p.':>10}" for version in shown)
    yield f"{'keyword':<{width}}{heads}{'change':>10}"
    for change in found[:top]:
        cells = "".join(f"{weight:>10.4f}" if weight else f"{'-':>10}" for weight in change.weights)
        yield f"{change.keyword:<{width}}{cells}{change.difference:>+10.4f}  {change.word}".rstrip()
    if len(found) > top:
        yield f"... and {len(found) - top} more: give --top {len(found)}"
    if last.table.below:
        below = [f"{last.table.readable[term]} {weight:g}" for term, weight in last.table.below.items()]
        yield f"below the threshold: {', '.join(below[:top])}"


def draw_history(versions: Sequence[TableVersion]) -> str:
    """Weights of the heaviest keywords against the pages fetched, as an SVG document."""
    heaviest = sorted(changes(versions), key=lambda change: -max(change.weights))[:LINES]
    highest = max((max(change.weights) for change in heaviest), default=1.0)
    pages = [version.pages for version in versions]
    frame = Frame(WIDTH, HEIGHT, max(1, pages[-1]), 1.05 * highest, left=60, right=170, top=56, bottom=56)
    title = f"Weight table ({versions[-1].table.source})"
    parts = [text("title", "start", frame.left, 30, title), *grid(frame)]
    parts.append(text("axis", "middle", (frame.left + frame.plot_right) / 2, HEIGHT - 12, "pages fetched"))
    by_end = sorted(heaviest, key=lambda change: -change.weights[-1])
    places = spread_apart(
        [frame.y(change.weights[-1]) for change in by_end], LABEL_GAP, frame.plot_bottom + 4
    )
    for number, (change, place) in enumerate(zip(by_end, places, strict=True)):
        points = _steps([frame.x(page) for page in pages], [frame.y(weight) for weight in change.weights])
        parts.append(
            shape(f"line k{number}", line([*points, (frame.plot_right, points[-1][1])]), change.keyword)
        )
        parts.append(text(f"end k{number}", "start", frame.plot_right + 8, place + 4, change.keyword))
    return document(WIDTH, HEIGHT, title, STYLE, parts)


def _steps(x: Sequence[float], y: Sequence[float]) -> list[Point]:
    """Corners of a line that stays where it is until the next version."""
    points = [(x[0], y[0])]
    for at in range(1, len(x)):
        points += [(x[at], y[at - 1]), (x[at], y[at])]
    return points


def _entry(version: TableVersion) -> dict[str, object]:
    table = version.table
    return {
        "pages": version.pages,
        "source": table.source,
        "weights": {table.readable[term]: weight for term, weight in table.items()},
        "below": {table.readable[term]: weight for term, weight in table.below.items()},
    }
