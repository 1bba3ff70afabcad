"""Serving a web over real HTTP on loopback, as a forward proxy and as a server that uses the Host header.

HTTP is implemented directly on asyncio, for GET and HEAD only: the server must be faster than any crawler
that it serves.
"""

from __future__ import annotations

import asyncio
import ipaddress
import signal
from collections.abc import Callable, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple, cast

from lagotto.base.errors import InputError
from lagotto.lab.serving.answers import Answer, Answers, RequestLog, text_answer
from lagotto.lab.webs.web import Web

MAX_HEAD = 32 << 10
LOOPBACK = "127.0.0.1"
_STATUS_LINES = {status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n" for status in HTTPStatus}


class Request(NamedTuple):
    """The used parts of a request."""

    method: str
    host: str
    path: str
    keep_alive: bool
    accepts_gzip: bool
    has_body: bool


def parse_request(head: bytes) -> Request | None:
    """Parse a request's head, with a target in origin or absolute form; None if it is malformed."""
    first, *lines = head.decode("utf-8", "replace").split("\r\n")
    words = first.split(" ")
    if len(words) != 3 or not words[2].startswith("HTTP/1.") or not first.isprintable():
        return None
    method, target, version = words
    fields: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(":")
        fields[name.lower()] = value.strip().lower()
    host, path = fields.get("host", ""), target
    if not host.isprintable():
        return None
    if target[:4].lower() == "http":
        authority, _, rest = target.partition("://")[2].partition("/")
        host, path = authority.lower(), "/" + rest
    connection = fields.get("connection", "")
    return Request(
        method=method,
        host=host.removesuffix(":80"),
        path=path,
        keep_alive="close" not in connection and (version != "HTTP/1.0" or "keep-alive" in connection),
        accepts_gzip="gzip" in fields.get("accept-encoding", ""),
        has_body=fields.get("content-length", "0") != "0" or "transfer-encoding" in fields,
    )


class WebServer:
    """Serves a web while its `async with` block runs."""

    def __init__(
        self,
        web: Web,
        *,
        port: int = 0,
        address: str = LOOPBACK,
        latency: float = 0.0,
        error_rate: float = 0.0,
        error_status: int = 503,
        seed: int = 0,
        robots: str | Mapping[str, str] | None = None,
        gzip: bool = True,
        log_path: str | Path | None = None,
        keep_log: bool = True,
    ) -> None:
        """Only the web is required.

        `robots` replaces the web's own robots.txt: one text for all hosts, or host -> text, where
        other hosts have none. `latency` is in seconds. Port 0 means any free one.
        Requests are logged in memory, in the file `log_path`, or, without `keep_log`, in that file only.
        """
        if not _is_loopback(address):
            raise InputError(f"a web is served on loopback only, not on {address}; use {LOOPBACK}")
        if latency < 0:
            raise InputError(f"the latency must be 0 or more seconds, not {latency}")
        self.answers = Answers(
            web, robots=robots, error_rate=error_rate, error_status=error_status, seed=seed, gzip=gzip
        )
        self.address = address
        self.port = port
        self.latency = latency
        self.log = RequestLog(log_path, keep=keep_log)
        self.connections: set[asyncio.Transport] = set()
        self._server: asyncio.Server | None = None

    @property
    def proxy(self) -> str:
        """The server's URL, to be used as a crawler's proxy."""
        host = f"[{self.address}]" if ":" in self.address else self.address
        return f"http://{host}:{self.port}"

    async def __aenter__(self) -> WebServer:
        loop = asyncio.get_running_loop()
        try:
            self._server = await loop.create_server(
                lambda: _Connection(self), self.address, self.port, backlog=1024
            )
        except (OSError, OverflowError) as error:
            why = error.strerror if isinstance(error, OSError) else "there is no such port"
            raise InputError(f"cannot serve on port {self.port}: {why}; choose another port") from error
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for transport in list(self.connections):
            transport.abort()
        await self._server.wait_closed()
        self.log.close()

    def answer(self, request: Request) -> Answer:
        """Answer a request and log it."""
        host = request.host.removesuffix(f":{self.port}")
        if request.method in ("GET", "HEAD"):
            answer = self.answers.answer(host, request.path, request.accepts_gzip)
        else:
            answer = text_answer(405, "only GET and HEAD of http:// URLs; this proxy does no CONNECT")
        self.log.add(host, request.path, answer.status)
        return answer


class _Connection(asyncio.Protocol):
    """One client; its requests are answered in order, each after the latency."""

    def __init__(self, server: WebServer) -> None:
        self._server = server
        self._loop = asyncio.get_running_loop()
        self._received = bytearray()
        self._busy = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._server.connections.add(self._transport)

    def connection_lost(self, error: Exception | None) -> None:
        self._server.connections.discard(self._transport)

    def data_received(self, received: bytes) -> None:
        self._received += received
        self._next_request()

    def pause_writing(self) -> None:
        self._busy = True

    def resume_writing(self) -> None:
        self._busy = False
        self._next_request()

    def _next_request(self) -> None:
        while not self._busy and not self._transport.is_closing():
            end = self._received.find(b"\r\n\r\n")
            if end < 0:
                if len(self._received) > MAX_HEAD:
                    self._send(text_answer(431, "the request's head is too large"), False, True)
                return
            request = parse_request(bytes(self._received[:end]))
            del self._received[: end + 4]
            self._answer(request)

    def _answer(self, request: Request | None) -> None:
        if request is None:
            self._send(text_answer(400, "not an HTTP/1.1 request"), False, True)
            return
        answer = self._server.answer(request)
        keep_alive = request.keep_alive and not request.has_body and answer.status != 405
        with_body = request.method != "HEAD"
        if self._server.latency:
            self._busy = True
            self._loop.call_later(self._server.latency, self._send_late, answer, keep_alive, with_body)
        else:
            self._send(answer, keep_alive, with_body)

    def _send_late(self, answer: Answer, keep_alive: bool, with_body: bool) -> None:
        self._busy = False
        if not self._transport.is_closing():
            self._send(answer, keep_alive, with_body)
            self._next_request()

    def _send(self, answer: Answer, keep_alive: bool, with_body: bool) -> None:
        head = [_STATUS_LINES[answer.status]]
        head += [f"{name}: {value}\r\n" for name, value in answer.headers]
        head.append(f"Content-Length: {len(answer.body)}\r\n")
        head.append("Connection: keep-alive\r\n\r\n" if keep_alive else "Connection: close\r\n\r\n")
        self._transport.write("".join(head).encode() + (answer.body if with_body else b""))
        if not keep_alive:
            self._transport.close()


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def serve(
    web: Web,
    port: int,
    *,
    latency: float = 0.0,
    error_rate: float = 0.0,
    seed: int = 0,
    robots: str | Mapping[str, str] | None = None,
    gzip: bool = True,
    log_path: str | Path | None = None,
    ready: Callable[[WebServer], None] | None = None,
) -> None:
    """Serve a web until the process is interrupted; `ready` is called when the server is listening.

    Requests are logged only to a file, since it may run for days.
    """
    server = WebServer(
        web,
        port=port,
        latency=latency,
        error_rate=error_rate,
        seed=seed,
        robots=robots,
        gzip=gzip,
        log_path=log_path,
        keep_log=False,
    )
    asyncio.run(_serve_until_stopped(server, ready))


async def _serve_until_stopped(server: WebServer, ready: Callable[[WebServer], None] | None) -> None:
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with server:
        if ready is not None:
            ready(server)
        await stopped.wait()
