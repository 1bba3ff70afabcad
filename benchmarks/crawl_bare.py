"""A minimal crawl with Lagotto's libraries: fetch, parse, follow every `href`.

It shows the cost of HTTP and HTML alone. Nothing is judged, limited or stored, links have no text, and a
hostile page can stop it.
"""

from __future__ import annotations

import asyncio

import uvloop
from ada_url import join_url
from aiohttp import ClientError, ClientSession, DummyCookieJar, TCPConnector
from contest import Count, Order
from turbohtml import parse

AT_ONCE = 32
PATIENCE = 30.0
"""Seconds without a new page after which the crawl ends."""


class BareCrawl:
    """Breadth first, over a set of URLs in memory."""

    def __init__(self, order: Order) -> None:
        self.count = Count(order)
        self._proxy = order.proxy
        self._seen = set(order.seeds)
        self._queue: asyncio.Queue[str] = asyncio.Queue()
        for seed in order.seeds:
            self._queue.put_nowait(seed)

    async def run(self) -> Count:
        """Crawl until all pages are counted."""
        async with ClientSession(connector=TCPConnector(limit=0), cookie_jar=DummyCookieJar()) as session:
            await asyncio.gather(*(self._work(session) for _ in range(AT_ONCE)))
        return self.count

    async def _work(self, session: ClientSession) -> None:
        while self.count.result is None:
            try:
                url = await asyncio.wait_for(self._queue.get(), PATIENCE)
                async with session.get(url, proxy=self._proxy) as response:
                    body = await response.read()
                    status = response.status
            except TimeoutError:
                return
            except ClientError:
                continue
            if not self.count.answer(status) and status == 200:
                self._follow(url, body)

    def _follow(self, url: str, body: bytes) -> None:
        tree = parse(body.decode("utf-8", "replace"))
        for href in {element.attr("href") for element in tree.iter_elements(("a",))} - {None}:
            try:
                target = join_url(url, str(href).partition("#")[0])
            except ValueError:
                continue
            if target.startswith("http://") and target not in self._seen:
                self._seen.add(target)
                self._queue.put_nowait(target)


def main() -> None:
    """Crawl and tell."""
    uvloop.run(BareCrawl(Order.given()).run()).tell()


if __name__ == "__main__":
    main()
