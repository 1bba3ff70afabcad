"""`lagotto revisit` and `lagotto diff`."""

from __future__ import annotations

import asyncio
import re
import sys
import time
from contextlib import nullcontext
from datetime import UTC, datetime
from shlex import quote
from typing import Any

import click
import msgspec
import uvloop
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from lagotto import api as calls
from lagotto.base.errors import InputError
from lagotto.base.events import Revisited
from lagotto.base.records import Found
from lagotto.cli import printable
from lagotto.cli.options import DIRECTORY, JSON, change_options, given, with_options
from lagotto.cli.running import Interruptible, log_to
from lagotto.crawling.revisit.calls import RevisitResult
from lagotto.crawling.revisit.calls import diff as compare
from lagotto.crawling.revisit.plan import DAY, HOUR
from lagotto.crawling.revisit.session import Revisiting
from lagotto.store import storage_at

_DURATION = re.compile(r"(\d+(?:\.\d+)?)(h|d|w)")
_UNITS = {"h": HOUR, "d": DAY, "w": 7 * DAY}
LINE_EVERY = 10.0
"""Seconds between two lines of progress where there is no terminal."""
SHOWN = (Found.CHANGED, Found.GONE, Found.MOVED)
"""Findings that get a line each."""


def duration(text: str) -> float:
    """Seconds of a duration such as 12h, 7d or 2w."""
    match = _DURATION.fullmatch(text.strip())
    if match is None:
        raise InputError(f"'{text}' is no duration; write it like 12h, 7d or 2w")
    return float(match[1]) * _UNITS[match[2]]


@click.command()
@DIRECTORY
@click.option(
    "--max-pages", type=click.IntRange(0), default=0, help="Visit at most so many pages (default: all)."
)
@click.option("--max-time", type=click.FloatRange(0), default=0.0, help="Stop after so many seconds.")
@click.option(
    "--every",
    default="7d",
    show_default=True,
    metavar="TIME",
    help="Mean interval between two visits to a page.",
)
@click.option("--due", is_flag=True, help="Only pages whose own interval is over.")
@click.option("--watch", is_flag=True, help="Go on for days: visit each page whenever it is due.")
@with_options(*change_options(lambda option: option.revisit))
@JSON
@click.option("--quiet", is_flag=True, help="Show only the result.")
def revisit(directory: str, every: str, as_json: bool, quiet: bool, **options: Any) -> None:
    """Visit the pages of the crawl in DIRECTORY again, and keep what changed.

    Pages most worth it come first. A round that was cut short is gone on with. Options that say how to ask,
    such as --delay, hold for this run alone.
    """
    run = _Run(Revisiting(directory, every=duration(every), **given(options)), quiet or as_json)
    uvloop.run(run.to_the_end())
    result = RevisitResult.of(run.revisiting)
    if as_json:
        click.echo(msgspec.json.encode(result))
        return
    for line in closing_lines(run.revisiting, result):
        click.echo(printable(line))


def closing_lines(revisiting: Revisiting, result: RevisitResult) -> list[str]:
    """What a person should know when a run is over."""
    if not revisiting.planned and revisiting.next_due is not None:
        due = datetime.fromtimestamp(revisiting.next_due, UTC).strftime("%Y-%m-%d %H:%M")
        return [f"no page is due; the next one is on {due} UTC"]
    counts = ", ".join(f"{getattr(result, found)} {found}" for found in Found)
    lines, shown = [f"{result.visited} pages visited: {counts}; {result.why}"], quote(str(result.directory))
    if result.changed:
        lines.append(f"see what changed on a page with `lagotto diff {shown} URL`")
    if result.new_links:
        lines.append(f"{result.new_links} new links are queued; `lagotto resume {shown}` fetches them")
    return lines


class _Run(Interruptible):
    """A round of visits that the user may interrupt."""

    def __init__(self, revisiting: Revisiting, quiet: bool) -> None:
        super().__init__(revisiting)
        self.revisiting = revisiting
        self._quiet = quiet
        self._line_at = time.monotonic() + LINE_EVERY
        self._progress: Progress | None = None

    async def to_the_end(self) -> None:
        """Open the crawl, visit its pages and close it."""
        self.listen()
        self.revisiting.tell = self._tell
        async with self.revisiting as revisiting:
            if not self._quiet:
                self._say(f"visiting {revisiting.planned} pages of {revisiting.location} again")
                if revisiting.notice:
                    self._say(revisiting.notice)
            folder = revisiting.storage.folder
            with log_to(folder, verbose=False) if folder else nullcontext(), self._shown():
                self.task = asyncio.create_task(revisiting.run())
                await asyncio.gather(self.task, return_exceptions=True)
            if not self.task.cancelled():
                self.task.result()

    def _shown(self) -> Any:
        if self._quiet or not sys.stderr.isatty() or self.revisiting.watch:
            return nullcontext()
        bar = (TextColumn("visited"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[found]}"))
        self._progress = Progress(*bar, transient=True)
        self._progress.add_task("", total=self.revisiting.planned, found="")
        return self._progress

    def _tell(self, event: Revisited) -> None:
        if self._quiet:
            return
        if event.found in SHOWN:
            self._say(f"{event.found:8} {event.url}")
        found = self.revisiting.found
        summary = ", ".join(f"{found[kind]} {kind}" for kind in Found if found[kind])
        if self._progress is not None:
            self._progress.update(self._progress.task_ids[0], completed=found.total(), found=summary)
        elif time.monotonic() >= self._line_at:
            self._line_at = time.monotonic() + LINE_EVERY
            self._say(f"{found.total()} of {self.revisiting.planned} pages visited: {summary}")

    def _say(self, line: str) -> None:
        if self._progress is not None:
            self._progress.console.print(printable(line), markup=False, highlight=False)
        else:
            click.echo(printable(line), err=True)


@click.command()
@DIRECTORY
@click.argument("url")
@click.option(
    "--from", "old", type=int, default=-2, help="Older version, counted from 0, or from the end as -2."
)
@click.option("--to", "new", type=int, default=-1, help="Newer version.")
@JSON
def diff(directory: str, url: str, old: int, new: int, as_json: bool) -> None:
    """Show what changed on the page at URL between two visits."""
    found = compare(directory, url, old=old, new=new)
    if as_json:
        click.echo(msgspec.json.encode(found))
        return
    for number, version in enumerate(found.versions):
        when = datetime.fromtimestamp(version.fetched_at, UTC).strftime("%Y-%m-%d %H:%M:%S")
        click.echo(printable(f"version {number}, {when} UTC: {version.title}"))
    if not found.lines:
        same = "it has not changed since it was fetched" if len(found.versions) == 1 else "they are the same"
        click.echo(same)
    for line in found.lines:
        colour = {"+": "green", "-": "red"}.get(line[:1])
        click.secho(printable(line), fg=colour)


@click.command()
@click.argument("first")
@click.argument("second")
@click.option("-o", "--output", metavar="PATH", required=True, help="Directory of the new crawl.")
def merge(first: str, second: str, output: str) -> None:
    """Make one crawl of the crawls in FIRST and SECOND, and judge its pages again.

    Topic, strategy and options are those of FIRST. Where both have a URL, the newer page is taken.
    """
    merged = calls.merge(first, second, output)
    found = f"{merged.pages} URLs concluded ({merged.both} of them in both), {merged.queued} queued"
    click.echo(
        printable(f"{merged.directory}: {found}, {merged.marks} marks; go on with `lagotto resume {output}`")
    )


@click.command()
@DIRECTORY
def migrate(directory: str) -> None:
    """Bring the crawl in DIRECTORY from an older format up to date; a copy of its database is kept."""
    click.echo(printable(storage_at(directory).migrate()))
