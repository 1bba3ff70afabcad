"""The fetcher as the crawl sees it: robots, addresses, pages; and that nothing gets past the guard."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from lagotto.base.errors import InputError
from lagotto.base.protocols import Fetcher
from lagotto.base.records import Failure, Fetched, Reason
from lagotto.base.urls import canonical
from lagotto.fetch import Guard, HttpFetcher, user_agent
from tests.fetch.conftest import MakeFetcher
from tests.fetch.servers import RawServer, reply


def implements_the_seam(fetcher: HttpFetcher) -> Fetcher:
    return fetcher


async def test_robots_and_pages(make_fetcher: MakeFetcher) -> None:
    rules = reply(
        b"User-agent: lagotto\nDisallow: /no\nCrawl-delay: 99\nSitemap: /map.xml", kind="text/plain"
    )
    async with RawServer({"/robots.txt": rules, "/yes": reply()}) as server:
        fetcher = implements_the_seam(make_fetcher(contact="https://example.org/us", max_crawl_delay=20.0))
        url = server.url("/yes")
        assert not fetcher.robots_known(url)
        sent_at = await fetcher.fetch_robots(url)
        assert isinstance(sent_at, float)
        assert sent_at > 0
        assert fetcher.robots_known(url)
        assert fetcher.refusal(url) is None
        refusal = fetcher.refusal(server.url("/no"))
        assert refusal is not None
        assert refusal.reason is Reason.ROBOTS
        assert fetcher.crawl_delay(url) == 20.0
        assert fetcher.sitemaps(url) == [server.url("/map.xml")]
        assert isinstance(await fetcher.fetch(url), Fetched)
    assert server.targets == ["/robots.txt", "/yes"]
    assert server.requests[0].headers["user-agent"].endswith("(+https://example.org/us)")


async def test_robots_that_redirect_to_other_hosts_are_followed_under_guard(
    make_fetcher: MakeFetcher,
) -> None:
    rules = reply(b"User-agent: *\nDisallow: /", kind="text/html")
    async with RawServer({"/rules": rules}, address="127.0.0.2") as other:
        moved = reply(b"", f"Location: {other.url('/rules')}", status="301 Moved")
        async with RawServer({"/robots.txt": moved}) as server:
            url = server.url("/")
            open_fetcher = make_fetcher()
            await open_fetcher.fetch_robots(url)
            assert not open_fetcher.robots_known(url)
            assert open_fetcher.robots_host(url) == f"127.0.0.2:{other.port}"
            await open_fetcher.fetch_robots(url)
            refusal = open_fetcher.refusal(url)
            assert refusal is not None
            assert refusal.reason is Reason.ROBOTS
            narrow = make_fetcher(guard=Guard(["127.0.0.1/32"]))
            for _ in range(2):
                await narrow.fetch_robots(url)
            refusal = narrow.refusal(url)
            assert refusal is not None
            assert refusal.reason is Reason.ADDRESS
    assert other.targets == ["/rules"]


async def test_large_and_odd_robots_files(make_fetcher: MakeFetcher) -> None:
    long = b"User-agent: *\nDisallow: /first\n" + b"# filler\n" * 200_000 + b"Disallow: /\n"
    async with RawServer({"/robots.txt": reply(long, kind="text/plain")}) as server:
        fetcher = make_fetcher()
        await fetcher.fetch_robots(server.url("/"))
        assert fetcher.refusal(server.url("/first")) is not None
        assert fetcher.refusal(server.url("/")) is None
    async with RawServer({"/robots.txt": reply(b"\x89PNG\x00\xff" * 100, kind="image/png")}) as server:
        await fetcher.fetch_robots(server.url("/"))
        assert fetcher.refusal(server.url("/")) is None


async def test_the_lab_may_ignore_robots(make_fetcher: MakeFetcher) -> None:
    fetcher = make_fetcher(obey_robots=False)
    assert fetcher.robots_known("http://127.0.0.1:1/")
    assert fetcher.refusal("http://127.0.0.1:1/") is None


async def test_addresses(make_fetcher: MakeFetcher) -> None:
    answers = {
        "good.test": ["93.184.216.34"],
        "in.test": ["127.0.0.1"],
        "both.test": ["93.184.216.34", "10.0.0.1"],
    }

    async def lookup(host: str) -> Sequence[str]:
        if host not in answers:
            raise OSError("no such name")
        return answers[host]

    fetcher = make_fetcher(guard=Guard(["127.0.0.1/32:8080"]), lookup=lookup)
    assert await fetcher.address("good.test") == "93.184.216.34"
    assert await fetcher.address("8.8.8.8") == "8.8.8.8"
    assert await fetcher.address("[2606:4700::1111]:8080") == "2606:4700::1111"
    assert await fetcher.address("in.test:8080") == "127.0.0.1"
    reasons = []
    for host in ("gone.test", "in.test", "in.test:80", "both.test", "127.0.0.1", "[::1]"):
        failure = await fetcher.address(host)
        assert isinstance(failure, Failure)
        reasons.append(failure.reason)
    assert reasons == [Reason.DNS] + [Reason.ADDRESS] * 5


async def test_nothing_internal_is_ever_reached(lagotto_data: Path, make_fetcher: MakeFetcher) -> None:
    cases = json.loads((lagotto_data / "conformance/ssrf/ssrf_cases.json").read_text())["cases"]

    async def internal(host: str) -> Sequence[str]:
        return ["127.0.0.1"]

    fetcher = make_fetcher(guard=Guard(), lookup=internal)
    async with RawServer(lambda request: reply()) as canary:
        for case in cases:
            url = canonical(case["url"])
            if url is not None:
                failure = await fetcher.fetch(url)
                assert isinstance(failure, Failure), url
                assert failure.reason in (Reason.ADDRESS, Reason.SCHEME), (url, failure)
                assert failure.sent_at == 0.0
        for host in ("127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "name.test"):
            await fetcher.fetch(f"http://{host}:{canary.port}/")
    assert canary.connections == 0


async def test_a_name_that_turns_inward_is_not_followed(make_fetcher: MakeFetcher) -> None:
    turns = iter([["93.184.216.34"], ["127.0.0.1"]])

    async def rebinding(host: str) -> Sequence[str]:
        return next(turns)

    async with RawServer(lambda request: reply()) as canary:
        fetcher = make_fetcher(guard=Guard(), lookup=rebinding)
        host = f"rebind.test:{canary.port}"
        assert await fetcher.address(host) == "93.184.216.34"
        fetcher._client.resolver._answers.clear()
        failure = await fetcher.fetch(f"http://{host}/")
    assert isinstance(failure, Failure)
    assert failure.reason is Reason.ADDRESS
    assert "127.0.0.1" not in failure.detail
    assert canary.connections == 0


@pytest.mark.parametrize("contact", ["two words", "a\nb", "https://ex\u00e4mple.org", "x)"])
def test_a_contact_that_breaks_the_header_is_an_input_error(contact: str) -> None:
    with pytest.raises(InputError):
        user_agent(contact)


async def test_options_are_kept_under_their_names(make_fetcher: MakeFetcher) -> None:
    fetcher = make_fetcher(contact="https://a.org", max_size=5, proxy="http://127.0.0.1:1", obey_robots=False)
    assert (fetcher.contact, fetcher.max_size, fetcher.proxy) == ("https://a.org", 5, "http://127.0.0.1:1")
    assert not fetcher.obey_robots
