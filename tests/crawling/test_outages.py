"""Outages of a host, of this process and of its files: one fault each, and the crawl goes on soon."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from lagotto.base.errors import LocalError
from lagotto.cli.progress import event_line, status_line, waiting_line
from lagotto.crawling import config as configuration
from lagotto.crawling.frontier import Wait
from lagotto.crawling.session import Crawl
from lagotto.crawling.worker.events import HostFailed
from lagotto.crawling.worker.visit import LONGEST_PAUSE, PATIENCE, Shortage
from lagotto.store import storage_at
from tests.site import Site, tree_site, tree_url

PAGES = 60


@dataclass
class FailingSite(Site):
    """Closes each connection unanswered while `out` is set."""

    out: bool = False

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        if self.out:
            assert request.transport is not None
            request.transport.abort()
        return await super()._answer(request)


def config(site: Site, **options: Any) -> configuration.Config:
    return configuration.from_values(
        {
            "topic": "birds",
            "strategy": "bfs",
            "seeds": [tree_url(0, site.hosts)],
            "delay": 0.0,
            "allow_private": ["127.0.0.0/8"],
            "parsers": 1,
            **options,
        }
    )


@pytest.mark.parametrize("connections", [1, 4, 16])
async def test_one_outage_is_one_fault_whatever_the_number_of_connections(
    tmp_path: Path, connections: int
) -> None:
    failed: list[HostFailed] = []
    async with FailingSite({}) as site:
        site.pages.update(tree_site(PAGES, site.hosts))
        wanted = config(site, connections_per_host=connections, retry_wait=0.5)
        async with Crawl(wanted, tmp_path / "c") as crawl:
            async for event in crawl:
                if crawl.statistics.pages >= 20 and not failed:
                    site.out = True
                if isinstance(event, HostFailed):
                    failed.append(event)
                    assert "waiting for 127.0.0.1" in status_line(crawl)
                    assert event.why.startswith("the server closed the connection without a whole answer")
                    site.out = False
                    ended = time.monotonic()
            waited = time.monotonic() - ended
    assert len(failed) == 1
    assert crawl.statistics.pages == PAGES
    assert waited < 5, "the old back-off was 0.5 s times 4 to the number of connections"
    assert "is left alone for" in event_line(failed[0])


def test_the_host_that_is_waited_for_is_named() -> None:
    a, b, c = (
        Wait("a.org", 4.2, "no answer"),
        Wait("b.org", 9.0, "status 503"),
        Wait("c.org", 9.5, "no answer"),
    )
    assert waiting_line([a]) == "waiting for a.org, 4 s more: no answer"
    assert waiting_line([a, b]) == "waiting for a.org, 4 s more: no answer; and for 1 more host"
    assert waiting_line([a, b, c]) == "waiting for a.org, 4 s more: no answer; and for 2 more hosts"
    assert waiting_line([]) == "waiting for a host's turn"


@asynccontextmanager
async def started_crawl(
    directory: Path, seed: str, *options: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A crawl in a process of its own, killed if the test fails before it ends."""
    private = ("--allow-private", "127.0.0.0/8")
    command = [sys.executable, "-m", "lagotto", "crawl", "birds", "--seed", seed, "-o", str(directory)]
    crawl = await asyncio.create_subprocess_exec(
        *command, "--delay", "0", "--strategy", "bfs", *private, *options, stdout=asyncio.subprocess.PIPE
    )
    try:
        yield crawl
    finally:
        if crawl.returncode is None:
            crawl.kill()
            await crawl.communicate()


async def test_a_process_that_was_stopped_goes_on_soon_after_it_wakes(tmp_path: Path) -> None:
    """All requests under way seem to have taken too long, which is no fault of the host."""
    async with Site({}) as site:
        site.pages.update(tree_site(400, site.hosts))
        options = ("--connections-per-host", "16", "--timeout", "1")
        async with started_crawl(tmp_path / "c", tree_url(0, site.hosts), *options) as crawl:
            while len(site.log) < 100:
                await asyncio.sleep(0.01)
            os.kill(crawl.pid, signal.SIGSTOP)
            await asyncio.sleep(2.5)
            before, woken = len(site.log), time.monotonic()
            os.kill(crawl.pid, signal.SIGCONT)
            output, _ = await asyncio.wait_for(crawl.communicate(), 30)
        waited = next(request.at for request in site.log[before:]) - woken
    assert waited < 2
    assert b"400 pages" in output
    with storage_at(tmp_path / "c").reader() as reader:
        assert reader.status().reasons == {}


async def test_lack_of_file_descriptors_is_held_against_nobody(tmp_path: Path) -> None:
    async with Site({}, addresses=[f"127.0.9.{n}" for n in range(1, 41)]) as site:
        site.pages.update(tree_site(300, site.hosts))
        async with started_crawl(tmp_path / "c", tree_url(0, site.hosts), "--concurrency", "64") as crawl:
            resource.prlimit(crawl.pid, resource.RLIMIT_NOFILE, (40, 40))
            output, _ = await asyncio.wait_for(crawl.communicate(), 60)
    assert crawl.returncode == 0, output[-600:]
    assert b"no room for more requests on this machine (Too many open files)" in output
    with storage_at(tmp_path / "c").reader() as reader:
        status = reader.status()
    assert (status.pages, status.reasons) == (300, {})


def test_pauses_grow_while_a_shortage_lasts_and_then_the_crawl_ends_with_a_sentence() -> None:
    shortage, why = Shortage(), "Too many open files"
    now, pauses = 100.0, []
    while now <= 100.0 + PATIENCE:
        pauses.append(shortage.pause(now, 1.0, why))
        assert shortage.pause(now, 1.0, why) == 0.0, "one pause at a time"
        now += pauses[-1]
    assert pauses[:4] == [1.0, 2.0, 4.0, 8.0]
    assert max(pauses) == LONGEST_PAUSE
    with pytest.raises(LocalError, match="raise the limit of open files"):
        shortage.pause(now, 1.0, why)
    shortage.over()
    assert shortage.pause(now, 1.0, why) == 1.0
