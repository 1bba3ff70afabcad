"""A comparison of crawls for the terminal: one line a crawl, and its harvest as a sparkline."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from lagotto.demo.runs import Run

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
