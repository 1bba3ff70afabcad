"""Running a crawl on the terminal: its progress, its log, and what Ctrl-C does."""

from __future__ import annotations

import asyncio
import logging
import os
import resource
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from shlex import quote
from typing import Any, Protocol

import click
import uvloop

from lagotto import __version__
from lagotto.base.errors import DiskFull, LagottoError
from lagotto.cli import printable
from lagotto.cli.progress import Loudness, opening_line, show_progress
from lagotto.cli.serve import ServerBeside
from lagotto.cli.teach import Asking
from lagotto.crawling.session import Crawl
from lagotto.store.sqlite.storage import LOG_BACKUPS, LOG_FILE

MAX_BYTES = 5_000_000


class _Lines(logging.Formatter):
    """One line a record, in UTC, that cannot drive a terminal."""

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        return datetime.fromtimestamp(record.created, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def formatMessage(self, record: logging.LogRecord) -> str:
        record.message = printable(record.message)
        return super().formatMessage(record)


class _File(RotatingFileHandler):
    """A bounded file; a full disk ends the crawl elsewhere, with a sentence, and not here."""

    def _open(self) -> TextIOWrapper:
        """The file; nothing is logged through a symbolic link, which may lead anywhere."""
        return open(self.baseFilename, "a", encoding=self.encoding, errors=self.errors, opener=_no_link)

    def handleError(self, record: logging.LogRecord) -> None:
        pass


def _no_link(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW, 0o666)


@contextmanager
def log_to(directory: Path, *, name: str = LOG_FILE, verbose: bool = False) -> Iterator[None]:
    """Log to a file in the crawl directory, and to the standard error output if asked to."""
    logger = logging.getLogger("lagotto")
    before = logger.level
    file = _File(
        directory / name,
        maxBytes=MAX_BYTES,
        backupCount=LOG_BACKUPS,
        encoding="utf-8",
        errors="backslashreplace",
        delay=True,
    )
    file.setFormatter(_Lines("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    handlers: list[logging.Handler] = [file]
    if verbose:
        terminal = logging.StreamHandler()
        terminal.setFormatter(_Lines("%(message)s"))
        handlers.append(terminal)
    logger.setLevel(logging.DEBUG if verbose else logging.INFO)
    for handler in handlers:
        logger.addHandler(handler)
    try:
        yield
    finally:
        for handler in handlers:
            logger.removeHandler(handler)
            handler.close()
        logger.setLevel(before)


ENDED_EARLY = 3
"""Exit code of a crawl that ended after a handful of pages because nothing was left."""
STOPPING = "stopping when what is under way has come in; Ctrl-C again stops at once"
_log = logging.getLogger(__name__)


class Stoppable(Protocol):
    """A crawl, or a round of visits."""

    @property
    def stopping(self) -> bool:
        """Whether it was told to stop."""

    def stop(self, why: str) -> None:
        """Finish what is under way and end."""


class Interruptible:
    """What Ctrl-C and SIGTERM end: cleanly the first time, at once the second."""

    def __init__(self, running: Stoppable) -> None:
        self._running = running
        self.task: asyncio.Task[Any] | None = None
        """What is cancelled at the second time."""

    def listen(self) -> None:
        """Take the signals of this process from now on."""
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, self._interrupt)

    def _interrupt(self) -> None:
        if not self._running.stopping:
            click.echo(STOPPING, err=True)
            self._running.stop("stopped by the user")
        elif self.task is not None:
            self.task.cancel()


def run(crawl: Crawl, loudness: Loudness | None = None, *, serve: bool = False, log: str = LOG_FILE) -> int:
    """Run a crawl with progress shown and logged; Ctrl-C stops it cleanly, a second one at once.

    `serve` starts a server beside it, which stays until another Ctrl-C. `log` is the name of the log in the
    crawl's folder, which workers of one crawl share. Returns the exit code: 0, or
    `ENDED_EARLY`.
    """
    asking = Asking() if crawl.config.ask else None
    if asking is not None:
        crawl.answer = asking.answer
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # A connection each, to many hosts.
    running = _Run(crawl, loudness, asking, serve=serve, log=log)
    try:
        uvloop.run(running.to_the_end())
        if running.server is not None and not crawl.stopping:
            running.server.stay()
    except DiskFull as error:
        raise DiskFull(f"{error} with `lagotto resume {quote(crawl.location)}`") from None
    finally:
        if running.server is not None:
            running.server.end()
        if crawl.stopping:  # All is closed: another Ctrl-C has nothing left to stop.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
    return ENDED_EARLY if crawl.ended_early else 0


class _Run(Interruptible):
    """A crawl that the user may interrupt, any number of times."""

    def __init__(
        self, crawl: Crawl, loudness: Loudness | None, asking: Asking | None, *, serve: bool, log: str
    ) -> None:
        super().__init__(crawl)
        self._crawl = crawl
        self._loudness = loudness
        self._asking = asking
        self._serve = serve
        self._log = log
        self.server: ServerBeside | None = None

    async def to_the_end(self) -> None:
        """Open the crawl, run it and close it; only running it can be cut short."""
        self.listen()
        with ExitStack() as logged:  # Until the crawl is closed: the webhook is told after that.
            logged.callback(self._say_untold)
            async with self._crawl:
                if self._serve:
                    self.server = await asyncio.to_thread(ServerBeside, self._crawl.location)
                    click.echo(self.server.said, err=self._loudness == "quiet")
                folder = self._crawl.storage.folder
                if folder is not None:
                    verbose = self._loudness == "verbose"
                    logged.enter_context(log_to(folder, name=self._log, verbose=verbose))
                if self._crawl.metrics_url:
                    click.echo(f"metrics: {self._crawl.metrics_url}", err=self._loudness == "quiet")
                await self._show()

    def _say_untold(self) -> None:
        """Say why the webhook was not told, unless the log on the terminal has said so."""
        logged = self._loudness == "verbose" and self._crawl.storage.folder is not None
        if self._crawl.untold and not logged:
            click.echo(printable(f"the webhook was not told of the end: {self._crawl.untold}"), err=True)

    async def _show(self) -> None:
        _log.info("lagotto %s: %s", __version__, opening_line(self._crawl))
        if self._crawl.notice:
            _log.warning("%s", self._crawl.notice)
        self.task = asyncio.create_task(show_progress(self._crawl, self._loudness, self._asking))
        try:
            await self.task
        except asyncio.CancelledError:
            _log.warning("stopped at once")
            click.echo("stopped at once; nothing committed is lost, `lagotto resume` goes on", err=True)
        except LagottoError as error:
            _log.error("%s", error)
            raise
        except Exception:
            _log.exception("ended by a defect of Lagotto")
            raise
