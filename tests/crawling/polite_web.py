"""A server for audits of politeness, run as a process of its own: many hosts, every request logged.

Each host is a port of 127.0.0.1, so all of them share one address. A line of the log is written when
an answer is complete: when the request came, when it was answered, its host and its path.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from aiohttp import web

HOSTS = 6
CRAWL_DELAY = 0.5
TAKES = 0.02
"""Seconds that an answer takes, so that two requests at once can be seen."""
PLAIN, DELAYED, WITH_SITEMAP, MOVED_ROBOTS, BORROWED_ROBOTS, BUSY = range(HOSTS)
"""What is special about each host."""


class Request(NamedTuple):
    """One request as the server saw it."""

    came: float
    done: float
    host: str
    path: str


@dataclass
class Audited:
    """The server as its tests see it."""

    hosts: list[str]
    log: Path

    @property
    def seeds(self) -> list[str]:
        return [f"http://{host}/" for host in self.hosts]

    def requests(self) -> list[Request]:
        """All that was asked so far, in the order in which it came."""
        rows = [line.split("\t") for line in self.log.read_text().splitlines()]
        return sorted(Request(float(came), float(done), host, path) for came, done, host, path in rows)

    def by_host(self) -> dict[str, list[Request]]:
        found: dict[str, list[Request]] = defaultdict(list)
        for request in self.requests():
            found[request.host].append(request)
        return found


def gaps(requests: list[Request]) -> list[float]:
    """Seconds between the arrivals of requests that followed each other."""
    return [later.came - earlier.came for earlier, later in pairwise(requests)]


def overlap(requests: list[Request]) -> bool:
    """Whether one request came before the one before it was answered."""
    return any(later.came < earlier.done for earlier, later in pairwise(requests))


@contextmanager
def served(log: Path) -> Iterator[Audited]:
    """Run the server."""
    log.touch()
    command = [sys.executable, "-m", "tests.crawling.polite_web", str(log)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield Audited(process.stdout.readline().split(), log)
    finally:
        process.terminate()
        process.wait(20)
        process.stdout.close()


class _Server:
    def __init__(self, log: Path) -> None:
        self.log = log.open("a", buffering=1)
        self.hosts: list[str] = []
        self.asked: Counter[tuple[str, str]] = Counter()

    async def run(self) -> None:
        runner = web.ServerRunner(web.Server(self.answer))
        await runner.setup()
        for _ in range(HOSTS):
            await web.TCPSite(runner, "127.0.0.1", 0).start()
        self.hosts = [f"127.0.0.1:{address[1]}" for address in runner.addresses]
        print(*self.hosts, flush=True)
        await asyncio.Event().wait()

    async def answer(self, request: web.BaseRequest) -> web.StreamResponse:
        came = time.monotonic()
        await asyncio.sleep(TAKES)
        _, port = request.transport.get_extra_info("sockname")[:2] if request.transport else ("", 0)
        host = f"127.0.0.1:{port}"
        self.asked[host, request.path] += 1
        response = self.respond(self.hosts.index(host), host, request.path)
        self.log.write(f"{came:.6f}\t{time.monotonic():.6f}\t{host}\t{request.path}\n")
        return response

    def respond(self, number: int, host: str, path: str) -> web.Response:
        if path == "/robots.txt":
            return self.robots(number)
        if path in ("/rules", "/all-rules"):
            onward = f"http://{self.hosts[PLAIN]}/all-rules" if number == BORROWED_ROBOTS else "/all-rules"
            return _moved(onward) if path == "/rules" else web.Response(text="User-agent: *\nDisallow: /x")
        if path == "/map.xml":
            urls = "".join(f"<url><loc>http://{host}/mapped{n}</loc></url>" for n in range(2))
            return web.Response(text=f"<urlset>{urls}</urlset>", content_type="application/xml")
        if path == "/moved":
            return _moved("/found")
        if path == "/busy" and number == BUSY and self.asked[host, path] < 3:
            return web.Response(status=500)
        links = ["/a", "/b", "/moved", "/busy"] if path == "/" else []
        anchors = "".join(f'<a href="{link}">{link}</a> ' for link in links)
        return web.Response(
            text=f"<title>{host}{path}</title><p>Page {path} of {host}. {anchors}", content_type="text/html"
        )

    def robots(self, number: int) -> web.Response:
        if number == DELAYED:
            return web.Response(text=f"User-agent: *\nCrawl-delay: {CRAWL_DELAY}")
        if number == WITH_SITEMAP:
            return web.Response(text=f"Sitemap: http://{self.hosts[number]}/map.xml")
        if number in (MOVED_ROBOTS, BORROWED_ROBOTS):
            return _moved("/rules")
        return web.Response(status=404)


def _moved(location: str) -> web.Response:
    return web.Response(status=302, headers={"Location": location})


if __name__ == "__main__":
    asyncio.run(_Server(Path(sys.argv[1])).run())
