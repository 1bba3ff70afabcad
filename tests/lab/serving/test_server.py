"""Serving a web over real HTTP: proxy and Host, spellings, robots, errors, latency, logs."""

from __future__ import annotations

import asyncio
import gzip
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Iterator
from pathlib import Path

import aiohttp
import pytest

from lagotto.base.errors import InputError
from lagotto.lab.serving.answers import RequestLog, read_log
from lagotto.lab.serving.server import WebServer, parse_request, serve
from lagotto.lab.webs.freezing import WebWriter
from lagotto.lab.webs.web import FrozenWeb

HOME = b'<a href="https://b.example/">b</a> ' + b"plain words " * 100


@pytest.fixture
def web(tmp_path: Path) -> Iterator[FrozenWeb]:
    with WebWriter(tmp_path / "a.web") as writer:
        writer.add("http://a.example/index.html", HOME)
        writer.add("http://a.example/f(x).html?q=1", b"short")
        writer.add("http://b.example/", b"\xe9" * 300, "text/html; charset=iso-8859-1")
        writer.add_robots("b.example", "User-agent: *\nDisallow: /private/\n")
        writer.add_redirect("http://a.example/old", "https://b.example/")
    with FrozenWeb.open(tmp_path / "a.web") as web:
        yield web


async def get(server: WebServer, url: str) -> tuple[int, bytes]:
    async with aiohttp.ClientSession() as session, session.get(url, proxy=server.proxy) as response:
        return response.status, await response.read()


async def timed(asking: Awaitable[object]) -> float:
    """When the answer had come."""
    await asking
    return time.monotonic()


async def raw(server: WebServer, request: bytes) -> bytes:
    """All that the server says to some bytes before it closes the connection."""
    reader, writer = await asyncio.open_connection(server.address, server.port)
    writer.write(request)
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return answer


@pytest.mark.parametrize(
    "url", ["http://a.example/", "http://a.example/index.html", "http://A.example:80/#x"]
)
async def test_proxy_gives_the_page_with_plain_links(web: FrozenWeb, url: str) -> None:
    async with WebServer(web) as server:
        assert await get(server, url) == (200, HOME.replace(b"https:", b"http:"))


async def test_host_based_requests(web: FrozenWeb) -> None:
    async with WebServer(web) as server, aiohttp.ClientSession() as session:
        for host in ("a.example", f"a.example:{server.port}"):
            async with session.get(f"{server.proxy}/f%28x%29.html?q=1", headers={"Host": host}) as response:
                assert await response.read() == b"short"


async def test_answers_are_packed_only_for_those_who_unpack(web: FrozenWeb) -> None:
    async with WebServer(web) as server, WebServer(web, gzip=False) as plain_server:
        asked = b"GET http://b.example/ HTTP/1.1\r\nConnection: close\r\n"
        head, _, body = (await raw(server, asked + b"Accept-Encoding: br, gzip\r\n\r\n")).partition(
            b"\r\n\r\n"
        )
        assert b"Content-Encoding: gzip" in head
        assert b"Content-Type: text/html; charset=iso-8859-1" in head
        assert gzip.decompress(body) == b"\xe9" * 300
        for one, accepted in ((server, b""), (plain_server, b"Accept-Encoding: gzip\r\n")):
            head, _, body = (await raw(one, asked + accepted + b"\r\n")).partition(b"\r\n\r\n")
            assert b"Content-Encoding" not in head
            assert body == b"\xe9" * 300


async def test_redirects_robots_and_what_is_not_there(web: FrozenWeb) -> None:
    async with WebServer(web) as server, aiohttp.ClientSession() as session:
        async with session.get("http://a.example/old", proxy=server.proxy, allow_redirects=False) as response:
            assert (response.status, response.headers["Location"]) == (301, "http://b.example/")
        assert (await get(server, "http://b.example/robots.txt"))[1].startswith(b"User-agent: *")
        assert (await get(server, "http://a.example/robots.txt"))[0] == 404
        assert (await get(server, "http://a.example/none"))[0] == 404


async def test_robots_of_the_one_who_serves_replaces_the_webs_own(web: FrozenWeb) -> None:
    async with WebServer(web, robots={"a.example": "given"}) as server:
        assert await get(server, "http://a.example/robots.txt") == (200, b"given")
        assert (await get(server, "http://b.example/robots.txt"))[0] == 404
    async with WebServer(web, robots="for all") as server:
        assert await get(server, "http://b.example/robots.txt") == (200, b"for all")


async def test_requests_on_one_connection_are_answered_in_order(web: FrozenWeb) -> None:
    asked = [
        b"GET http://a.example/f(x).html?q=1 HTTP/1.1\r\n\r\n",
        b"HEAD http://b.example/ HTTP/1.1\r\n\r\n",
        b"GET http://a.example/none HTTP/1.1\r\nConnection: close\r\n\r\n",
    ]
    async with WebServer(web, latency=0.01) as server:
        answer = await raw(server, b"".join(asked))
    assert answer.index(b"short") < answer.index(b"Content-Length: 300") < answer.index(b" 404 ")
    assert b"\xe9" not in answer


async def test_a_request_in_pieces(web: FrozenWeb) -> None:
    async with WebServer(web) as server:
        reader, writer = await asyncio.open_connection(server.address, server.port)
        for byte in b"GET http://a.example/f(x).html?q=1 HTTP/1.0\r\n\r\n":
            writer.write(bytes([byte]))
            await writer.drain()
        assert (await reader.read()).endswith(b"short")
        writer.close()


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        (b"CONNECT a.example:443 HTTP/1.1\r\n\r\n", b"405 Method Not Allowed"),
        (b"POST http://a.example/ HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", b"405 "),
        (b"GARBAGE\r\n\r\n", b"400 "),
        (b"GET /a\tb HTTP/1.1\r\nHost: a.example\r\n\r\n", b"400 "),
        (b"GET / HTTP/1.1\r\nX: " + b"x" * 40_000, b"431 "),
        (b"GET http://[::1/ HTTP/1.1\r\nConnection: close\r\n\r\n", b"404 "),
        (b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", b"400 "),
    ],
)
async def test_what_is_refused(web: FrozenWeb, asked: bytes, status: bytes) -> None:
    async with WebServer(web) as server:
        assert (await raw(server, asked)).startswith(b"HTTP/1.1 " + status)


async def test_errors_come_at_their_rate_and_the_same_again(web: FrozenWeb) -> None:
    urls = [f"http://c.example/{number}" for number in range(200)]

    async def statuses(seed: int, asked: list[str]) -> list[int]:
        async with WebServer(web, error_rate=0.3, error_status=500, seed=seed) as server:
            return [(await get(server, url))[0] for url in asked]

    first = await statuses(1, urls)
    assert set(first) == {404, 500}
    assert 30 < first.count(500) < 90
    assert (await statuses(1, urls[::-1]))[::-1] == first
    assert await statuses(2, urls) != first


async def test_an_error_may_pass_on_the_next_try(web: FrozenWeb) -> None:
    async with WebServer(web, error_rate=0.5) as server:
        seen = {(await get(server, "http://b.example/"))[0] for _ in range(40)}
        assert seen == {200, 503}


async def test_latency_delays_each_answer_but_not_other_connections(web: FrozenWeb) -> None:
    async with WebServer(web, latency=0.5) as server:
        began = time.monotonic()
        answered = await asyncio.gather(*(timed(get(server, "http://b.example/")) for _ in range(40)))
    assert min(answered) >= began + 0.5
    # One after the other, a single one would have been asked for before the first was answered.
    assert sum(entry.time < min(answered) for entry in server.log) > 1


async def test_the_log_in_memory(web: FrozenWeb) -> None:
    began = time.monotonic()
    async with WebServer(web) as server:
        await get(server, "http://a.example/f(x).html?q=1")
        await get(server, "http://b.example/none")
    assert [entry[1:] for entry in server.log] == [
        ("a.example", "/f(x).html?q=1", 200),
        ("b.example", "/none", 404),
    ]
    times = [entry.time for entry in server.log]
    assert began <= times[0] <= times[1] <= time.monotonic()
    assert [entry.url for entry in server.log][1] == "http://b.example/none"


async def test_the_log_in_a_file_is_appended_to(web: FrozenWeb, tmp_path: Path) -> None:
    for _ in range(2):
        async with WebServer(web, log_path=tmp_path / "log") as server:
            await get(server, "http://b.example/")
            assert len(server.log) == len(list(read_log(tmp_path / "log")))
    assert [entry.status for entry in read_log(tmp_path / "log")] == [200, 200]


def test_a_line_still_being_written_is_left_out(tmp_path: Path) -> None:
    log = RequestLog(tmp_path / "log")
    log.add("a.example", "/", 200)
    log.close()
    with (tmp_path / "log").open("a") as file:
        file.write("12.5\ta.exam")
    assert len(list(read_log(tmp_path / "log"))) == 1


def test_refused_settings(web: FrozenWeb) -> None:
    with pytest.raises(InputError, match="loopback only"):
        WebServer(web, address="0.0.0.0")
    with pytest.raises(InputError, match="loopback only"):
        WebServer(web, address="elsewhere")
    with pytest.raises(InputError, match="between 0 and 1"):
        WebServer(web, error_rate=2)
    with pytest.raises(InputError, match="not an HTTP status"):
        WebServer(web, error_status=7)
    with pytest.raises(InputError, match="latency"):
        WebServer(web, latency=-1)


async def test_a_taken_port_is_told(web: FrozenWeb) -> None:
    async with WebServer(web) as server:
        with pytest.raises(InputError, match="choose another port"):
            await WebServer(web, port=server.port).__aenter__()


def test_hosts_and_paths_of_requests() -> None:
    def target(head: bytes) -> tuple[str, str] | None:
        request = parse_request(head)
        return None if request is None else (request.host, request.path)

    assert target(b"GET /a?b HTTP/1.1\r\nHost: A.example:80") == ("a.example", "/a?b")
    assert target(b"GET HTTP://A.example HTTP/1.1\r\nHost: x") == ("a.example", "/")
    assert target(b"GET https://a.example/B HTTP/1.1") == ("a.example", "/B")
    assert target(b"GET / HTTP/2") is None


def test_serving_until_interrupted_keeps_no_requests_in_memory(web: FrozenWeb) -> None:
    servers: list[WebServer] = []
    asking: list[asyncio.Task[None]] = []

    async def ask(server: WebServer) -> None:
        try:
            assert (await get(server, "http://b.example/"))[0] == 200
        finally:
            signal.raise_signal(signal.SIGTERM)

    def ready(server: WebServer) -> None:
        servers.append(server)
        asking.append(asyncio.get_running_loop().create_task(ask(server)))

    serve(web, 0, ready=ready)
    asking[0].result()
    assert len(servers[0].log) == 0


def test_serving_from_a_process_of_its_own(web: FrozenWeb, tmp_path: Path) -> None:
    script = (
        "from lagotto.lab.serving.server import serve; from lagotto.lab.webs.web import FrozenWeb; "
        f"serve(FrozenWeb.open({str(web.path)!r}), 0, log_path={str(tmp_path / 'log')!r}, "
        "ready=lambda server: print(server.port, flush=True))"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())

        async def ask() -> int:
            async with (
                aiohttp.ClientSession() as session,
                session.get("http://b.example/", proxy=f"http://127.0.0.1:{port}") as response,
            ):
                return response.status

        assert asyncio.run(ask()) == 200
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 0
    assert [entry.host for entry in read_log(tmp_path / "log")] == ["b.example"]
