"""Progress of a crawl: a live panel on a terminal, plain lines otherwise."""

from __future__ import annotations

import asyncio
import time

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

LINE_EVERY = 5.0
"""Seconds between two plain progress lines."""


async def show_progress(crawl: Crawl) -> None:
    """Follow a crawl to its end, showing how it goes, and say in the end what it found."""
    console = Console()
    if crawl.notice:
        click.echo(crawl.notice, err=True)
    if console.is_terminal:
        await _live(crawl, console)
    else:
        await _lines(crawl)
    click.echo(f"finished: {crawl.why}")
    click.echo(closing_line(crawl))


async def _live(crawl: Crawl, console: Console) -> None:
    latest: list[str] = []
    with Live(console=console, refresh_per_second=4, transient=True) as live:

        async def redraw() -> None:
            while True:
                live.update(panel(crawl, latest))
                await asyncio.sleep(0.25)

        drawing = asyncio.create_task(redraw())
        try:
            async for event in crawl:
                if isinstance(event, LinksScored):
                    live.console.print(*link_lines(event), sep="\n", markup=False, highlight=False)
                elif line := event_line(event):
                    latest[:] = [*latest[-5:], line]
        finally:
            drawing.cancel()


async def _lines(crawl: Crawl) -> None:
    said_at = time.monotonic()
    async for event in crawl:
        if isinstance(event, Throttled):
            click.echo(event_line(event))
        elif isinstance(event, LinksScored):
            for line in link_lines(event):
                click.echo(line)
        if time.monotonic() - said_at >= LINE_EVERY:
            said_at = time.monotonic()
            click.echo(status_line(crawl))


def status_line(crawl: Crawl) -> str:
    """All that matters in one plain line."""
    stats = crawl.statistics
    best = crawl.best_link()
    return (
        f"pages {stats.pages}  {stats.rate(time.monotonic()):.1f}/s  "
        f"harvest {stats.recent_harvest_ratio:.2f} now, {stats.harvest_ratio:.2f} overall  "
        f"frontier {crawl.frontier_size}  hosts {crawl.hosts}  "
        f"errors {_reasons(crawl) or 'none'}" + (f"  next {printable(best.url)}" if best else "")
    )


def panel(crawl: Crawl, latest: list[str]) -> Group:
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
        ("frontier", f"{crawl.frontier_size} links on {crawl.hosts} hosts, {crawl.in_flight} in flight"),
        ("errors", _reasons(crawl) or "none"),
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


def closing_line(crawl: Crawl) -> str:
    """What the crawl found, and what to do with it."""
    stats = crawl.statistics
    return (
        f"{stats.pages} pages, {stats.relevant} relevant (harvest ratio {stats.harvest_ratio:.2f}), "
        f"{crawl.frontier_size} links left in the frontier; results in {crawl.directory}"
    )


def _reasons(crawl: Crawl) -> str:
    return ", ".join(f"{reason} {count}" for reason, count in crawl.statistics.reasons.most_common(5))
