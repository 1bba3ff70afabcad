"""Many hosts on loopback addresses: slow ones with endless pages, and ones that never answer."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import pairwise, product

from lagotto.base.urls import host_of
from lagotto.lab.serving.server import WebServer
from lagotto.lab.webs.web import WebPage

LINKS_A_PAGE = 10
"""Number of links to other good hosts, so that no host runs out of links."""
WORDS_A_PAGE = 120
_SYLLABLES = (
    "bar",
    "cel",
    "dor",
    "fen",
    "gul",
    "him",
    "jat",
    "kos",
    "lun",
    "mer",
    "nev",
    "pil",
    "rud",
    "sab",
)
_VOCABULARY = ["".join(syllables) for syllables in product(_SYLLABLES, repeat=3)]
"""Words of pages, enough of them that no two pages look like copies."""


def addresses(block: int, number: int) -> list[str]:
    """Addresses of 127.0.0.0/8, from a separate block.

    >>> addresses(3, 2)
    ['127.3.0.1', '127.3.0.2']
    """
    return [f"127.{block}.{place // 250}.{place % 250 + 1}" for place in range(number)]


class EndlessWeb:
    """Endless pages whose words and links depend on the URL; every request is recorded."""

    def __init__(self, hosts: Sequence[str], others: Sequence[str] = (), other_links: int = 0) -> None:
        """Each page also has `other_links` links to the hosts `others`."""
        self.hosts = list(hosts)
        self.others = list(others)
        self.other_links = other_links
        self.port = 0
        self.requests: dict[str, list[float]] = {}
        """Host -> times of its requests."""

    def seeds(self) -> list[str]:
        """A page of every host."""
        return [self._url(host, "0") for host in self.hosts]

    def page(self, url: str) -> WebPage:
        """The page of any URL."""
        self.requests.setdefault(host_of(url), []).append(time.monotonic())
        draw = random.Random(url)
        words = " ".join(draw.choices(_VOCABULARY, k=WORDS_A_PAGE))
        hosts = draw.choices(self.hosts, k=LINKS_A_PAGE)
        if self.others:
            hosts += draw.choices(self.others, k=self.other_links)
        links = "".join(
            f'<p><a href="{self._url(host, f"{draw.getrandbits(48):x}")}">{draw.choice(_VOCABULARY)}</a></p>'
            for host in hosts
        )
        title = " ".join(draw.choices(_VOCABULARY, k=4))
        html = f"<html><head><title>{title}</title></head><body><p>{words}</p>{links}</body></html>"
        return WebPage(url, html.encode())

    def redirect(self, url: str) -> None:
        """Nothing redirects."""

    def robots(self, host: str) -> None:
        """No host has a robots.txt."""

    def requests_between(self, start: float, end: float) -> float:
        """Number of requests in an interval of monotonic time.

        Requests come in bursts, so each is spread evenly over the time until the next one.
        """
        return sum(
            max(0.0, min(after, end) - max(before, start)) / (after - before)
            for times in self.requests.values()
            for before, after in pairwise(times)
        )

    def requests_within(self, start: float, end: float, latency: float) -> float:
        """Number of requests in an interval of monotonic time, each spread evenly over its latency."""
        return sum(
            max(0.0, min(at + latency, end) - max(at, start)) / latency
            for times in self.requests.values()
            for at in times
        )

    def _url(self, host: str, name: str) -> str:
        return f"http://{host}:{self.port}/{name}.html"


@asynccontextmanager
async def slow_hosts(web: EndlessWeb, latency: float) -> AsyncIterator[None]:
    """Serve the web on all its hosts' addresses, on one port."""
    async with AsyncExitStack() as servers:
        for host in web.hosts:
            server = await servers.enter_async_context(
                WebServer(web, address=host, port=web.port, latency=latency)
            )
            web.port = server.port
        yield


@asynccontextmanager
async def hanging_hosts(hosts: Sequence[str], port: int) -> AsyncIterator[None]:
    """Accept connections and never answer."""
    loop = asyncio.get_running_loop()
    servers = [await loop.create_server(asyncio.Protocol, host, port) for host in hosts]
    try:
        yield
    finally:
        for server in servers:
            server.close()
