"""Progress of a crawl: a live panel on a terminal, plain lines otherwise."""

from __future__ import annotations

import asyncio
import time
from collections import Counter

import click
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from lagotto.api import Crawl
from lagotto.cli import printable
from lagotto.crawling.events import (
    Deferred,
    Event,
    Expanded,
    Finished,
    LinksScored,
    PageDone,
    SeedFailed,
    Throttled,
)
from lagotto.records import Reason

LINE_EVERY = 5.0
"""Seconds between two plain progress lines."""
MOST_SHOWN = 5
_NO_ERRORS = frozenset({Reason.REDIRECT, Reason.DUPLICATE, Reason.NOINDEX, Reason.SITEMAP})


async def show_progress(crawl: Crawl) -> None:
    """Follow a crawl to its end, showing how it goes, and say in the end what it found."""
    console = Console()
    if crawl.notice:
        click.echo(printable(crawl.notice), err=True)
    click.echo(opening_line(crawl))
    if console.is_terminal:
        await _live(crawl, console)
    else:
        await _lines(crawl)
    for line in closing_lines(crawl):
        click.echo(line)


class _Outlook:
    """What the strategy makes of the crawl, asked for now and then: it looks at all links."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._asked_at = 0.0
        self._line = ""

    def line(self) -> str:
        if time.monotonic() - self._asked_at > LINE_EVERY:
            self._asked_at, self._line = time.monotonic(), outlook_line(self._crawl.outlook())
        return self._line


async def _live(crawl: Crawl, console: Console) -> None:
    latest: list[str] = []
    outlook = _Outlook(crawl)
    with Live(console=console, refresh_per_second=4, transient=True) as live:

        async def redraw() -> None:
            while True:
                live.update(panel(crawl, latest, outlook.line()))
                await asyncio.sleep(0.25)

        drawing = asyncio.create_task(redraw())
        try:
            async for event in crawl:
                if isinstance(event, LinksScored):
                    live.console.print(*link_lines(event), sep="\n", markup=False, highlight=False)
                elif isinstance(event, SeedFailed):
                    live.console.print(event_line(event), markup=False, highlight=False)
                elif line := event_line(event):
                    latest[:] = [*latest[-5:], line]
        finally:
            drawing.cancel()


async def _lines(crawl: Crawl) -> None:
    async def say_how_it_goes() -> None:
        while True:
            await asyncio.sleep(LINE_EVERY)
            click.echo(status_line(crawl))

    saying = asyncio.create_task(say_how_it_goes())
    try:
        async for event in crawl:
            if isinstance(event, Throttled | SeedFailed):
                click.echo(event_line(event))
            elif isinstance(event, LinksScored):
                for line in link_lines(event):
                    click.echo(line)
    finally:
        saying.cancel()


def opening_line(crawl: Crawl) -> str:
    """What is looked for, from where and how; what is there already if the crawl goes on."""
    config, stats = crawl.config, crawl.statistics
    wanted = config.topic or config.saved_topic or config.network or "pages like the examples"
    seeds = f"{len(config.seeds)} seed{'s' if len(config.seeds) > 1 else ''}"
    done = f", going on after {stats.pages} pages" if stats.concluded else ""
    return printable(f"{config.strategy} looks for: {wanted}; from {seeds} into {crawl.directory}{done}")


def status_line(crawl: Crawl) -> str:
    """All that matters in one plain line."""
    stats = crawl.statistics
    best = crawl.best_link()
    return (
        f"pages {stats.pages}  {stats.rate(time.monotonic()):.1f}/s  "
        f"harvest {stats.recent_harvest_ratio:.2f} now, {stats.harvest_ratio:.2f} overall  "
        f"frontier {crawl.frontier_size}  hosts {crawl.hosts}  "
        f"errors {_errors(crawl) or 'none'}"
        + (f"  next {best.score:.3f} {printable(best.url)}" if best else "  waiting for a host's turn")
    )


def outlook_line(figures: dict[str, float]) -> str:
    """What a strategy says of the crawl; empty if it says nothing."""
    if not figures.get("pages"):
        return ""
    return (
        f"the best links promise {figures['expected']:.2f} relevant pages a fetch, "
        f"the latest fetches brought {figures['marginal']:.2f}; recall about {figures['recall']:.2f}"
    )


def panel(crawl: Crawl, latest: list[str], outlook: str = "") -> Group:
    """The live view: figures on the left, errors by reason, the latest pages below."""
    stats = crawl.statistics
    best = crawl.best_link()
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold")
    table.add_column()
    rows = [
        ("pages", f"{stats.pages}  ({stats.rate(time.monotonic()):.1f}/s)"),
        ("relevant", f"{stats.relevant}"),
        ("harvest ratio", f"{stats.recent_harvest_ratio:.2f} now, {stats.harvest_ratio:.2f} overall"),
        ("outlook", outlook or "none yet"),
        ("frontier", f"{crawl.frontier_size} links on {crawl.hosts} hosts, {crawl.in_flight} in flight"),
        ("errors", _errors(crawl) or "none"),
        ("links left out", _most_common(stats.left_out) or "none"),
        ("best link next", f"{best.score:.3f}  {best.url}" if best else "waiting for a host's turn"),
    ]
    for name, value in rows:
        table.add_row(name, Text(printable(value), overflow="ellipsis", no_wrap=True))
    return Group(table, *(Text(line, style="dim", overflow="ellipsis", no_wrap=True) for line in latest))


def event_line(event: Event) -> str:
    """One line for an event, safe to print."""
    match event:
        case PageDone(outcome=outcome):
            judged = outcome.judgement
            mark = "+" if judged and judged.relevant else "-" if judged else "!"
            figure = f"{judged.relevance:.2f}" if judged else outcome.reason or str(outcome.status)
            return printable(f"{mark} {figure} {outcome.lease.url}")
        case Deferred(url=url, reason=reason):
            return printable(f"~ {reason}, later: {url}")
        case SeedFailed(url=url, why=why):
            return printable(f"the seed {url} could not be fetched: {why}")
        case Throttled(host=host, seconds=seconds):
            return printable(f"{host} asked us to slow down: left alone for {seconds:.0f} s")
        case Expanded(url=url, rank=rank, links=links):
            return printable(f"> expanded ({rank:.2f}, {links} links): {url}")
        case Finished(why=why):
            return f"finished: {why}"
        case LinksScored(page=page, links=links):
            return printable(f"{len(links)} links scored on {page}")


def link_lines(event: LinksScored) -> list[str]:
    """Each link of a page with its label: followed, or left out."""
    lines = []
    for link in event.links:
        label = "negative" if link.score is None else "positive"
        figures = ", ".join(f"{name} {value:.3f}" for name, value in link.parts.items())
        lines.append(printable(f'{label}  {link.url}  "{link.anchor}"  {figures}'))
    return lines


def closing_lines(crawl: Crawl) -> list[str]:
    """What the crawl found, what it left out and why, and where all that is."""
    stats = crawl.statistics
    lines = [
        f"finished: {crawl.why}",
        f"{stats.pages} pages, {stats.relevant} relevant (harvest ratio {stats.harvest_ratio:.2f}), "
        f"{crawl.frontier_size} links left in the frontier; results in {crawl.directory}",
    ]
    if said := outlook_line(crawl.outlook()):
        lines.append(f"by its own judgement: {said}")
    if stats.left_out:
        lines.append(f"links left out: {_most_common(stats.left_out, len(stats.left_out))}")
    lines += [
        f"gave enough: {shape} ({refused} more links; see --pattern-limit, --hosts-per-site)"
        for shape, refused in list(crawl.full_patterns.items())[:MOST_SHOWN]
    ]
    lines += [f"gave enough: {host} (see --host-limit)" for host in crawl.full_hosts[:MOST_SHOWN]]
    return [printable(line) for line in lines]


def _errors(crawl: Crawl) -> str:
    reasons = crawl.statistics.reasons
    return _most_common(Counter({reason: n for reason, n in reasons.items() if reason not in _NO_ERRORS}))


def _most_common(counts: Counter[str], n: int = 5) -> str:
    return ", ".join(f"{reason} {count}" for reason, count in counts.most_common(n))
