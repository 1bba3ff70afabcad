"""Parser processes that are killed from outside, as by a kernel that is out of memory: no page is lost."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path

import pytest

from lagotto.cli.progress import closing_lines, parser_lines
from lagotto.crawling import config as configuration
from lagotto.crawling.session import Crawl
from lagotto.store import storage_at
from tests.site import Site, tree_site, tree_url


def child_processes() -> list[int]:
    """Child processes of this one, those that are just starting included."""
    return [int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]


async def kill_parsers(seconds: float, before: set[int]) -> int:
    """Kill each parser process soon after it appears, for so long; returns how many."""
    killed: set[int] = set()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for pid in set(child_processes()) - before - killed:
            os.kill(pid, signal.SIGKILL)
            killed.add(pid)
        await asyncio.sleep(0.02)
    return len(killed)


@pytest.mark.parametrize("pages_before", [0, 20])
async def test_killed_parsers_cost_no_page(tmp_path: Path, pages_before: int) -> None:
    before = set(child_processes())
    async with Site({}, addresses=["127.0.8.1"]) as site:
        site.pages.update(tree_site(150, site.hosts))
        config = configuration.from_values(
            {
                "topic": "birds",
                "strategy": "bfs",
                "seeds": [tree_url(0, site.hosts)],
                "delay": 0.0,
                "connections_per_host": 8,
                "allow_private": ["127.0.0.0/8"],
                "parsers": 2,
            }
        )
        async with Crawl(config, tmp_path / "c") as crawl:
            running = asyncio.create_task(crawl.run())
            while crawl.statistics.pages < pages_before:
                await asyncio.sleep(0.01)
            assert await kill_parsers(1.0, before) > 0
            assert await running == "the frontier is empty"
    with storage_at(tmp_path / "c").reader() as reader:
        status = reader.status()
    assert status.pages == 150
    assert status.reasons == {}
    assert any(line.startswith("parser processes died (SIGKILL") for line in closing_lines(crawl))


def test_pages_that_were_given_up_are_named_at_the_end() -> None:
    assert parser_lines({}, 0) == []
    assert parser_lines({}, 3) == ["3 pages were given up because they break the parser (reason parse-crash)"]
