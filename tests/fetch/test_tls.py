"""TLS: good certificates pass, bad ones are a reason, and the user may accept them."""

from __future__ import annotations

import asyncio
import datetime
import ssl

import pytest
import trustme

from lagotto.base.records import Failure, Fetched, Reason
from lagotto.fetch import Timeouts
from tests.fetch.conftest import MakeFetcher
from tests.fetch.servers import RawServer, reply

AUTHORITY = trustme.CA()


async def here(host: str) -> list[str]:
    return ["127.0.0.1"]


def server_context(*names: str, expired: bool = False, authority: trustme.CA = AUTHORITY) -> ssl.SSLContext:
    until = datetime.datetime(2001, 1, 1, tzinfo=datetime.UTC) if expired else None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*names, not_after=until).configure_cert(context)
    return context


def trusting() -> ssl.SSLContext:
    context = ssl.create_default_context()
    AUTHORITY.configure_trust(context)
    return context


async def test_a_trusted_certificate(make_fetcher: MakeFetcher) -> None:
    async with RawServer({"/": reply()}, tls=server_context("good.test")) as server:
        fetcher = make_fetcher(verify_tls=trusting(), lookup=here)
        answers = [await fetcher.fetch(server.url("/", host="good.test")) for _ in range(2)]
    assert all(isinstance(answer, Fetched) for answer in answers)
    assert server.connections == 1


@pytest.mark.parametrize(
    "context",
    [
        server_context("other.test"),
        server_context("good.test", expired=True),
        server_context("good.test", authority=trustme.CA()),
    ],
    ids=["wrong host", "expired", "unknown authority"],
)
async def test_bad_certificates_are_refused_unless_the_user_accepts_them(
    make_fetcher: MakeFetcher, context: ssl.SSLContext
) -> None:
    async with RawServer({"/": reply()}, tls=context) as server:
        url = server.url("/", host="good.test")
        refused = await make_fetcher(verify_tls=trusting(), lookup=here).fetch(url)
        accepted = await make_fetcher(verify_tls=False, lookup=here).fetch(url)
    assert isinstance(refused, Failure)
    assert refused.reason is Reason.TLS
    assert refused.sent_at == 0.0
    assert isinstance(accepted, Fetched)


async def test_verification_is_on_by_default(make_fetcher: MakeFetcher) -> None:
    async with RawServer({"/": reply()}, tls=server_context("good.test")) as server:
        failure = await make_fetcher(lookup=here).fetch(server.url("/", host="good.test"))
    assert isinstance(failure, Failure)
    assert failure.reason is Reason.TLS


async def test_a_server_that_speaks_no_tls(make_fetcher: MakeFetcher) -> None:
    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.test ESMTP\r\n")
        await reader.read(1)
        writer.close()

    server = await asyncio.start_server(greet, "127.0.0.1", 0)
    try:
        failure = await make_fetcher().fetch(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
    finally:
        server.close()
    assert isinstance(failure, Failure)
    assert failure.reason is Reason.TLS


async def test_a_handshake_that_hangs(make_fetcher: MakeFetcher) -> None:
    async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.read()
        finally:
            writer.close()

    server = await asyncio.start_server(hang, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        fetcher = make_fetcher(timeouts=Timeouts(connect=0.3))
        failure = await fetcher.fetch(f"https://127.0.0.1:{port}/")
    finally:
        server.close()
    assert isinstance(failure, Failure)
    assert failure.reason is Reason.TIMEOUT_CONNECT
