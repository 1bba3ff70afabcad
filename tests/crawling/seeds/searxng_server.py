"""A real HTTP server that speaks SearXNG's JSON, with engines of every temper behind it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import ClientSession, ClientTimeout, web

from lagotto.crawling.seeds import ANSWER_TYPES, SearchFailed
from lagotto.fetch import Guard, HttpFetcher

Behaviour = Callable[[web.Request], "web.StreamResponse | dict[str, Any] | Any"]


def hits(*urls: str) -> list[dict[str, Any]]:
    """Rows as SearXNG writes them."""
    return [
        {
            "url": url,
            "title": f"Title of {url}",
            "content": "About solar power.",
            "engines": ["x"],
            "score": 1.0,
        }
        for url in urls
    ]


class SearxngServer:
    """Engine name -> rows, or a function of the request; `asked` keeps what was asked for."""

    def __init__(self, engines: dict[str, list[dict[str, Any]] | Behaviour]) -> None:
        self.engines = engines
        self.asked: list[dict[str, str]] = []
        self.url = ""

    async def search(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(dict(request.query))
        if request.query.get("format") != "json":
            return web.Response(text="<html>results</html>", content_type="text/html")
        engine = self.engines[request.query.get("engines", "")]
        if isinstance(engine, list):
            page = int(request.query.get("pageno", "1"))
            rows = engine[10 * (page - 1) : 10 * page]
            return web.json_response(
                {"query": request.query["q"], "results": rows, "unresponsive_engines": []}
            )
        said = engine(request)
        if asyncio.iscoroutine(said):
            said = await said
        return said if isinstance(said, web.StreamResponse) else web.Response(text=json.dumps(said))


@asynccontextmanager
async def serving(**engines: list[dict[str, Any]] | Behaviour) -> AsyncIterator[SearxngServer]:
    """Serve the engines on a free port of the loopback address."""
    server = SearxngServer(engines)
    app = web.Application()
    app.router.add_get("/search", server.search)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    server.url = f"http://{host}:{port}"
    try:
        yield server
    finally:
        await runner.cleanup()


async def get(url: str) -> bytes:
    """The simplest `Fetch` over real HTTP."""
    async with ClientSession(timeout=ClientTimeout(total=10)) as session, session.get(url) as response:
        if response.status != 200:
            raise SearchFailed(f"HTTP status {response.status}", rate_limited=response.status == 429)
        return await response.read()


@asynccontextmanager
async def real_fetcher(*allowed: str) -> AsyncIterator[HttpFetcher]:
    """The crawler's own fetcher, allowed to talk to these private addresses."""
    fetcher = HttpFetcher(guard=Guard(allowed), accepted_types=ANSWER_TYPES)
    try:
        yield fetcher
    finally:
        await fetcher.close()
