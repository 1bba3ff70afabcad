"""Malformed heads are refused, however they are cut into pieces."""

from __future__ import annotations

import pytest

from lagotto.base.records import Failure, Fetched, Reason
from lagotto.fetch.headers import HeadCheck
from tests.fetch.conftest import MakeFetcher
from tests.fetch.servers import RawServer, reply

GOOD = [
    b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n\n\0body",
    b"\r\nHTTP/1.1 200 OK\r\nA: b\r\n\r\n",
    b"HTTP/1.1 200 OK\nA: b\n\n\r\nbody\r\n",
    b"HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n\r\n\0",
    b"HTTP/1.1 200 OK\r\nA: b\r\n folded\r\n\r\n",
]
BAD = {
    b"HTTP/1.1 200 OK\0\r\nA: b\r\n\r\n": "NUL in the headers",
    b"HTTP/1.1 200 OK\r\nA: b\0\r\n\r\n": "NUL in the headers",
    b"HTTP/1.1 200 OK\n\r\nA: b\r\n\r\n": "line ends are mixed",
    b"HTTP/1.1 200 OK\r\n\nA: b\r\n\r\n": "line ends are mixed",
    b"\rHTTP/1.1 200 OK\r\nA: b\r\n\r\n": "line ends are mixed",
    b"HTTP/1.1 200 OK\r\n A: b\r\n\r\n": "white space before the first header",
    b"HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200 O\0\r\n\r\n": "NUL in the headers",
}


@pytest.mark.parametrize("head", [*GOOD, *BAD])
def test_heads_are_checked_however_they_are_cut(head: bytes) -> None:
    expected = BAD.get(head, "")
    for size in (1, 7, len(head)):
        check = HeadCheck()
        faults = [check.read(head[at : at + size]) for at in range(0, len(head), size) if not check.done]
        assert check.done
        assert faults[-1] == expected


async def test_a_malformed_head_is_refused_and_its_connection_closed(make_fetcher: MakeFetcher) -> None:
    bad = reply().replace(b"200 OK", b"200 OK\0")
    async with RawServer({"/": reply(), "/bad": bad}) as server:
        fetcher = make_fetcher()
        assert isinstance(await fetcher.fetch(server.url("/")), Fetched)
        failure = await fetcher.fetch(server.url("/bad"))
        assert isinstance(failure, Failure)
        assert (failure.reason, failure.detail) == (Reason.BAD_HTTP, "NUL in the headers")
        assert isinstance(await fetcher.fetch(server.url("/")), Fetched)
    assert server.connections == 2
