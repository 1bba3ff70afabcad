"""Time a page and memory as a crawl grows, for each strategy: up to 40,000 pages of debdocs in replay.

    python benchmarks/bench_growth.py [--pages 40000] [--topic astronomy] [STRATEGY ...]

Every strategy crawls in a separate process, with its store on disk. Fetching and parsing are not measured.
Towards the end few links are new, so a falling curve does not mean that a strategy gets faster.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
from crawl_replay import EVERY, Point
from figures import Figures, Picture, Table, count, publish
from measuring import OUTPUT
from webs import web_path

from lagotto.base.svg import FONT, Frame, document, grid, line, shape, text
from lagotto.lab.report.charts import COLOURS
from lagotto.lab.webs.analysis import analysis_of
from lagotto.lab.webs.web import FrozenWeb

MARKS = (1_000, 10_000, 40_000)
WINDOW = 1_000
STRATEGIES = ("bfs", "best-first", "static", "dynamic", "priority", "neural", "hybrid", "linkrank", "scent")
PICTURE = "performance-growth.svg"
WIDTH, HEIGHT = 900, 360
STYLE = f"""
text {{ font: 12px {FONT}; fill: #1c1f24; }}
.grid {{ stroke: #eceef0; }}
.line {{ fill: none; stroke-width: 1.6; }}
"""
Curves = dict[str, list[Point]]


def main() -> None:
    """Run the strategies one after the other."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("strategies", nargs="*", default=STRATEGIES)
    parser.add_argument("--topic", default="astronomy")
    parser.add_argument("--pages", type=int, default=MARKS[-1])
    arguments = parser.parse_args()
    with FrozenWeb.open(web_path("debdocs")) as web, analysis_of(web, OUTPUT) as analysis:
        path = analysis.path
    script = Path(__file__).with_name("crawl_replay.py")
    curves: Curves = {}
    for name in arguments.strategies:
        command = [sys.executable, str(script), name, arguments.topic, str(arguments.pages), str(path)]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
        curves[name] = msgspec.json.decode(done.stdout, type=list[Point])
        print(f"{name}: {' '.join(row(name, curves[name])[1:])}", flush=True)
    draw(curves, OUTPUT / PICTURE)
    publish(figures(curves))


def microseconds(points: list[Point], end: int) -> float:
    """CPU a page over a window that ends at a point."""
    before, after = points[max(0, end - WINDOW // EVERY)], points[end]
    return 1e6 * (after.cpu - before.cpu) / (after.pages - before.pages)


def at_mark(points: list[Point], mark: int) -> int | None:
    """The first point with this many pages, if reached; the last page may be a copy."""
    return next((place for place, point in enumerate(points) if point.pages >= mark), None)


def row(name: str, points: list[Point]) -> list[str]:
    """A row of a strategy: times and memory at the marks, then all pages."""
    places = [at_mark(points, mark) for mark in MARKS]
    times = ["" if place is None else count(microseconds(points, place)) for place in places]
    sizes = ["" if place is None else count(points[place].memory) for place in places]
    return [f"`{name}`", *times, *sizes, count(points[-1].pages)]


def draw(curves: Curves, path: Path) -> None:
    """Time a page and memory, one below the other, over a legend."""
    times, sizes = {}, {}
    for name, points in curves.items():
        places = range(WINDOW // EVERY, len(points) - 1)
        times[name] = [(points[place].pages, microseconds(points, place) / 1000) for place in places]
        sizes[name] = [(points[place].pages, points[place].memory) for place in places]
    parts = [
        *panel(times, 0, "ms of CPU a page after parsing"),
        *panel(sizes, HEIGHT, "memory of the process, MiB, against pages crawled"),
    ]
    for number, (name, look) in enumerate(zip(curves, COLOURS, strict=False)):
        x, y = 44 + 90 * number, 2 * HEIGHT + 16
        parts.append(f'<rect x="{x}" y="{y - 9}" width="10" height="10" fill="{look.light}"/>')
        parts.append(text("name", "start", x + 15, y, name))
    path.write_text(document(WIDTH, 2 * HEIGHT + 30, "Growth", STYLE, parts), encoding="utf-8")


def panel(curves: dict[str, list[tuple[int, float]]], top: int, title: str) -> Iterator[str]:
    """A chart of curves, so far below the upper edge of the picture."""
    everything = [point for points in curves.values() for point in points]
    pages, most = (max(values) for values in zip(*everything, strict=True))
    frame = Frame(WIDTH, HEIGHT, pages, 1.05 * most, top=30)
    yield f'<g transform="translate(0 {top})">{text("name", "start", frame.left, 18, title)}'
    yield from grid(frame)
    for (name, points), look in zip(curves.items(), COLOURS, strict=False):
        drawn = shape("line", line([(frame.x(x), frame.y(y)) for x, y in points]), name)
        yield f'<g stroke="{look.light}">{drawn}</g>'
    yield "</g>"


def figures(curves: Curves) -> Figures:
    """The results as a table and a picture."""
    head = ["strategy", *(f"µs at {count(mark)}" for mark in MARKS)]
    head += [*(f"MiB at {count(mark)}" for mark in MARKS), "pages"]
    return Figures(
        name="growth",
        sentences=[f"A time is the mean over the {count(WINDOW)} pages before the mark."],
        tables=[
            Table(
                "CPU a page after parsing, and memory of the process",
                head,
                [row(name, points) for name, points in curves.items()],
            )
        ],
        pictures=[Picture(PICTURE, "Time a page and memory against pages crawled, by strategy")],
        measured={**curves},
    )


if __name__ == "__main__":
    main()
