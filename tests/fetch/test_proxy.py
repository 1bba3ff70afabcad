"""Fetching through a proxy: a small real one, for plain requests and for tunnels."""

from __future__ import annotations

import asyncio
import base64
import ssl
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
import trustme

from lagotto.base.errors import InputError
from lagotto.base.records import Failure, Fetched, Reason
from lagotto.fetch import Guard
from tests.fetch.conftest import MakeFetcher
from tests.fetch.servers import RawServer, reply


@dataclass
class Proxy:
    """Forwards requests and tunnels, every name to 127.0.0.1."""

    port: int = 0
    password: str = ""
    heads: list[bytes] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            self.heads.append(head)
            method, target, _ = head.split(b"\r\n")[0].decode().split()
            if self.password and base64.b64encode(self.password.encode()) not in head:
                writer.write(reply(b"who are you?", status="407 Proxy Authentication Required", keep=False))
            elif "blocked" in target:
                writer.write(reply(b"", status="403 Forbidden", keep=False))
            elif method == "CONNECT":
                port = int(target.rpartition(":")[2])
                await self._tunnel(reader, writer, port, b"HTTP/1.1 200 Connected\r\n\r\n", b"")
            else:
                authority, _, path = target.removeprefix("http://").partition("/")
                forwarded = head.replace(target.encode(), b"/" + path.encode(), 1)
                await self._tunnel(reader, writer, int(authority.rpartition(":")[2]), b"", forwarded)
        except (OSError, asyncio.IncompleteReadError):
            return
        finally:
            writer.close()

    async def _tunnel(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int, back: bytes, forth: bytes
    ) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(back)
        far_writer.write(forth)
        try:
            await asyncio.gather(self._pump(reader, far_writer), self._pump(far_reader, writer))
        finally:
            far_writer.close()

    @staticmethod
    async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while chunk := await reader.read(65536):
                writer.write(chunk)
                await writer.drain()
        except OSError:
            return
        finally:
            writer.close()


@pytest.fixture
async def proxy() -> AsyncIterator[Proxy]:
    proxy = Proxy()
    tasks: set[asyncio.Task[None]] = set()
    server = await asyncio.start_server(
        lambda reader, writer: tasks.add(asyncio.create_task(proxy.serve(reader, writer))), "127.0.0.1", 0
    )
    proxy.port = server.sockets[0].getsockname()[1]
    yield proxy
    server.close()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_plain_requests_are_forwarded_by_name(make_fetcher: MakeFetcher, proxy: Proxy) -> None:
    async with RawServer({"/page": reply()}) as server:
        fetcher = make_fetcher(guard=Guard(), proxy=proxy.url)
        answer = await fetcher.fetch(server.url("/page", host="example.org"))
    assert isinstance(answer, Fetched)
    assert proxy.heads[0].startswith(b"GET http://example.org:")
    assert answer.address == ""
    assert await fetcher.address("example.org") == ""


async def test_https_goes_through_a_tunnel(make_fetcher: MakeFetcher, proxy: Proxy) -> None:
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("example.org").configure_cert(context)
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    async with RawServer({"/page": reply()}, tls=context) as server:
        fetcher = make_fetcher(guard=Guard(), proxy=proxy.url, verify_tls=trusting)
        answer = await fetcher.fetch(server.url("/page", host="example.org"))
        wrong = await fetcher.fetch(server.url("/page", host="other.org"))
    assert isinstance(answer, Fetched)
    assert proxy.heads[0].startswith(b"CONNECT example.org:")
    assert isinstance(wrong, Failure)
    assert wrong.reason is Reason.TLS


async def test_literal_private_addresses_are_refused_behind_a_proxy_too(
    make_fetcher: MakeFetcher, proxy: Proxy
) -> None:
    fetcher = make_fetcher(guard=Guard(), proxy=proxy.url)
    for url in ("http://127.0.0.1/", "http://[::1]/", "https://169.254.169.254/", "http://10.0.0.1:8080/"):
        failure = await fetcher.fetch(url)
        assert isinstance(failure, Failure)
        assert failure.reason is Reason.ADDRESS
    assert proxy.heads == []


@pytest.mark.parametrize("host", [".", "a..b", ".example.org", "x" * 64 + ".org", "a." * 130 + "org"])
async def test_names_that_no_certificate_could_carry(
    make_fetcher: MakeFetcher, proxy: Proxy, host: str
) -> None:
    failure = await make_fetcher(guard=Guard(), proxy=proxy.url).fetch(f"https://{host}/")
    assert isinstance(failure, Failure)
    assert failure.reason is Reason.SCHEME
    assert proxy.heads == []


async def test_robots_txt_comes_through_the_proxy(make_fetcher: MakeFetcher, proxy: Proxy) -> None:
    rules = reply(b"User-agent: *\nDisallow: /x", kind="text/plain")
    async with RawServer({"/robots.txt": rules}) as server:
        fetcher = make_fetcher(guard=Guard(), proxy=proxy.url)
        url = server.url("/x", host="example.org")
        sent_at = await fetcher.fetch_robots(url)
        assert isinstance(sent_at, float)
        assert sent_at > 0
        assert fetcher.refusal(url) is not None


async def test_a_proxy_with_a_password(make_fetcher: MakeFetcher, proxy: Proxy) -> None:
    proxy.password = "me:secret"
    async with RawServer({"/": reply()}) as server:
        url = server.url("/", host="example.org")
        refused = await make_fetcher(guard=Guard(), proxy=proxy.url).fetch(url)
        welcome = make_fetcher(guard=Guard(), proxy=proxy.url.replace("//", "//me:secret@"))
        answer = await welcome.fetch(url)
    assert isinstance(refused, Failure)
    assert refused.reason is Reason.PROXY
    assert isinstance(answer, Fetched)
    assert not any("proxy" in name.lower() for name, _ in answer.request_headers)


async def test_proxies_that_fail(make_fetcher: MakeFetcher, proxy: Proxy) -> None:
    blocked = await make_fetcher(guard=Guard(), proxy=proxy.url).fetch("https://blocked.example.org/")
    nobody = await make_fetcher(guard=Guard(), proxy="http://127.0.0.1:1").fetch("http://example.org/")

    async def unknown(host: str) -> list[str]:
        raise OSError("no such name")

    nameless = await make_fetcher(guard=Guard(), proxy="http://proxy.test:1", lookup=unknown).fetch(
        "http://a.org/"
    )
    for failure in (blocked, nobody, nameless):
        assert isinstance(failure, Failure)
        assert failure.reason is Reason.PROXY
        assert failure.sent_at == 0.0


@pytest.mark.parametrize("text", ["socks5://127.0.0.1:1", "127.0.0.1:8080", "nonsense"])
def test_a_proxy_that_cannot_be_used_is_an_input_error(make_fetcher: MakeFetcher, text: str) -> None:
    with pytest.raises(InputError):
        make_fetcher(proxy=text)
