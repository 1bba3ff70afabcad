from __future__ import annotations

import asyncio
import re

import aiohttp
import pytest
from loopback import EndlessWeb, addresses, hanging_hosts, slow_hosts

from lagotto.base.urls import host_of


def test_addresses_are_distinct_and_on_loopback() -> None:
    found = addresses(9, 600)
    assert len(set(found)) == 600
    assert all(re.fullmatch(r"127\.9\.[0-2]\.\d+", address) for address in found)


def test_pages_are_the_same_each_time_and_link_to_good_and_bad_hosts() -> None:
    web = EndlessWeb(["127.9.0.1"], ["nowhere.invalid"], other_links=3)
    web.port = 8000
    first, again = web.page("http://127.9.0.1:8000/0.html"), web.page("http://127.9.0.1:8000/0.html")
    assert first == again
    hosts = [host_of(url) for url in re.findall(r'href="([^"]*)"', first.body.decode())]
    assert hosts == ["127.9.0.1:8000"] * 10 + ["nowhere.invalid:8000"] * 3
    assert len(web.requests["127.9.0.1:8000"]) == 2


def test_requests_are_counted_without_regard_to_where_a_stretch_begins() -> None:
    web = EndlessWeb([])
    web.requests = {"a": [0.0, 1.0, 2.0, 3.0, 4.0], "b": [0.5, 1.5, 3.5], "c": [2.0]}
    assert web.requests_between(1.0, 3.0) == pytest.approx(2.0 + 0.5 + 0.75)
    assert web.requests_between(0.9, 2.9) == pytest.approx(2.0 + 0.6 + 0.7)


def test_requests_that_take_long_are_counted_by_the_time_that_they_are_under_way() -> None:
    web = EndlessWeb([])
    web.requests = {"a": [0.0, 10.0], "b": [3.0], "c": [9.0]}
    assert web.requests_within(1.0, 10.0, 4.0) == pytest.approx(0.75 + 1.0 + 0.25)


async def test_slow_hosts_answer_late_and_hanging_ones_never() -> None:
    web = EndlessWeb(addresses(9, 2))
    loop = asyncio.get_running_loop()
    async with (
        slow_hosts(web, latency=0.2),
        hanging_hosts(addresses(10, 1), web.port),
        aiohttp.ClientSession() as client,
    ):
        started = loop.time()
        for url in web.seeds():
            async with client.get(url) as answer:
                assert answer.status == 200
        assert loop.time() - started >= 0.4
        reader, writer = await asyncio.open_connection("127.10.0.1", web.port)
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(reader.read(1), timeout=0.5)
        writer.close()
