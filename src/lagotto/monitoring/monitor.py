"""How a crawl is watched while it runs."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Self

from msgspec import Struct

from lagotto.errors import InputError
from lagotto.fetch import Guard
from lagotto.monitoring.event_lines import EventLines
from lagotto.monitoring.metrics import Figures, render
from lagotto.monitoring.metrics_server import MetricsServer
from lagotto.monitoring.webhook import Ending, check_webhook, tell

_log = logging.getLogger(__name__)


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
