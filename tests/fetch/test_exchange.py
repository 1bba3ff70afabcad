"""Connections: reused, never asked twice unseen, and counted from when the request left."""

from __future__ import annotations

import asyncio
import socket
import threading
import time

from lagotto.base.records import Failure, Fetched, Reason
from tests.fetch.conftest import MakeFetcher
from tests.fetch.servers import RawServer, reply


async def test_connections_are_reused_after_whole_bodies(make_fetcher: MakeFetcher) -> None:
    fetcher = make_fetcher()
    async with RawServer({"/": reply(), "/gone": reply(b"x", status="404 No")}) as server:
        for path in ("/", "/gone", "/", "/"):
            assert isinstance(await fetcher.fetch(server.url(path)), Fetched)
    assert server.connections == 1
    assert len(server.requests) == 4


async def test_connections_are_not_reused_after_a_refused_or_broken_body(make_fetcher: MakeFetcher) -> None:
    fetcher = make_fetcher()
    png = reply(b"\x89PNG\r\n\x1a\n" + b"\x00" * 5_000_000)
    async with RawServer({"/": reply(), "/png": png}) as server:
        for path in ("/png", "/png", "/"):
            await fetcher.fetch(server.url(path))
    assert server.connections == 3


async def test_a_lost_fresh_connection_is_not_tried_again(make_fetcher: MakeFetcher) -> None:
    async with RawServer({"/": b""}) as server:
        failure = await make_fetcher().fetch(server.url("/"))
    assert isinstance(failure, Failure)
    assert failure.reason is Reason.RESET
    assert len(server.requests) == 1


async def test_a_request_that_the_server_had_read_is_not_repeated_at_once(make_fetcher: MakeFetcher) -> None:
    """The server closes each connection when a second request arrives on it, unanswered."""
    read = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal read
        try:
            await reader.readuntil(b"\r\n\r\n")
            read += 1
            writer.write(reply())
            await reader.readuntil(b"\r\n\r\n")
            read += 1
        except asyncio.IncompleteReadError:
            return
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    fetcher = make_fetcher()
    try:
        assert isinstance(await fetcher.fetch(url), Fetched)
        failure = await fetcher.fetch(url)
        assert read == 2
        assert isinstance(failure, Failure)
        assert (failure.reason, failure.again, failure.sent_at > 0) == (Reason.RESET, True, True)
        assert isinstance(await fetcher.fetch(url), Fetched)
    finally:
        server.close()


async def test_a_kept_connection_that_was_closed_before_is_replaced(make_fetcher: MakeFetcher) -> None:
    """The end of the connection has arrived here, but the event loop has not seen it yet."""
    listener = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
    close = threading.Event()
    read: list[bytes] = []

    def serve() -> None:
        for number in range(2):
            connection, _ = listener.accept()
            with connection:
                read.append(connection.recv(65536))
                connection.sendall(reply())
                if number == 0:
                    close.wait(20)

    def close_first() -> None:
        close.set()
        time.sleep(0.2)  # Blocks the event loop, so that it does not see the end of the connection.

    threading.Thread(target=serve, daemon=True).start()
    fetcher = make_fetcher()
    assert isinstance(await fetcher.fetch(url), Fetched)
    close_first()
    assert isinstance(await fetcher.fetch(url), Fetched)
    assert len(read) == 2
    listener.close()


async def test_the_sending_time_is_when_the_request_left(make_fetcher: MakeFetcher) -> None:
    async def slow_lookup(host: str) -> list[str]:
        await asyncio.sleep(0.3)
        return ["127.0.0.1"]

    async with RawServer({"/": reply()}) as server:
        start = time.monotonic()
        answer = await make_fetcher(lookup=slow_lookup).fetch(server.url("/", host="slow.test"))
    assert isinstance(answer, Fetched)
    assert answer.sent_at >= start + 0.3


async def test_one_connection_a_host_by_default(make_fetcher: MakeFetcher) -> None:
    fetcher = make_fetcher()
    async with RawServer({"/": reply()}) as server:
        await asyncio.gather(*(fetcher.fetch(server.url("/")) for _ in range(10)))
    assert server.connections == 1
    assert len(server.requests) == 10


async def test_a_cancelled_fetch_leaves_nothing_behind(make_fetcher: MakeFetcher) -> None:
    async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(60)

    fetcher = make_fetcher()
    async with RawServer({"/hang": hang, "/": reply()}) as server:
        task = asyncio.create_task(fetcher.fetch(server.url("/hang")))
        await asyncio.sleep(0.1)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert task.cancelled()
        assert isinstance(await fetcher.fetch(server.url("/")), Fetched)
