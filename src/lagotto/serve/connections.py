"""Connections that must send their requests in time, so that half-sent ones keep nobody out."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS: Final = 10.0
"""Seconds from the first byte of a request, or from the beginning of the connection, to the last header."""
BODY_SECONDS: Final = 60.0
"""Seconds from the headers of a request to the end of its body."""
MOST_UNFINISHED: Final = 200
"""Connections without a whole request; one more, and the oldest of them is closed."""


class TimedConnection(H11Protocol):
    """Closes the connection if a request does not come in time."""

    head_seconds = HEAD_SECONDS
    body_seconds = BODY_SECONDS

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._timer: asyncio.TimerHandle | None = None
        self._awaited: object = None
        """What the timer waits for: the state of the client, as h11 has it."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._wait_for(h11.IDLE)

    def data_received(self, data: bytes) -> None:
        """Take in what the client has sent; wait for the rest of it."""
        if self._timer is None and self.conn.their_state is h11.IDLE:
            self._wait_for(h11.IDLE)
        super().data_received(data)
        state = self.conn.their_state
        if state is not self._awaited:
            self._wait_for(state if state is h11.SEND_BODY else None)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._wait_for(None)
        super().connection_lost(exc)

    def _wait_for(self, state: object) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._awaited = state
        unfinished: dict[TimedConnection, None] = vars(self.server_state).setdefault("unfinished", {})
        unfinished.pop(self, None)
        if state is None:
            return
        seconds = self.head_seconds if state is h11.IDLE else self.body_seconds
        self._timer = self.loop.call_later(seconds, self._close)
        unfinished[self] = None
        if len(unfinished) > MOST_UNFINISHED:
            next(iter(unfinished))._close()

    def _close(self) -> None:
        self._wait_for(None)
        self.transport.abort()
