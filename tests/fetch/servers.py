"""A raw server on loopback: sends exactly the bytes a test gives it, and keeps every request."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType

Script = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
Answer = bytes | Script


@dataclass
class Request:
    """One request as it arrived."""

    target: str
    headers: dict[str, str]
    at: float


@dataclass
class RawServer:
    """Answers each path with given bytes, or hands the connection to a script."""

    answers: Mapping[str, Answer] | Callable[[Request], Answer]
    address: str = "127.0.0.1"
    tls: ssl.SSLContext | None = None
    requests: list[Request] = field(default_factory=list)
    connections: int = 0
    port: int = 0

    async def __aenter__(self) -> RawServer:
        self._server = await asyncio.start_server(self._serve, self.address, self.port, ssl=self.tls)
        self.port = self._server.sockets[0].getsockname()[1]
        self._tasks: set[asyncio.Task[None]] = set()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def url(self, path: str = "/", host: str = "") -> str:
        scheme = "https" if self.tls else "http"
        return f"{scheme}://{host or self.address}:{self.port}{path}"

    @property
    def targets(self) -> list[str]:
        return [request.target for request in self.requests]

    def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.create_task(self._converse(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                answer = self._answer(head)
                if not isinstance(answer, bytes):
                    await answer(reader, writer)
                    return
                writer.write(answer)
                await writer.drain()
                if b"\r\nConnection: keep-alive\r\n" not in answer:
                    return
        except (OSError, asyncio.IncompleteReadError):
            return  # the client has gone
        finally:
            writer.close()

    def _answer(self, head: bytes) -> Answer:
        line, *fields = head.decode("latin-1").split("\r\n")
        pairs = (text.partition(":") for text in fields if text)
        request = Request(line.split()[1], {n.lower(): v.strip() for n, _, v in pairs}, time.monotonic())
        self.requests.append(request)
        if callable(self.answers):
            return self.answers(request)
        return self.answers.get(
            request.target.partition("?")[0], reply(b"nothing here", status="404 Not Found")
        )


def reply(
    body: bytes = b"<!doctype html><title>Hello</title>",
    *headers: str,
    status: str = "200 OK",
    kind: str | None = "text/html",
    keep: bool = True,
) -> bytes:
    """A well-formed response."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
    if kind is not None:
        lines.append(f"Content-Type: {kind}")
    lines.append("Connection: keep-alive" if keep else "Connection: close")
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


def raw(*lines: str, body: bytes = b"") -> bytes:
    """A response made of the given lines, right or wrong."""
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body
