"""One request on its way: its time limits, its byte limit, and the address it went to.

aiohttp calls an `Exchange` before it connects, when the request leaves, and for all bytes that come back.
It is a client middleware, given with each request. For the last two it reaches behind aiohttp's documented
interface: `tests/fetch/test_aiohttp.py` names all that it takes from there.
"""

from __future__ import annotations

import asyncio
import select
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

import aiohttp
from aiohttp import ClientRequest, ClientResponse
from aiohttp.client_exceptions import ClientConnectorError, ClientOSError, ServerDisconnectedError
from aiohttp.http_exceptions import HttpProcessingError, LineTooLong
from msgspec import Struct

from lagotto.base.records import Reason
from lagotto.fetch.headers import HeadCheck

if TYPE_CHECKING:
    from aiohttp.client_middlewares import ClientHandlerType
    from aiohttp.client_proto import ResponseHandler
    from aiohttp.connector import Connection

_FRAMING = 1024 * 1024
"""Bytes that status line, headers and chunk framing may take beyond the body."""


class Timeouts(Struct, frozen=True):
    """Seconds that each phase of a request may take."""

    connect: float = 10.0
    """Resolving the name, connecting, the TLS handshake."""
    headers: float = 20.0
    """From the request to the end of the response's headers."""
    idle: float = 20.0
    """Between two pieces of the body."""
    total: float = 60.0


_MAX_STALE = 64


class Disconnected(aiohttp.ClientError):
    """The server closed the connection without an answer; aiohttp must not retry."""


class StaleConnection(aiohttp.ClientError):
    """The server had closed the kept connection before the request was written to it."""


class Connections:
    """All open connections, so that idle ones can be closed when files run out."""

    def __init__(self) -> None:
        self._meters: weakref.WeakSet[_Meter] = weakref.WeakSet()

    def add(self, meter: _Meter) -> None:
        """Take in a new connection."""
        self._meters.add(meter)

    def close_idle(self) -> None:
        """Close those that no request uses."""
        for meter in list(self._meters):
            if meter.exchange is None:
                meter.transport.close()


class Exchange:
    """Watches one request from before it connects until its body is read."""

    def __init__(self, timeouts: Timeouts, connections: Connections | None = None) -> None:
        self.timeouts = timeouts
        self.connections = connections or Connections()
        self.sent_at = 0.0
        """Monotonic time at which the request left, 0 when it did not."""
        self.started_at = time.monotonic()
        self.answered_at = 0.0
        self.address = ""
        self.deadline = asyncio.timeout(min(timeouts.connect, timeouts.total))
        self.stopped: tuple[Reason, str] | None = None
        """Why we cut the answer off, if we did."""
        self.timeout_reason = Reason.TIMEOUT_CONNECT
        self.idle_reason = Reason.TIMEOUT_HEADERS
        self._meter: _Meter | None = None
        self.reused = False
        """Whether the request went over a connection that was kept from an earlier one."""
        self._end = self.started_at + timeouts.total

    async def __call__(self, request: ClientRequest, handler: ClientHandlerType) -> ClientResponse:
        """Send the request, over another connection if the kept one was closed before.

        aiohttp by itself would repeat a request at once after any lost connection. The server may have read
        it, so that this would be a second request before the host's turn. Here another connection is taken
        only if nothing had been written to the first one.
        """
        assert isinstance(request, ExchangeRequest)
        request.exchange = self
        for _ in range(_MAX_STALE):
            try:
                return await handler(request)
            except StaleConnection:
                continue
            except ClientConnectorError:
                raise
            except (ClientOSError, ServerDisconnectedError) as error:
                raise Disconnected("the server closed the connection without an answer") from error
        raise Disconnected("the server closes all kept connections")

    def sending(self, connection: Connection) -> None:
        """Count all bytes that come back over this connection; raises if it is closed already."""
        transport = connection.transport
        assert transport is not None
        protocol = transport.get_protocol()
        self.reused = isinstance(protocol, _Meter)
        if isinstance(protocol, _Meter):
            meter = protocol
            if _is_readable(transport):
                raise StaleConnection
        else:
            meter = _Meter(cast("ResponseHandler", protocol), transport)
            transport.set_protocol(meter)
            self.connections.add(meter)
        meter.left, meter.exchange, meter.head = _FRAMING, self, HeadCheck()
        self._meter = meter
        peer = transport.get_extra_info("peername")
        self.address = str(peer[0]) if peer else ""

    def sent(self) -> None:
        """The request has left."""
        self.sent_at = time.monotonic()
        headers_end = self.sent_at + self.timeouts.headers
        self._move_deadline(min(headers_end, self._end))
        self.timeout_reason = Reason.TIMEOUT_HEADERS if headers_end < self._end else Reason.TIMEOUT_TOTAL

    def answered(self, body: int) -> None:
        """The headers have come; up to `body` bytes may follow."""
        self.answered_at = time.monotonic()
        self._move_deadline(self._end)
        self.timeout_reason = Reason.TIMEOUT_TOTAL
        self.idle_reason = Reason.TIMEOUT_IDLE
        if self._meter is not None:
            self._meter.left += body

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Stop the clock while we are not ready to read more: the server is not to blame for that time."""
        began = time.monotonic()
        self._move_deadline(None)
        try:
            yield
        finally:
            self._end += time.monotonic() - began
            if self.stopped is None:
                self._move_deadline(self._end)

    def stop(self, reason: Reason, detail: str) -> None:
        """Cut the answer off, and wake the task that waits for more of it."""
        if self.stopped is None:
            self.stopped = reason, detail
            self._move_deadline(time.monotonic())

    def over(self) -> None:
        """Stop watching the connection."""
        if self._meter is not None:
            self._meter.exchange = None

    def _move_deadline(self, when: float | None) -> None:
        if not self.deadline.expired():
            self.deadline.reschedule(when)


class ExchangeRequest(ClientRequest):
    """A request that tells its exchange when it leaves, and over which connection."""

    exchange: Exchange

    async def send(self, conn: Connection) -> ClientResponse:
        """Write the request to the connection."""
        self.exchange.sending(conn)
        response = await super().send(conn)
        self.exchange.sent()
        return response


def _is_readable(transport: asyncio.Transport) -> bool:
    """Whether an idle connection has unread input: its end, or an unexpected answer."""
    fd = transport.get_extra_info("socket").fileno()
    if fd < 0:
        return True
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(0))


def _parser_error(error: HttpProcessingError) -> tuple[Reason, str]:
    large = isinstance(error.__cause__, LineTooLong) or error.message.startswith("Too many headers")
    return (Reason.TOO_LARGE, "headers too large") if large else (Reason.BAD_HTTP, error.message)


class _Meter(asyncio.Protocol):
    """Sits between a transport and aiohttp's parser; cuts off servers that send too much or malformed heads.

    The parser silently discards some bytes, such as interim responses and chunk extensions. Without a
    meter a server could send those until the time limit.
    """

    def __init__(self, inner: ResponseHandler, transport: asyncio.Transport) -> None:
        self.inner = inner
        self.left = 0
        self.exchange: Exchange | None = None
        self.head = HeadCheck()
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.left -= len(data)
        if not self.head.done and (fault := self.head.read(data)):
            self._cut_off(Reason.BAD_HTTP, fault)
        elif self.left >= 0:
            self.inner.data_received(data)
            # aiohttp does not pass on errors that it meets in the middle of a body.
            error = self.inner.exception()
            if isinstance(error, HttpProcessingError) and self.exchange:
                self.exchange.stop(*_parser_error(error))
        else:
            self._cut_off(Reason.TOO_LARGE, "more bytes than the answer is granted")

    def _cut_off(self, reason: Reason, detail: str) -> None:
        if not self.transport.is_closing():
            self.transport.abort()
            if self.exchange:
                self.exchange.stop(reason, detail)

    def eof_received(self) -> None:
        self.inner.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        self.inner.connection_lost(exc)

    def pause_writing(self) -> None:
        self.inner.pause_writing()

    def resume_writing(self) -> None:
        self.inner.resume_writing()
