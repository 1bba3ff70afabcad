"""Politeness as the servers see it: delays of hosts and addresses, whatever is asked of them and why."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lagotto import config as configuration
from lagotto.api import Crawl
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

DELAY = 0.2


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Audited]:
    with served(tmp_path / "requests.log") as audited:
        yield audited


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


async def test_hosts_that_share_an_address_share_its_delay(site: Audited, tmp_path: Path) -> None:
    await crawl(tmp_path / "c", site.seeds, delay=0.0, ip_delay=0.1, max_pages=18)
    requests = [request for request in site.requests() if request.host != site.hosts[DELAYED]]
    assert len({request.host for request in requests}) > 3
    assert len(requests) > 12
    assert min(gaps(site.requests())) >= 0.1


async def test_names_that_share_an_address_share_its_delay(
    site: Audited, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
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
    assert len(site.requests()) >= 14
    assert min(gaps(site.requests())) >= 0.1


async def test_a_crawl_that_goes_on_starts_with_a_delay(site: Audited, tmp_path: Path) -> None:
    seeds = [site.seeds[PLAIN]]
    await crawl(tmp_path / "c", seeds, delay=0.6, max_pages=2)
    async with Crawl.resume(tmp_path / "c", max_pages=4) as crawl_again:
        await crawl_again.run()
    assert len(site.requests()) >= 6
    assert min(gaps(site.by_host()[site.hosts[PLAIN]])) >= 0.6


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
