from __future__ import annotations

import asyncio
from typing import Any

import pytest
from aiohttp import web

from lagotto.base.errors import InputError
from lagotto.crawling.seeds import SearchFailed, Searxng, through
from tests.crawling.seeds.searxng_server import get, hits, real_fetcher, serving


async def test_asks_the_json_interface_for_one_engine() -> None:
    async with serving(bing=hits("http://a.org/", "http://b.org/")) as server:
        engine = Searxng(server.url, get, engine="bing", language="de")
        said = await engine.search('solar "heat pump" & more', 2)
    assert [result.url for result in said.results] == ["http://a.org/", "http://b.org/"]
    assert said.results[0].title == "Title of http://a.org/"
    assert said.results[0].snippet == "About solar power."
    asked = {"q": 'solar "heat pump" & more', "format": "json", "engines": "bing", "language": "de"}
    assert server.asked == [asked]


async def test_turns_pages_until_it_has_enough() -> None:
    async with serving(bing=hits(*(f"http://a.org/{n}" for n in range(35)))) as server:
        said = await Searxng(server.url, get, engine="bing").search("x", 15)
    assert len(said.results) == 15
    assert [asked.get("pageno", "1") for asked in server.asked] == ["1", "2"]
    assert said.results[-1].rank == 15


async def test_stops_turning_pages_when_nothing_new_comes() -> None:
    async with serving(bing=lambda _: {"results": hits("http://a.org/")}) as server:
        said = await Searxng(server.url, get, engine="bing").search("x", 15)
    assert len(said.results) == 1
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"<html>not JSON</html>", "not JSON"),
        (b'{"results": ', "not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[1, 2]", "not SearXNG's"),
        (b'{"results": {"url": "http://a.org/"}}', "not SearXNG's"),
        (b'{"results": null}', "not SearXNG's"),
        (b'"' + b"x" * 11_000_000 + b'"', "larger than"),
    ],
)
async def test_nonsense_is_a_failure_with_a_reason(body: bytes, why: str) -> None:
    async with serving(bad=lambda _: web.Response(body=body)) as server:
        with pytest.raises(SearchFailed, match=why) as caught:
            await Searxng(server.url, get, engine="bad").search("x", 5)
    assert not caught.value.rate_limited


@pytest.mark.parametrize(
    ("why", "limited"), [("too many requests", True), ("Suspended: CAPTCHA", True), ("timeout", False)]
)
async def test_an_engine_that_did_not_answer_the_instance(why: str, limited: bool) -> None:
    said: dict[str, Any] = {"results": [], "unresponsive_engines": [["bing", why]]}
    async with serving(bing=lambda _: said) as server:
        with pytest.raises(SearchFailed, match=f"bing: {why}") as caught:
            await Searxng(server.url, get, engine="bing").search("x", 5)
    assert caught.value.rate_limited is limited


async def test_no_hits_is_an_answer() -> None:
    said: dict[str, Any] = {"results": [], "unresponsive_engines": {"wrong": "type"}}
    async with serving(bing=lambda _: said) as server:
        assert (await Searxng(server.url, get, engine="bing").search("x", 5)).results == []


@pytest.mark.parametrize(
    "given", ["http://h.org", "http://h.org/", "http://h.org/search", "http://H.org/search/?q=1"]
)
def test_the_endpoint_may_be_written_in_several_ways(given: str) -> None:
    assert Searxng(given, get).endpoint == "http://h.org/search"


def test_instances_below_a_path_keep_it() -> None:
    engine = Searxng("https://h.org:8443/searx/", get, engine="bing")
    assert engine.endpoint == "https://h.org:8443/searx/search"
    assert engine.name == "bing at h.org:8443"


@pytest.mark.parametrize("given", ["", "ftp://h.org", "no address"])
def test_no_address_is_the_users_mistake(given: str) -> None:
    with pytest.raises(InputError, match="no SearXNG address"):
        Searxng(given, get)


async def test_through_the_crawlers_own_fetcher() -> None:
    async with serving(bing=hits("http://a.org/")) as server, real_fetcher("127.0.0.0/8") as fetcher:
        said = await Searxng(server.url, through(fetcher), engine="bing").search("solar", 1)
    assert said.results[0].url == "http://a.org/"
    assert server.asked == [{"q": "solar", "format": "json", "engines": "bing"}]


async def test_through_follows_redirects_of_the_instance() -> None:
    def moved(request: web.Request) -> web.Response:
        raise web.HTTPFound("/search?q=x&format=json&engines=bing")

    async with (
        serving(old=moved, bing=hits("http://a.org/")) as server,
        real_fetcher("127.0.0.0/8") as fetcher,
    ):
        said = await Searxng(server.url, through(fetcher), engine="old").search("x", 1)
    assert said.results[0].url == "http://a.org/"


async def test_through_gives_up_on_a_redirect_loop() -> None:
    def around(request: web.Request) -> web.Response:
        raise web.HTTPFound(str(request.rel_url))

    async with serving(loop=around) as server, real_fetcher("127.0.0.0/8") as fetcher:
        with pytest.raises(SearchFailed, match="redirects"):
            await Searxng(server.url, through(fetcher), engine="loop").search("x", 1)


@pytest.mark.parametrize(("status", "limited"), [(429, True), (403, False), (500, False)])
async def test_through_turns_a_status_into_a_reason(status: int, limited: bool) -> None:
    refusing = serving(bing=lambda _: web.Response(status=status))
    async with refusing as server, real_fetcher("127.0.0.0/8") as fetcher:
        with pytest.raises(SearchFailed, match=f"HTTP status {status}") as caught:
            await Searxng(server.url, through(fetcher), engine="bing").search("x", 1)
    assert caught.value.rate_limited is limited


async def test_through_says_what_to_do_about_a_private_address() -> None:
    async with serving(bing=hits("http://a.org/")) as server, real_fetcher() as fetcher:
        with pytest.raises(SearchFailed, match="--allow-private"):
            await Searxng(server.url, through(fetcher), engine="bing").search("x", 1)
    assert server.asked == []


async def test_an_instance_cannot_lead_us_into_a_private_network() -> None:
    def inward(request: web.Request) -> web.Response:
        raise web.HTTPFound(str(request.url.with_host("127.0.0.2")))

    async with serving(bing=inward) as server, real_fetcher("127.0.0.1/32") as fetcher:
        with pytest.raises(SearchFailed, match="--allow-private"):
            await Searxng(server.url, through(fetcher), engine="bing").search("x", 1)


async def test_through_names_a_server_that_is_not_there() -> None:
    async with real_fetcher("127.0.0.0/8") as fetcher:
        with pytest.raises(SearchFailed, match="connect"):
            await Searxng("http://127.0.0.1:1", through(fetcher)).search("x", 1)


async def test_a_slow_instance_can_be_cancelled() -> None:
    async def slow(request: web.Request) -> dict[str, Any]:
        await asyncio.sleep(30)
        return {"results": []}

    async with serving(slow=slow) as server:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await Searxng(server.url, get, engine="slow").search("x", 1)
