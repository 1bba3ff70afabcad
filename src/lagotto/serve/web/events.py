"""Events of a crawl as server-sent events: one follower a crawl, however many listen.

The follower reads new events and keeps the latest of them as messages. A listener that is behind reads what
it lacks from the crawl itself, so that a slow one costs no memory.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import msgspec

from lagotto.base.errors import LagottoError
from lagotto.base.events import EventRecord
from lagotto.base.protocols import Reader

LOOK_EVERY = 0.5
"""Seconds between two looks for new events."""
KEPT = 1000
"""Latest messages that a follower keeps."""
AT_ONCE = 200
"""Events that are read, and sent, at once."""
STILL = 15.0
"""Seconds without an event after which a comment is sent, so that a broken connection is noticed."""

Message = tuple[int, bytes]
"""Number of an event, and the event as a browser's EventSource reads it."""
Read = Callable[[Callable[[Reader], Any]], Awaitable[Any]]
_encode = msgspec.json.Encoder().encode


def as_message(event: EventRecord) -> Message:
    """An event as a server-sent event; JSON has no line breaks."""
    kind = str(event.__struct_config__.tag).encode()
    return event.n, b"id: %d\nevent: %s\ndata: %s\n\n" % (event.n, kind, _encode(event))


def _last_event(reader: Reader) -> int:
    return reader.last_event()


class Follower:
    """Follows one crawl as long as anybody listens."""

    def __init__(self, read: Read, look_every: float = LOOK_EVERY) -> None:
        self._read = read
        self._look_every = look_every
        self._latest: deque[Message] = deque(maxlen=KEPT)
        self._floor: int | None = None
        """All events after this number, up to the last one, are among the latest; None: not known yet."""
        self._changed = asyncio.Event()
        self._following: asyncio.Task[None] | None = None
        self.listeners = 0

    async def listen(self, after: int | None) -> AsyncIterator[bytes]:
        """Messages after a number, without end; None: only what comes from now on."""
        self.listeners += 1
        try:
            if self._following is None:
                self._following = asyncio.create_task(self._follow())
            yield b": following\n\n"
            at = after
            while True:
                changed = self._changed
                try:
                    at = await self._read(_last_event) if at is None else at
                    messages = await self._after(at)
                except LagottoError as error:
                    yield b"event: problem\ndata: %s\n\n" % _encode({"detail": str(error)})
                    return
                if messages:
                    at = messages[-1][0]
                    yield b"".join(message for _, message in messages)
                    continue
                try:
                    await asyncio.wait_for(changed.wait(), STILL)
                except TimeoutError:
                    yield b": still here\n\n"
        finally:
            self.listeners -= 1
            if not self.listeners:
                self.stop()

    def stop(self) -> None:
        """Follow no more, until somebody listens again."""
        if self._following is not None:
            self._following.cancel()
        self._following, self._floor = None, None
        self._latest.clear()

    async def _after(self, at: int) -> list[Message]:
        """Some of the messages after a number."""
        if self._floor is not None and at >= self._floor:
            return [message for message in self._latest if message[0] > at][:AT_ONCE]
        return await self._stored(at)

    async def _stored(self, at: int) -> list[Message]:
        events: list[EventRecord] = await self._read(lambda reader: reader.events(at, AT_ONCE))
        return list(map(as_message, events))

    async def _follow(self) -> None:
        """Read what is new, twice a second."""
        last: int | None = None
        while True:
            try:
                if last is None:
                    last = self._floor = await self._read(_last_event)
                messages = await self._stored(last)
            except LagottoError:
                messages = []  # The crawl is being moved or migrated, and may come back.
            for message in messages:
                if len(self._latest) == KEPT:
                    self._floor = self._latest[0][0]
                self._latest.append(message)
            if messages:
                last = messages[-1][0]
                self._changed.set()
                self._changed = asyncio.Event()
            if len(messages) < AT_ONCE:
                await asyncio.sleep(self._look_every)
