"""Dead ends beside a working site, behind a proxy on loopback: they cost few requests and hold nothing up."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import web

from lagotto.crawling import config as configuration
from lagotto.crawling.frontier.dead_ends import FREE
from lagotto.crawling.frontier.hosts import PROVEN
from lagotto.crawling.frontier.traps.endless import MISSES
from lagotto.crawling.session import Crawl
from lagotto.crawling.worker.events import HostFailed
from tests.crawling.traps import prose

PAGES = 60
DEAD = 4
"""Links to missing pages of one host on every page."""
BREAKING = range(PROVEN, PROVEN + 10, 2)
"""Pages that link to a URL which breaks the connection off."""
GOOD, MISSING = "good.example", "missing.example"


class Proxy:
    """A site of pages in a tree, and links to hosts that give no page or break off."""

    def __init__(self, *, resetting: bool = False) -> None:
        self.resetting = resetting
        self.asked: list[str] = []
        """Hosts of the requests for pages, in order."""

    async def answer(self, request: web.BaseRequest) -> web.StreamResponse:
        path = request.rel_url.raw_path
        if path == "/robots.txt":
            return web.Response(status=404)
        self.asked.append(request.host)
        if request.host == MISSING:
            return web.Response(status=404)
        if path.startswith("/breaks"):
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        number = int(path[1:] or 0)
        links = [f"/{child}" for child in (3 * number + 1, 3 * number + 2, 3 * number + 3) if child < PAGES]
        links += [f"http://{MISSING}/{number}-{n}" for n in range(DEAD)]
        links += [f"/breaks/{number}"] if self.resetting and number in BREAKING else []
        body = "".join(f'<a href="{link}">birds</a> ' for link in links)
        text = f"<html><title>Birds {number}</title><p>birds {prose(number)}</p>{body}</html>"
        return web.Response(text=text, content_type="text/html")


@asynccontextmanager
async def served(proxy: Proxy) -> AsyncIterator[str]:
    runner = web.ServerRunner(web.Server(proxy.answer), shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def config(proxy: str, strategy: str, **options: object) -> configuration.Config:
    return configuration.from_values(
        {
            "topic": "birds",
            "strategy": strategy,
            "seeds": [f"http://{GOOD}/"],
            "delay": 0.0,
            "proxy": proxy,
            "parsers": 1,
            "concurrency": 1,
            **options,
        }
    )


@pytest.mark.parametrize("strategy", ["bfs", "scent", "priority"])
async def test_missing_pages_of_a_host_wait_until_others_run_dry(tmp_path: Path, strategy: str) -> None:
    proxy = Proxy()
    async with served(proxy) as url, Crawl(config(url, strategy), tmp_path / "c") as crawl:
        await crawl.run()
    assert crawl.statistics.pages == PAGES
    last_page = max(at for at, host in enumerate(proxy.asked) if host == GOOD)
    assert proxy.asked[:last_page].count(MISSING) <= FREE
    assert proxy.asked.count(MISSING) == MISSES, "asked for in the end, until it is known to hold no pages"


async def test_urls_that_reset_the_connection_do_not_hold_up_their_host(tmp_path: Path) -> None:
    proxy = Proxy(resetting=True)
    waits = []
    async with served(proxy) as url, Crawl(config(url, "bfs", retry_wait=0.05), tmp_path / "c") as crawl:
        async for event in crawl:
            if isinstance(event, HostFailed) and event.host == GOOD:
                waits.append(event.seconds)
    assert crawl.statistics.pages == PAGES
    assert len(waits) >= 4
    assert max(waits) < 0.3, "not 5, 20, 80 times as long"
