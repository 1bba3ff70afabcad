"""A real HTTP server that speaks SearXNG's JSON, with engines of every temper behind it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import ClientSession, ClientTimeout, web

from lagotto.records import Failure, Fetched, Reason
from lagotto.seeds import SearchFailed
from lagotto.urls import canonical

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


class PlainFetcher:
    """As much of a `Fetcher` as the seeds stage uses, over real HTTP: one request, no redirects followed."""

    async def fetch(self, url: str) -> Fetched | Failure:
        try:
            async with ClientSession() as session, session.get(url, allow_redirects=False) as response:
                target = canonical(response.headers.get("Location", ""), url) or ""
                location = target if 300 <= response.status < 400 else ""
                return Fetched(url, response.status, body=await response.read(), location=location)
        except OSError as error:
            return Failure(Reason.CONNECT, str(error))
