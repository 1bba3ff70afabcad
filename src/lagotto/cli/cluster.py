"""A crawl on a cluster, as `lagotto crawl --cluster` and `lagotto resume --cluster` run it."""

from __future__ import annotations

import signal
import time
from collections.abc import Mapping
from types import FrameType

import click

from lagotto.api import judging_of, result_of
from lagotto.base.errors import InputError
from lagotto.cli import counted, printable
from lagotto.cli.running import STOPPING
from lagotto.cli.serve import ServerBeside
from lagotto.crawling.cluster.run import ClusterRun
from lagotto.store import storage_at

LINE_EVERY = 5.0
"""Seconds between two progress lines."""

CLUSTER = click.option(
    "--cluster",
    metavar="N|auto|ray://...",
    help="Crawl with so many workers on this machine; by Ray with as many as have work, or on its cluster.",
)


def refuse_on_cluster(asked: Mapping[str, bool]) -> None:
    """Refuse options that only the process of a crawl can obey, given by name: whether each is asked for."""
    refused = [option for option, there in asked.items() if there]
    if refused:
        raise InputError(
            f"{' and '.join(refused)} cannot be used with --cluster, whose workers have no terminal; look at "
            "the crawl with --serve or `lagotto status`, and answer questions with `lagotto ask`"
        )


def run_on_cluster(running: ClusterRun, *, quiet: bool, serve: bool = False) -> None:
    """Run a crawl to its end and show how it goes; Ctrl-C stops it cleanly, a second one at once.

    `serve` starts a server beside it, which stays until another Ctrl-C.
    """
    progress = _Progress(running.location, quiet=quiet, serve=serve)
    interrupts = 0

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal interrupts
        interrupts += 1
        if interrupts == 1:
            click.echo(STOPPING, err=True)
            running.stop()
        else:
            running.kill()

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        result = result_of(running.location, running.run(progress.tell))
    except BaseException:
        progress.end()
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if not quiet:
        click.echo(printable(f"finished: {result.why}"))
        figures = f"{result.relevant} relevant (harvest ratio {result.harvest_ratio:.2f})"
        pages = counted(result.pages_fetched, "page")
        click.echo(printable(f"{pages}, {figures}; results in {running.location}"))
        if (judging := judging_of(running.location)) is not None:
            click.echo(printable(judging.sentence()))
    if progress.server is not None and not interrupts:
        progress.server.stay()
    progress.end()


class _Progress:
    """Says now and then how the crawl goes, and serves it if asked to."""

    def __init__(self, location: str, *, quiet: bool, serve: bool) -> None:
        self._location = location
        self._quiet = quiet
        self._serve = serve
        self._next = 0.0
        self.server: ServerBeside | None = None

    def end(self) -> None:
        """End the server."""
        if self.server is not None:
            self.server.end()

    def tell(self, workers: int) -> None:
        if self._serve and self.server is None:
            self.server = ServerBeside(self._location)
            click.echo(self.server.said, err=self._quiet)
        if self._quiet or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + LINE_EVERY
        with storage_at(self._location).reader() as reader:
            figures = reader.status()
        click.echo(
            f"pages {figures.pages}  harvest {figures.harvest_ratio:.2f}  frontier {figures.queued}  "
            f"hosts {figures.hosts}  workers {workers}"
        )
