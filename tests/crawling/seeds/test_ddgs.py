from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from lagotto.base.errors import InputError
from lagotto.crawling.seeds import SearchFailed
from lagotto.crawling.seeds.engines import Ddgs

engines = pytest.importorskip("ddgs.engines", reason="needs the extra search-engines")


@asynccontextmanager
async def mojeek_at(monkeypatch: pytest.MonkeyPatch, status: int, body: str) -> AsyncIterator[list[str]]:
    """ddgs's own Mojeek engine, its address turned to a local server with the given answer."""
    asked: list[str] = []

    async def search(request: web.Request) -> web.Response:
        asked.append(request.query_string)
        return web.Response(status=status, text=body, content_type="text/html")

    app = web.Application()
    app.router.add_get("/search", search)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    port = runner.addresses[0][1]
    monkeypatch.setattr(engines.ENGINES["text"]["mojeek"], "search_url", f"http://127.0.0.1:{port}/search")
    try:
        yield asked
    finally:
        await runner.cleanup()


def listing(*urls: str) -> str:
    rows = "".join(
        f'<li><h2><a href="{url}">Page {url}</a></h2><p class="s">Snippet</p></li>' for url in urls
    )
    return f"<html><body><ul class='results-standard'>{rows}</ul></body></html>"


async def test_one_engine_in_its_own_order(monkeypatch: pytest.MonkeyPatch) -> None:
    page = listing("http://z.org/", "javascript:alert(1)", "http://a.org/solar")
    async with mojeek_at(monkeypatch, 200, page) as asked:
        said = await Ddgs("mojeek").search("solar", 2)
    assert [(result.url, result.rank) for result in said.results] == [
        ("http://z.org/", 1),
        ("http://a.org/solar", 3),
    ]
    assert said.results[0].title == "Page http://z.org/"
    assert said.left_out == 1
    assert asked == ["q=solar"]


async def test_turns_pages_while_they_bring_something_new(monkeypatch: pytest.MonkeyPatch) -> None:
    async with mojeek_at(monkeypatch, 200, listing("http://a.org/")) as asked:
        said = await Ddgs("mojeek").search("solar", 5)
    assert len(said.results) == 1
    assert asked == ["q=solar", "q=solar&s=11"]


async def test_a_refusal_is_named_a_rate_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    async with mojeek_at(monkeypatch, 429, "slow down"):
        with pytest.raises(SearchFailed, match="rate limit") as caught:
            await Ddgs("mojeek").search("solar", 5)
    assert caught.value.rate_limited


async def test_no_connection_is_a_failure() -> None:
    # The proxy is a closed port of this machine, so nothing leaves it.
    with pytest.raises(SearchFailed):
        await Ddgs("mojeek", proxy="http://127.0.0.1:1", timeout=2).search("solar", 5)


def test_an_unknown_engine_is_not_replaced_by_others() -> None:
    with pytest.raises(InputError, match=r"no engine 'altavista'; it has .*mojeek"):
        Ddgs("altavista")


def test_without_the_package_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ddgs.engines", None)
    with pytest.raises(InputError, match=r"lagotto\[search-engines\]"):
        Ddgs("mojeek")
