"""A real website on loopback for tests: known pages, many hosts, every request logged."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

from aiohttp import web

WORDS = [
    "heron",
    "eagle",
    "sparrow",
    "finch",
    "osprey",
    "wren",
    "robin",
    "falcon",
    "plover",
    "crane",
    "stork",
    "swift",
]


@dataclass
class Request:
    """One request as the server saw it."""

    at: float
    host: str
    path: str
    headers: dict[str, str]

    @property
    def url(self) -> str:
        return f"http://{self.host}{self.path}"


@dataclass
class Site:
    """Serves `pages` (path -> html or a function of the request) to whatever host asks."""

    pages: dict[str, Any]
    robots: str | None = None
    log: list[Request] = field(default_factory=list)
    on_request: Callable[[Request], None] = lambda _: None
    addresses: list[str] = field(default_factory=lambda: ["127.0.0.1"])
    port: int = 0
    latency: float = 0.0
    """Seconds before a page is answered."""

    async def __aenter__(self) -> Self:
        server = web.Server(self._answer)
        self._runner = web.ServerRunner(server)
        await self._runner.setup()
        for address in self.addresses:
            await web.TCPSite(self._runner, address, self.port).start()
            self.port = self._runner.addresses[0][1]
        return self

    @property
    def hosts(self) -> list[str]:
        """host:port of every address served."""
        return [f"{address}:{self.port}" for address in self.addresses]

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        seen = Request(time.monotonic(), request.host, request.path_qs, dict(request.headers))
        self.log.append(seen)
        self.on_request(seen)
        if request.path == "/robots.txt":
            return web.Response(text=self.robots) if self.robots is not None else web.Response(status=404)
        if self.latency:
            await asyncio.sleep(self.latency)
        page = self.pages.get(request.path_qs)
        if callable(page):
            answer: web.StreamResponse = page(request)
            return answer
        if page is None:
            return web.Response(status=404, text="nothing here")
        return web.Response(text=page, content_type="text/html")

    def fetches(self) -> Counter[str]:
        """URL -> requests, robots.txt aside."""
        return Counter(request.url for request in self.log if request.path != "/robots.txt")


def tree_site(pages: int, hosts: list[str]) -> dict[str, str]:
    """Pages 0..n-1 of a binary tree spread over hosts: page k links to 2k+1 and 2k+2 alone.

    Each page can be reached in one way only, so that a crawler that forgets a link loses pages.
    `hosts` are host:port; the same paths exist on all, a link names the one to ask.
    """
    found = {}
    for number in range(pages):
        links = "".join(
            f'<p>See <a href="{tree_url(child, hosts)}">page {child} on the {WORDS[child % 12]}</a>.</p>'
            for child in (2 * number + 1, 2 * number + 2)
            if child < pages
        )
        words = " ".join(WORDS[(number * step) % 12] for step in range(1, 30))
        found[f"/page{number}.html"] = (
            f"<html><head><title>Page {number}</title></head><body>"
            f"<h1>Number {number}</h1><p>This is page {number} of many. {words}.</p>{links}</body></html>"
        )
    return found


def tree_url(number: int, hosts: list[str]) -> str:
    """URL of a page of `tree_site`."""
    return f"http://{hosts[number % len(hosts)]}/page{number}.html"
