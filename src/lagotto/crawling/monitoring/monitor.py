"""How a crawl is watched while it runs."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Self

import msgspec
from msgspec import Struct

from lagotto.base.errors import InputError
from lagotto.crawling.monitoring.metrics import Figures, MetricsServer, render
from lagotto.crawling.monitoring.webhook import Ending, check_webhook, tell
from lagotto.fetch import Guard

STDOUT = "-"
_log = logging.getLogger(__name__)


class EventLines:
    """Appends a line for each event; if that fails, the crawl goes on without them."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._stream: BinaryIO | None
        if path == STDOUT:
            self._stream = sys.stdout.buffer
            return
        try:
            self._stream = Path(path).open("ab", buffering=0)  # noqa: SIM115  # Open as long as the crawl.
        except OSError as error:
            raise InputError(
                f"events cannot be written to {path} ({error.strerror}); name another file"
            ) from error

    def write(self, event: Struct) -> None:
        """Write an event, with the time."""
        if self._stream is None:
            return
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        fields = {"at": now} | msgspec.to_builtins(event)
        fields.pop("n", None)  # Only the store numbers events.
        line = msgspec.json.encode(fields)
        try:
            self._stream.write(line + b"\n")
            self._stream.flush()
        except OSError as error:
            _log.warning("no more events are written to %s: %s", self._path, error.strerror)
            self.close()

    def close(self) -> None:
        """Close the file."""
        stream, self._stream = self._stream, None
        if stream is not None and self._path != STDOUT:
            stream.close()


class Monitor(Struct, kw_only=True):
    """What a process tells of the crawl that it runs; it is no part of the crawl, and not kept with it."""

    metrics: int | None = None
    """Port on 127.0.0.1 for metrics; 0 takes any free one."""
    events: str = ""
    """File for events as JSON lines; `-` is standard output."""
    webhook: str = ""
    """URL that is told when the crawl has ended."""

    def check(self) -> None:
        """Refuse what makes no sense."""
        if self.metrics is not None and not 0 <= self.metrics <= 65535:
            raise InputError(f"--metrics needs a port from 0 to 65535, not {self.metrics}")
        if self.webhook:
            check_webhook(self.webhook)


class Watching:
    """A crawl that is watched, from before it is opened until it is closed."""

    def __init__(self, monitor: Monitor, crawl: str, figures: Callable[[], Figures]) -> None:
        monitor.check()
        self.monitor = monitor
        self._text = lambda: render({crawl: figures()})
        self.metrics_url = ""
        """Where metrics are served; empty if they are not."""
        self._events: EventLines | None = None
        self._closing = AsyncExitStack()

    async def __aenter__(self) -> Self:
        async with self._closing:
            if self.monitor.events:
                self._events = EventLines(self.monitor.events)
                self._closing.callback(self._events.close)
            if self.monitor.metrics is not None:
                server = MetricsServer(self.monitor.metrics, self._text)
                await server.start()
                self.metrics_url = server.url
                self._closing.push_async_callback(server.close)
            self._closing = self._closing.pop_all()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._closing.aclose()

    def tell(self, event: Struct) -> None:
        """Something happened."""
        if self._events is not None:
            self._events.write(event)

    async def end(self, ending: Ending, guard: Guard) -> str:
        """Tell the webhook that the crawl has ended; returns why it could not be told, if so."""
        if not self.monitor.webhook:
            return ""
        why = await tell(check_webhook(self.monitor.webhook), ending, guard)
        if why:
            _log.warning("the webhook was not told of the end: %s", why)
        return why
