"""Progress of a crawl: a live panel on a terminal, plain lines otherwise."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from shlex import quote
from typing import Literal

import click
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from lagotto.base.reasons import Reason, counted_as, describe, describe_left_out, is_error
from lagotto.base.records import SEED_SCORE
from lagotto.cli import counted, printable
from lagotto.cli.teach import Asking
from lagotto.crawling.frontier import Wait
from lagotto.crawling.inputs import seed_urls
from lagotto.crawling.session import Crawl
from lagotto.crawling.steering.commands import decode, phrase
from lagotto.crawling.worker.events import (
    CommandTaken,
    Deferred,
    Event,
    Expanded,
    Finished,
    HostFailed,
    JudgedAgain,
    LinksScored,
    Marked,
    PageDone,
    Paused,
    SeedFailed,
    Throttled,
)
from lagotto.focus.topic import doubts, read_as, table_from_words


def score_text(score: float) -> str:
    """A link score; a seed of the user has none, since it comes first anyway."""
    return "seed" if score >= SEED_SCORE else f"{score:.3f}"


LINE_EVERY = 5.0
"""Seconds between two plain progress lines."""
MOST_SHOWN = 5


Loudness = Literal["quiet", "verbose"]
"""Less or more than usual is shown; with `verbose` the log shows each event."""


async def show_progress(crawl: Crawl, loudness: Loudness | None = None, asking: Asking | None = None) -> None:
    """Run a crawl to its end and show how it goes, and in the end what it found.

    `asking` asks its user questions meanwhile.
    """
    console = Console()
    if crawl.notice and loudness != "verbose":
        click.echo(printable(crawl.notice), err=True)
    if loudness == "quiet":
        await _warnings(crawl)
        for line in early_lines(crawl):
            click.echo(line, err=True)
        return
    click.echo(opening_line(crawl))
    for line in reading_lines(crawl):
        click.echo(line)
    if console.is_terminal and loudness is None and asking is None:  # A panel would hide questions.
        await _live(crawl, console)
    else:
        await _lines(crawl, asking or Asking(), logged=loudness == "verbose")
    for line in closing_lines(crawl):
        click.echo(printable(line))


async def _warnings(crawl: Crawl) -> None:
    async for event in crawl:
        if isinstance(event, SeedFailed):
            click.echo(event_line(event), err=True)


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


async def _lines(crawl: Crawl, asking: Asking, *, logged: bool) -> None:
    """Plain lines; events that are logged to the terminal are not shown a second time."""

    async def say_how_it_goes() -> None:
        while True:
            await asyncio.sleep(LINE_EVERY)
            if not asking.open:
                click.echo(status_line(crawl))

    saying = asyncio.create_task(say_how_it_goes())
    try:
        async for event in crawl:
            if isinstance(event, Throttled | SeedFailed | Paused | CommandTaken) and not logged:
                asking.echo(event_line(event))
            elif isinstance(event, LinksScored):
                for line in link_lines(event):
                    asking.echo(line)
    finally:
        saying.cancel()


def opening_line(crawl: Crawl) -> str:
    """What is looked for, from where and how; what is there already if the crawl goes on."""
    config, stats = crawl.config, crawl.statistics
    seeds = counted(len(seed_urls(config)), "seed")
    done = f", going on after {counted(stats.pages, 'page')}" if stats.concluded else ""
    return printable(
        f"{config.strategy} looks for: {config.in_words()}; from {seeds} into {crawl.location}{done}"
    )


def reading_lines(crawl: Crawl) -> list[str]:
    """How a new crawl reads the words of its topic, and what may go wrong with them."""
    config = crawl.config
    if not config.topic or crawl.statistics.concluded:
        return []
    table = table_from_words(config.topic, language=config.language, phrases=config.phrases)
    return [printable(line) for line in (read_as(table), *(f"note: {doubt}" for doubt in doubts(table)))]


def status_line(crawl: Crawl) -> str:
    """All that matters in one plain line."""
    stats = crawl.statistics
    return (
        f"pages {stats.pages}  {stats.rate(time.monotonic()):.1f}/s  requests {crawl.requests}  "
        f"harvest {stats.recent_harvest_ratio:.2f} now, {stats.harvest_ratio:.2f} overall (provisional)  "
        f"frontier {crawl.frontier_size}  hosts {crawl.hosts}  "
        f"errors {_errors(crawl) or 'none'}"
        f"  {_next_in_words(crawl)}"
    )


def _next_in_words(crawl: Crawl) -> str:
    """The link that comes next, or why none does."""
    if (read := crawl.rejudging) is not None:
        return f"judging all pages again: {read.done} of {read.pages}"
    if crawl.paused:
        return printable(f"paused; go on with `lagotto unpause {quote(crawl.location)}`")
    best = crawl.best_link()
    if best is None:
        return waiting_line(crawl.waits())
    return f"next {score_text(best.score)} {printable(best.url)}"


def waiting_line(waits: list[Wait]) -> str:
    """Which host is waited for, how long and why; other hosts are only waiting for their delay."""
    if not waits:
        return "waiting for a host's turn"
    first, *others = waits
    more = f"; and for {counted(len(others), 'more host')}" if others else ""
    return printable(f"waiting for {first.host}, {first.seconds:.0f} s more: {first.why}{more}")


def outlook_line(figures: dict[str, float]) -> str:
    """What a strategy says of the crawl; empty if it says nothing."""
    if not figures.get("pages"):
        return ""
    said = (
        f"the best links promise {figures['expected']:.2f} relevant pages a fetch, "
        f"the latest fetches brought {figures['marginal']:.2f}"
    )
    if since := int(figures.get("exhausted", 0)):
        said += (
            f"; the sites found are exhausted since page {since:,}: the rest of the budget goes to new hosts"
        )
    return said


def panel(crawl: Crawl, latest: list[str], outlook: str = "") -> Group:
    """The live view: figures on the left, errors by reason, the latest pages below."""
    stats = crawl.statistics
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold")
    table.add_column()
    rows = [
        ("pages", f"{stats.pages}  ({stats.rate(time.monotonic()):.1f}/s)"),
        ("requests", f"{crawl.requests}"),
        ("relevant", f"{stats.relevant}  (provisional: all pages are judged again at the end)"),
        ("harvest ratio", f"{stats.recent_harvest_ratio:.2f} now, {stats.harvest_ratio:.2f} overall"),
        ("outlook", outlook or "none yet"),
        ("frontier", f"{crawl.frontier_size} links on {crawl.hosts} hosts, {crawl.in_flight} in flight"),
        ("errors", _errors(crawl) or "none"),
        ("links left out", _most_common(stats.left_out) or "none"),
        ("now", _next_in_words(crawl)),
    ]
    for name, value in rows:
        table.add_row(name, Text(printable(value), overflow="ellipsis", no_wrap=True))
    return Group(table, *(Text(line, style="dim", overflow="ellipsis", no_wrap=True) for line in latest))


def event_line(event: Event) -> str:
    """One line for an event, safe to print."""
    match event:
        case PageDone(url=url, relevance=relevance):
            mark = "!" if relevance is None else "+" if event.relevant else "-"
            why = counted_as(event.reason, event.status) or str(event.status)
            figure = why if relevance is None else f"{relevance:.2f}"
            return printable(f"{mark} {figure} {url}")
        case Deferred(url=url, reason=reason):
            return printable(f"~ {describe(reason)}, tried again later: {url}")
        case SeedFailed(url=url, why=why):
            return printable(f"the seed {url} could not be fetched: {why}")
        case Throttled(host=host, seconds=seconds):
            return printable(f"{host} asked us to slow down: left alone for {seconds:.0f} s")
        case Marked(url=url, on=on):
            verdict = "no longer marked" if on is None else f"marked as {'on' if on else 'off'} topic"
            return printable(f"* {verdict}: {url}")
        case JudgedAgain(pages=pages):
            return f"* {counted(len(pages), 'page')} judged again"
        case CommandTaken(content=content, who=who, outcome=outcome, applied=applied):
            said = f"{phrase(decode(content.encode()))}, by {who}" + ("" if applied else ": not applied")
            return printable(f"* {said}{f'; {outcome}' if outcome else ''}")
        case HostFailed(host=host, seconds=seconds, why=why):
            return printable(f"{host} is left alone for {seconds:.0f} s: {why}")
        case Paused(seconds=seconds, why=why):
            return printable(f"no room for more requests on this machine ({why}): pausing {seconds:.1f} s")
        case Expanded(url=url, rank=rank, links=links):
            return printable(f"> expanded ({rank:.2f}, {counted(links, 'link')}): {url}")
        case Finished(why=why):
            return f"finished: {why}"
        case LinksScored(page=page, links=links):
            return printable(f"{counted(len(links), 'link')} scored on {page}")


def link_lines(event: LinksScored) -> list[str]:
    """Links of a page, each with label, score and the parts of it that are not 0; a dash if it is dropped."""
    lines = []
    for link in event.links:
        label = "positive" if link.positive else "negative"
        score = "-" if link.score is None else f"{link.score:.3f}"
        figures = ", ".join(f"{name} {value:.3f}" for name, value in link.parts.items() if round(value, 3))
        lines.append(printable(f'{label}  {score}  {link.url}  "{link.anchor}"  {figures}'))
    return lines


def closing_lines(crawl: Crawl) -> list[str]:
    """What the crawl found, what it left out and why, and where all that is."""
    stats = crawl.statistics
    lines = [
        f"finished: {crawl.why}",
        f"{counted(stats.pages, 'page')}, {stats.relevant} relevant "
        f"(harvest ratio {stats.harvest_ratio:.2f}), "
        f"{counted(crawl.frontier_size, 'link')} left in the frontier; results in {crawl.location}",
    ]
    if crawl.requests:
        per_request = stats.relevant / crawl.requests
        lines.append(f"{counted(crawl.requests, 'request')} (harvest per request {per_request:.2f})")
    lines += early_lines(crawl)
    if crawl.judging is not None:
        lines.append(crawl.judging.sentence())
    if crawl.teacher_report is not None:
        lines.append(crawl.teacher_report.sentence())
    # Where the topic is missing, what the strategy expects of its links means nothing.
    if (crawl.judging is None or crawl.judging.here) and (said := outlook_line(crawl.outlook())):
        lines.append(said)
    if stats.left_out:
        lines.append("links left out:")
        lines += [
            f"  {count:>7}  {reason}: {describe_left_out(reason)}"
            for reason, count in stats.left_out.most_common()
        ]
    lines += [
        f"gave enough: {shape} ({counted(refused, 'more link')}; see --pattern-limit, --hosts-per-site)"
        for shape, refused in list(crawl.full_patterns.items())[:MOST_SHOWN]
    ]
    lines += [
        f"trap: {trap} ({counted(refused, 'link')} refused; see --ignore-traps)"
        for trap, refused in list(crawl.traps.items())[:MOST_SHOWN]
    ]
    lines += [f"gave enough: {host} (see --host-limit)" for host in crawl.full_hosts[:MOST_SHOWN]]
    lines += parser_lines(crawl.parser_deaths, stats.reasons[Reason.PARSE_CRASH])
    return [printable(line) for line in lines]


def parser_lines(deaths: dict[str, int], given_up: int) -> list[str]:
    """What to say if parser processes died, or pages were given up because they broke the parser."""
    lines = []
    if deaths:
        how = ", ".join(f"{how} {count}" for how, count in sorted(deaths.items()))
        lines.append(
            f"parser processes died ({how}): SIGKILL often means that memory ran out; "
            "their pages were tried again in fresh ones"
        )
    if given_up:
        lines.append(f"{given_up} pages were given up because they break the parser (reason parse-crash)")
    return lines


def early_lines(crawl: Crawl) -> list[str]:
    """What stopped a crawl that ended early."""
    return [printable(f"ended early: {sentence}") for sentence in crawl.ended_early]


def _errors(crawl: Crawl) -> str:
    reasons = crawl.statistics.reasons
    return _most_common(Counter({reason: n for reason, n in reasons.items() if is_error(reason)}))


def _most_common(counts: Counter[str], n: int = 5) -> str:
    return ", ".join(f"{reason}: {count}" for reason, count in counts.most_common(n))
