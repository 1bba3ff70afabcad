"""One request on its way: its clock, its byte budget, and where it went.

aiohttp calls an `Exchange` at the points that matter: before it connects, when the request leaves,
and for every byte that comes back. It is written as a client middleware, given with each request.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import aiohttp
from aiohttp import ClientRequest, ClientResponse
from aiohttp.client_exceptions import ClientConnectorError, ClientOSError, ServerDisconnectedError
from aiohttp.http_exceptions import HttpProcessingError, LineTooLong
from msgspec import Struct

from lagotto.records import Reason

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


class Disconnected(aiohttp.ClientError):
    """The server closed the connection without an answer; not to be retried by aiohttp."""


class Exchange:
    """Watches one request from before it connects until its body is read."""

    def __init__(self, timeouts: Timeouts) -> None:
        self.timeouts = timeouts
        self.sent_at = 0.0
        """Monotonic time at which the request left, 0 when it did not."""
        self.answered_at = 0.0
        self.address = ""
        self.deadline = asyncio.timeout(min(timeouts.connect, timeouts.total))
        self.stopped: tuple[Reason, str] | None = None
        """Why the answer was cut off by us, if it was."""
        self.timeout_reason = Reason.TIMEOUT_CONNECT
        self.idle_reason = Reason.TIMEOUT_HEADERS
        self._meter: _Meter | None = None
        self._reused = False
        self._end = time.monotonic() + timeouts.total

    async def __call__(self, request: ClientRequest, handler: ClientHandlerType) -> ClientResponse:
        """Send the request; once more if an idle connection turned out to be closed.

        aiohttp by itself would ask a second time after any lost connection, at once and unseen by
        politeness. A connection kept from an earlier request may have been closed while this one
        was on its way, unread; only then is a second try no second request to the server.
        """
        assert isinstance(request, ExchangeRequest)
        request.exchange = self
        retried = False
        while True:
            try:
                return await handler(request)
            except ClientConnectorError:
                raise
            except (ClientOSError, ServerDisconnectedError) as error:
                if retried or self.stopped or not self._reused:
                    raise Disconnected("the server closed the connection without an answer") from error
                retried = True

    def sending(self, connection: Connection) -> None:
        """The connection stands; everything that comes back over it is metered from here."""
        transport = connection.transport
        assert transport is not None
        meter = transport.get_protocol()
        self._reused = isinstance(meter, _Meter)
        if not isinstance(meter, _Meter):
            assert connection.protocol is not None
            meter = _Meter(connection.protocol, transport)
            transport.set_protocol(meter)
        meter.left, meter.exchange = _FRAMING, self
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
        """The headers are here; up to `body` bytes may follow."""
        self.answered_at = time.monotonic()
        self._move_deadline(self._end)
        self.timeout_reason = Reason.TIMEOUT_TOTAL
        self.idle_reason = Reason.TIMEOUT_IDLE
        if self._meter is not None:
            self._meter.left += body

    def stop(self, reason: Reason, detail: str) -> None:
        """End the exchange from below; whoever waits for more of the answer is woken."""
        if self.stopped is None:
            self.stopped = reason, detail
            self._move_deadline(time.monotonic())

    def over(self) -> None:
        """What comes over the connection from here on is not this exchange's business."""
        if self._meter is not None:
            self._meter.exchange = None

    def _move_deadline(self, when: float) -> None:
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


def _parser_error(error: HttpProcessingError) -> tuple[Reason, str]:
    large = isinstance(error.__cause__, LineTooLong) or error.message.startswith("Too many headers")
    return (Reason.TOO_LARGE, "headers too large") if large else (Reason.BAD_HTTP, error.message)


class _Meter(asyncio.Protocol):
    """Stands between a transport and aiohttp's parser and cuts off a server that sends too much.

    The parser discards some bytes without telling anyone, such as interim responses and chunk
    extensions; without a meter a server could send those for as long as the timeouts let it.
    """

    def __init__(self, inner: ResponseHandler, transport: asyncio.Transport) -> None:
        self.inner = inner
        self.left = 0
        self.exchange: Exchange | None = None
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self.left -= len(data)
        if self.left >= 0:
            self.inner.data_received(data)
            # aiohttp does not pass on errors that it meets in the middle of a body.
            error = self.inner.exception()
            if isinstance(error, HttpProcessingError) and self.exchange:
                self.exchange.stop(*_parser_error(error))
        elif not self._transport.is_closing():
            self._transport.abort()
            if self.exchange:
                self.exchange.stop(Reason.TOO_LARGE, "more bytes than the answer is granted")

    def eof_received(self) -> None:
        self.inner.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        self.inner.connection_lost(exc)

    def pause_writing(self) -> None:
        self.inner.pause_writing()

    def resume_writing(self) -> None:
        self.inner.resume_writing()
