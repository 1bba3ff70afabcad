"""The demo: crawl the same small web with and without a focus, compare by labels, draw the curves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from typing import NamedTuple

from rich.table import Table
from rich.text import Text

from lagotto.base.svg import FONT, Frame, document, grid, line, shape, spread_apart, text
from lagotto.crawling import config as configuration
from lagotto.crawling.session import Crawl
from lagotto.crawling.worker.events import PageDone
from lagotto.lab.demo.web import DemoWeb
from lagotto.lab.serving.server import WebServer
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


class Run(NamedTuple):
    """A crawl: its name, for each page in fetch order whether it was relevant, and what it says itself."""

    name: str
    hits: Sequence[bool]
    claimed: int = 0
    """Pages that the crawl's own verdicts call relevant, as `lagotto status` counts them."""
    estimate: tuple[float, float, float] | None = None
    """The crawl's own estimate of its recall, with its 90 % interval; None if it has none."""

    @property
    def fetched(self) -> int:
        """Pages fetched."""
        return len(self.hits)

    @property
    def found(self) -> int:
        """Relevant pages fetched."""
        return sum(self.hits)

    @property
    def harvest_ratio(self) -> float:
        """Share of the fetched pages that were relevant."""
        return self.found / self.fetched if self.fetched else 0.0

    def curve(self) -> list[int]:
        """Relevant pages found after 0, 1, 2, ... fetches."""
        return list(accumulate(self.hits, initial=0))

    def segments(self, count: int) -> list[float]:
        """Harvest ratio in each of `count` equal parts of the crawl."""
        edges = [round(place * self.fetched / count) for place in range(count + 1)]
        stretches = [self.hits[start:end] for start, end in pairwise(edges)]
        return [sum(stretch) / len(stretch) for stretch in stretches if stretch]


BARS = "▁▂▃▄▅▆▇█"
SEGMENTS = 16


def sparkline(values: Sequence[float], top: float = 1.0) -> str:
    """Values from 0 to `top` as a row of bars.

    >>> sparkline([0, 0.25, 0.5, 1])
    '▁▃▅█'
    """
    steps = len(BARS) - 1
    return "".join(BARS[round(min(max(value / top, 0.0), 1.0) * steps)] for value in values)


LEGEND = (
    "relevant, harvest, recall: by the labels of the web, which no crawl sees",
    "claimed, estimate: pages on topic and recall by the crawl itself, as `lagotto status` shows them",
)
"""What the columns of `comparison_table` mean."""


def comparison_table(runs: Sequence[Run], relevant: int, title: str = "") -> Table:
    """A table of crawls of the same web, the best one marked; `relevant` is the number of relevant pages."""
    best = max(runs, key=lambda run: run.found)
    table = Table(title=title or None, title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("strategy")
    for name in ("pages", "relevant", "harvest", "recall", "claimed", "estimate"):
        table.add_column(name, justify="right")
    table.add_column("harvest over time", no_wrap=True)
    for run in runs:
        style = "bold green" if run is best and len(runs) > 1 else ""
        table.add_row(
            Text(run.name, style),
            f"{run.fetched:,}",
            f"{run.found:,}",
            Text(f"{run.harvest_ratio:.0%}", style),
            f"{run.found / relevant:.0%}" if relevant else "-",
            f"{run.claimed:,}",
            "-" if run.estimate is None else f"{run.estimate[0]:.0%}",
            Text(sparkline(run.segments(SEGMENTS)), style),
        )
    return table


TOPIC = "truffles"
PAGES = 400


async def play(
    directory: Path,
    web: DemoWeb,
    strategies: Sequence[str],
    *,
    topic: str = TOPIC,
    pages: int = PAGES,
    progress: Callable[[str, int], None] = lambda _name, _pages: None,
) -> tuple[list[Run], int]:
    """Crawl the demo web over real HTTP on loopback with each strategy in turn.

    Returns the runs and the number of relevant pages. Each crawl has its own directory.
    """
    relevant = len(web.labels(topic))
    words, seeds = web.topics()[topic]
    runs = []
    async with WebServer(web) as server:
        for strategy in strategies:
            config = configuration.from_values(
                {
                    "topic": words,
                    "seeds": list(seeds),
                    "strategy": strategy,
                    "proxy": server.proxy,
                    "delay": 0.0,
                    "max_pages": pages,
                }
            )
            urls: list[str] = []
            async with Crawl(config, directory / strategy) as crawl:
                async for event in crawl:
                    if isinstance(event, PageDone) and event.status == 200:
                        urls.append(event.url)
                        progress(strategy, len(urls))
            runs.append(Run(strategy, web.hits(topic, urls), crawl.statistics.relevant, estimate(crawl)))
    return runs, relevant


def estimate(crawl: Crawl) -> tuple[float, float, float] | None:
    """What a finished crawl says of its recall; None if it says nothing."""
    judging = crawl.judging
    return None if judging is None else (judging.recall, judging.recall_low, judging.recall_high)
