"""Half-sent requests: they are closed in time, and keep nobody out meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import uvicorn

from lagotto.serve.access import Receive, Scope, Send
from lagotto.serve.connections import MOST_UNFINISHED, TimedConnection
from lagotto.serve.running import MOST_CONNECTIONS, listen

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
WHOLE = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


async def hello(scope: Scope, receive: Receive, send: Send) -> None:
    """Read the request, and answer."""
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]})
    await send({"type": "http.response.body", "body": b"hello"})


@asynccontextmanager
async def serving(kind: type[TimedConnection]) -> AsyncIterator[int]:
    """A server with these connections; gives its port."""
    config = uvicorn.Config(
        hello, http=kind, log_level="critical", lifespan="off", limit_concurrency=MOST_CONNECTIONS
    )
    server = uvicorn.Server(config)
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    with listen("127.0.0.1", 0) as listening:
        task = asyncio.create_task(server.serve(sockets=[listening]))
        while not server.started:
            await asyncio.sleep(0)
        try:
            yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            await task


async def opened(port: int, begin: bytes) -> Streams:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(begin)
    await writer.drain()
    return reader, writer


async def asked(port: int) -> bytes:
    reader, writer = await opened(port, WHOLE)
    try:
        return await asyncio.wait_for(reader.read(), 30)
    finally:
        writer.close()


@pytest.mark.parametrize(
    "begin",
    [
        b"",
        b"GET / HTT",
        b"GET / HTTP/1.1\r\nHost: localhost\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf",
        WHOLE.replace(b"close", b"keep-alive") + b"GET / HT",
    ],
)
async def test_a_half_sent_request_is_closed_in_time(begin: bytes) -> None:
    class Hasty(TimedConnection):
        head_seconds = body_seconds = 0.2

    async with serving(Hasty) as port:
        reader, writer = await opened(port, begin)
        with contextlib.suppress(ConnectionResetError):
            await asyncio.wait_for(reader.read(), 30)
        writer.close()
        assert await asked(port)


async def test_half_sent_requests_keep_nobody_out() -> None:
    async with serving(TimedConnection) as port:
        held = [await opened(port, b"GET / HTTP/1.1\r\nHost: ") for _ in range(MOST_CONNECTIONS + 20)]
        assert (await asked(port)).startswith(b"HTTP/1.1 200")
        for _, writer in held:
            writer.close()
        assert MOST_UNFINISHED < MOST_CONNECTIONS
