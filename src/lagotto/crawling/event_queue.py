"""Events on their way from a running crawl to the caller that iterates over them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from lagotto.crawling.event_log import log_event
from lagotto.crawling.events import Event

BACKLOG = 1000
"""Unread events from which on the crawl waits."""


class EventQueue:
    """Logs every event, and keeps it for the caller once that one has begun to read."""

    def __init__(self) -> None:
        self._events: asyncio.Queue[Event | None] | None = None

    def tell(self, event: Event) -> None:
        """Add an event."""
        log_event(event)
        if self._events is not None:
            self._events.put_nowait(event)

    def behind(self) -> bool:
        """Whether the caller has so many events left to read that the crawl must wait."""
        return self._events is not None and self._events.qsize() > BACKLOG

    @property
    def caught_up(self) -> bool:
        """Whether the caller has just read so many events that the crawl need not wait any more."""
        return self._events is not None and self._events.qsize() == BACKLOG

    async def read_while(self, running: asyncio.Task[str]) -> AsyncGenerator[Event]:
        """The events that a task tells, until it ends."""
        events = self._events = asyncio.Queue()
        running.add_done_callback(lambda _: events.put_nowait(None))
        try:
            while (event := await events.get()) is not None:
                yield event
        finally:
            self._events = None
