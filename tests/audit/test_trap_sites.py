"""Traps waste few requests, hide no real page, and what is known of them survives a restart."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from audit.trap_sites import SITES, TOPIC, RedirectCounters, SessionIds, Site, SoftNotFound, TrapServer
from audit.traps import LEAST_FOUND, MOST_WASTED
from lagotto.crawling import assembly
from lagotto.crawling import config as configuration
from lagotto.crawling.frontier import Refused, Scope
from lagotto.crawling.frontier.traps.evidence import Trapped
from lagotto.crawling.session import Crawl
from lagotto.store import storage_at
from tests.crawling.audit import lagotto

# Redirects are no pages: they have limits of their own.
BY_PAGES = [site for site in SITES if site is not RedirectCounters]


def config(server: TrapServer, **values: object) -> configuration.Config:
    given = {
        "topic": TOPIC,
        "seeds": [server.site.seed],
        "proxy": server.proxy,
        "delay": 0.0,
        "max_pages": 1000,
        "keep_warc": False,
    }
    return configuration.from_values(given | values)


@pytest.mark.parametrize("make_site", BY_PAGES, ids=lambda make_site: make_site.name)
async def test_traps_waste_few_requests_and_hide_no_real_page(
    make_site: Callable[[], Site], tmp_path: Path
) -> None:
    with TrapServer(make_site()) as server:
        async with Crawl(config(server), tmp_path / "c") as crawl:
            await crawl.run()
        assert server.wasted <= MOST_WASTED
        assert server.found >= LEAST_FOUND
        assert crawl.traps or crawl.statistics.left_out[Refused.HIDDEN] or server.wasted < 20


async def test_redirect_counters_waste_few_requests(tmp_path: Path) -> None:
    with TrapServer(RedirectCounters()) as server:
        async with Crawl(config(server), tmp_path / "c") as crawl:
            await crawl.run()
        assert server.wasted <= MOST_WASTED
        assert server.found >= LEAST_FOUND


async def test_ignored_traps_use_up_the_budget(tmp_path: Path) -> None:
    with TrapServer(SessionIds()) as server:
        async with Crawl(config(server, avoid_traps=False, max_pages=300), tmp_path / "c") as crawl:
            await crawl.run()
        assert server.wasted > 150
        assert not crawl.traps


@pytest.mark.parametrize("make_site", BY_PAGES, ids=lambda make_site: make_site.name)
async def test_what_is_known_of_traps_survives_a_restart(
    make_site: Callable[[], Site], tmp_path: Path
) -> None:
    with TrapServer(make_site()) as server:
        wanted = config(server, strategy="bfs", max_pages=90)
        async with Crawl(wanted, tmp_path / "c") as crawl:
            await crawl.run()
            before = crawl._worker.conclusions.scope if crawl._worker else Scope()
    after = assembly.make_scope(wanted, [])
    with storage_at(tmp_path / "c").reader() as reader:
        assembly.recall(after, reader.fetched())
        queued = reader.best_queued(1000)
    assert queued

    def verdicts(scope: Scope) -> list[Trapped | None]:
        """What is refused, but for sections without end: what their pages brought is not kept."""
        found = [scope.traps.refuses(link.url, link.parent) for link in queued]
        return [None if each is not None and each.reason == Refused.ENDLESS else each for each in found]

    assert verdicts(after) == verdicts(before)


def test_a_killed_crawl_goes_on_knowing_its_traps(tmp_path: Path) -> None:
    with TrapServer(SoftNotFound()) as server:
        options = ["--seed", server.site.seed, "--proxy", server.proxy, "--delay", "0", "--max-pages", "1000"]
        command = [sys.executable, "-m", "lagotto", "crawl", TOPIC, "-o", str(tmp_path / "c"), *options]
        crawl = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        server.wait_for(120)
        crawl.kill()
        crawl.wait()
        lagotto("resume", str(tmp_path / "c"))
        assert server.wasted <= MOST_WASTED
        assert server.found >= LEAST_FOUND


def test_the_reason_is_shown(tmp_path: Path) -> None:
    why = "known-by-another-url: parameter sid does not change the pages of trap.example"
    directory = str(tmp_path / "c")
    with TrapServer(SessionIds()) as server:
        options = ["--seed", server.site.seed, "--proxy", server.proxy, "--delay", "0"]
        said = lagotto("crawl", TOPIC, "-o", directory, *options)
    assert "trap: parameter sid does not change the pages of trap.example" in said
    assert f"trap           {why}" in lagotto("status", directory)
    assert json.loads(lagotto("status", directory, "--json"))["traps"][why] > 100
    rows = [json.loads(line) for line in lagotto("export", directory).splitlines()]
    refused = next(row["url"] for row in rows if row["reason"] == "trap")
    assert f"({why})" in lagotto("explain", directory, refused)
    fetched = next(row["url"] for row in rows if row["status"] == 200 and "sid=" in row["url"])
    assert f"refuses it ({why})" in lagotto("explain", directory, f"{fetched}0")
