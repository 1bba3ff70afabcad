"""A small site whose pages tests can change, with validators, and a crawl of it."""

from __future__ import annotations

import hashlib
from pathlib import Path

from aiohttp import web

from lagotto.crawling.config import from_values
from lagotto.crawling.session import Crawl
from tests.site import Site

BODY = "<p>The heron waits at the edge of the pond for frogs and small fish, as herons have always done.</p>"


class ChangingSite(Site):
    """Pages `/`, `/etag`, `/dated`, `/plain` and `/clock`; `texts` may be changed, and `statuses` set."""

    def __init__(self) -> None:
        names = ["etag", "dated", "plain", "clock"]
        self.texts = {name: f"<h1>About {name}</h1>{BODY}" for name in names}
        links = " ".join(f'<a href="/{name}">birds {name}</a>' for name in names)
        self.texts[""] = f"<h1>Birds</h1>{BODY}{links}"
        self.statuses: dict[str, int] = {}
        self.seen = 0
        super().__init__({f"/{name}": self._page for name in self.texts})

    def url(self, name: str = "") -> str:
        return f"http://127.0.0.1:{self.port}/{name}"

    def _page(self, request: web.BaseRequest) -> web.StreamResponse:
        name = request.path.strip("/")
        self.seen += 1
        if status := self.statuses.get(name):
            target = {"Location": self.url("elsewhere")} if status == 301 else {}
            return web.Response(status=status, text="no", headers=target)
        text = self.texts[name]
        if name == "clock":
            text += (
                f"<p>You are visitor {self.seen}; it is Monday, {self.seen} May, {self.seen} minutes ago.</p>"
            )
        html = f"<html><head><title>{name}</title></head><body>{text}</body></html>"
        headers = {}
        tag = f'"{hashlib.sha1(html.encode()).hexdigest()}"'
        if name == "etag":
            headers["ETag"] = tag
            if request.headers.get("If-None-Match") == tag:
                return web.Response(status=304, headers=headers)
        if name == "dated":
            headers["Last-Modified"] = "Mon, 02 Nov 2026 10:00:00 GMT"
            if request.headers.get("If-Modified-Since") == headers["Last-Modified"]:
                return web.Response(status=304)
        return web.Response(text=html, content_type="text/html", headers=headers)


OPTIONS = {"allow_private": ["127.0.0.0/8"], "delay": 0.0, "ip_delay": 0.0, "retries": 0, "strategy": "bfs"}


async def crawled(site: ChangingSite, directory: Path) -> None:
    """Crawl the whole site."""
    config = from_values({"topic": "heron birds", "seeds": [site.url()], "parsers": 1, **OPTIONS})
    async with Crawl(config, directory) as crawl:
        await crawl.run()
