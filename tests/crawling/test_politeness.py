"""Politeness as the servers see it: delays of hosts and addresses, whatever is asked of them and why."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from lagotto.crawling import config as configuration
from lagotto.crawling.session import Crawl
from lagotto.fetch.exchange import Exchange
from lagotto.store import storage_at
from tests.crawling.polite_web import (
    BORROWED_ROBOTS,
    BUSY,
    CRAWL_DELAY,
    DELAYED,
    MOVED_ROBOTS,
    PLAIN,
    WITH_SITEMAP,
    Audited,
    gaps,
    overlap,
    served,
)
from tests.site import Request, Site, tree_site, tree_url

DELAY = 0.2


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Audited]:
    with served(tmp_path / "requests.log") as audited:
        yield audited


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """When each request left, by the crawler's clock: a busy machine may let the server see it late."""
    times: list[float] = []
    real = Exchange.sent

    def note(exchange: Exchange) -> None:
        real(exchange)
        times.append(exchange.sent_at)

    monkeypatch.setattr(Exchange, "sent", note)
    return times


def shortest_gap(times: list[float]) -> float:
    return min(later - earlier for earlier, later in pairwise(times))


def values(seeds: list[str], **options: Any) -> dict[str, Any]:
    return {
        "topic": "birds",
        "strategy": "bfs",
        "seeds": seeds,
        "delay": DELAY,
        "allow_private": ["127.0.0.0/8"],
        "retry_wait": 0.05,
        "sitemaps": True,
        "parsers": 1,
        **options,
    }


async def crawl(directory: Path, seeds: list[str], **options: Any) -> None:
    async with Crawl(configuration.from_values(values(seeds, **options)), directory) as crawl:
        await crawl.run()


async def test_no_request_of_any_kind_comes_before_its_host_has_its_turn(
    site: Audited, tmp_path: Path
) -> None:
    await crawl(tmp_path / "c", site.seeds)
    asked = [[request.path for request in site.by_host()[host]] for host in site.hosts]
    pages = {"/", "/a", "/b", "/moved", "/found", "/busy"}
    assert all(pages <= set(paths) for paths in asked)
    assert asked[BUSY].count("/busy") == 3
    assert asked[WITH_SITEMAP].count("/map.xml") == 1
    assert {"/mapped0", "/mapped1"} <= set(asked[WITH_SITEMAP])
    assert asked[MOVED_ROBOTS][:3] == ["/robots.txt", "/rules", "/all-rules"]
    assert asked[BORROWED_ROBOTS][:2] == ["/robots.txt", "/rules"]
    assert "/all-rules" in asked[PLAIN]
    for host, requests in site.by_host().items():
        assert not overlap(requests), host
        assert min(gaps(requests)) >= DELAY, host
    assert min(gaps(site.by_host()[site.hosts[DELAYED]])[1:]) >= CRAWL_DELAY


async def test_hosts_that_share_an_address_share_its_delay(
    site: Audited, sent: list[float], tmp_path: Path
) -> None:
    await crawl(tmp_path / "c", site.seeds, delay=0.0, ip_delay=0.1, max_pages=18)
    requests = [request for request in site.requests() if request.host != site.hosts[DELAYED]]
    assert len({request.host for request in requests}) > 3
    assert len(requests) > 12
    assert len(sent) == len(site.requests())
    assert shortest_gap(sent) >= 0.1


async def test_names_that_share_an_address_share_its_delay(
    site: Audited, sent: list[float], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = int(site.hosts[PLAIN].rpartition(":")[2])
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 0))]
    real = socket.getaddrinfo

    def look_up(host: str, *rest: Any, **more: Any) -> Any:
        return found if str(host).endswith(".trap.example") else real(host, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    seeds = [f"http://h{n}.trap.example:{port}/" for n in range(8)]
    await crawl(tmp_path / "c", seeds, delay=0.0, ip_delay=0.1, max_pages=8, concurrency=8)
    assert len({request.path for request in site.requests()}) > 1
    assert len(sent) == len(site.requests()) >= 14
    assert shortest_gap(sent) >= 0.1


async def test_a_crawl_that_goes_on_starts_with_a_delay(
    site: Audited, sent: list[float], tmp_path: Path
) -> None:
    seeds = [site.seeds[PLAIN]]
    await crawl(tmp_path / "c", seeds, delay=0.6, max_pages=2)
    async with Crawl.resume(tmp_path / "c", max_pages=4) as crawl_again:
        await crawl_again.run()
    assert len(sent) == len(site.by_host()[site.hosts[PLAIN]]) >= 6
    assert shortest_gap(sent) >= 0.6


class Refusing(Site):
    """Serves robots.txt like a page, on its second address only."""

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        page = self.pages.get(request.path)
        if request.path == "/robots.txt" and page is not None and request.host == self.hosts[1]:
            self.log.append(Request(time.monotonic(), request.host, request.path, {}))
            answer: web.StreamResponse = page(request)
            return answer
        return await super()._answer(request)


@dataclass
class Fickle(Site):
    """Reads every third request on a kept connection and closes it unanswered."""

    requests: Counter[object] = field(default_factory=Counter)

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        self.requests[request.transport] += 1
        answer = await super()._answer(request)
        if self.requests[request.transport] == 3:
            assert request.transport is not None
            request.transport.abort()
        return answer


async def test_a_request_that_was_read_and_not_answered_is_repeated_in_the_hosts_turn(tmp_path: Path) -> None:
    async with Fickle({}) as fickle:
        fickle.pages.update(tree_site(15, fickle.hosts))
        await crawl(tmp_path / "c", [tree_url(0, fickle.hosts)], delay=0.1)
        unanswered = sum(count >= 3 for count in fickle.requests.values())
    times = [request.at for request in fickle.log]
    assert unanswered >= 3
    assert min(later - earlier for earlier, later in pairwise(times)) >= 0.09
    with storage_at(tmp_path / "c").reader() as reader:
        status = reader.status()
    assert (status.pages, status.reasons) == (15, {})


@pytest.mark.parametrize("busy", ["/page1.html", "/robots.txt"])
async def test_a_wait_that_a_host_asked_for_outlives_the_crawl(tmp_path: Path, busy: str) -> None:
    def too_busy(_: web.BaseRequest) -> web.Response:
        return web.Response(status=503, headers={"Retry-After": "120"})

    addresses = ["127.0.0.1", "127.0.0.2"]
    async with Refusing({}, addresses=addresses) as busy_site:
        pages = tree_site(15, busy_site.hosts)
        busy_site.pages.update({**pages, busy: too_busy})
        seed = tree_url(0, busy_site.hosts)
        await crawl(tmp_path / "c", [seed, tree_url(1, busy_site.hosts)], delay=0.05, max_time=1.0)
        before = Counter(request.host for request in busy_site.log)
        async with Crawl.resume(tmp_path / "c", max_time=1.5) as again:
            waits = {wait.host: wait.seconds for wait in again.waits()}
            await again.run()
    after = Counter(request.host for request in busy_site.log)
    host = busy_site.hosts[1]
    assert after[host] == before[host] > 0
    assert 100 < waits[host] <= (600 if busy == "/robots.txt" else 120), (
        "robots.txt is asked for again after 600 s"
    )


@pytest.mark.timeout(120)
def test_delays_outlive_a_kill(site: Audited, tmp_path: Path) -> None:
    directory = tmp_path / "c"
    options = ["--delay", "1.2", "--strategy", "bfs", "--allow-private", "127.0.0.0/8", "--max-pages", "3"]
    process = start("crawl", "birds", "--seed", site.seeds[PLAIN], "-o", str(directory), *options)
    while len(site.requests()) < 2:
        assert process.poll() is None
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert start("resume", str(directory)).wait(60) == 0
    requests = site.by_host()[site.hosts[PLAIN]]
    assert [request.path for request in requests].count("/robots.txt") == 2
    assert min(gaps(requests)) >= 1.2


def start(*arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "lagotto", *arguments]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
