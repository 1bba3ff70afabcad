"""Kill -9 at any moment, then resume: nothing lost, nothing committed twice."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.crawling.audit import audit, run_killed_at
from tests.site import Site, tree_site, tree_url

ADDRESSES = [f"127.0.7.{n}" for n in range(1, 13)]


def commands(directory: Path, seed: str, *more: str) -> tuple[list[str], list[str]]:
    """The command that starts the crawl, and the one that goes on with it."""
    first = ["crawl", "birds", "--seed", seed, "-o", str(directory), "--delay", "0"]
    return [*first, "--allow-private", "127.0.0.0/8", *more], ["resume", str(directory)]


async def check_kills(directory: Path, pages: int, kills: int, at_once: int, *options: str) -> None:
    """Crawl a site of so many pages, killed so many times on the way."""
    async with Site({}, addresses=ADDRESSES) as site:
        site.pages.update(tree_site(pages, site.hosts))
        expected = {tree_url(number, site.hosts) for number in range(pages)}
        first, again = commands(directory, tree_url(0, site.hosts), "--concurrency", str(at_once), *options)
        counts = [pages * n // (kills + 1) for n in range(1, kills + 1)]
        assert await run_killed_at(counts, site, first, again) == kills
        found = audit(directory, site, expected)
    assert (found.lost, found.double_commits, found.double_records) == (0, 0, 0)
    assert found.refetches <= kills * 2 * at_once


@pytest.mark.timeout(400)
async def test_twenty_kills_lose_nothing(tmp_path: Path) -> None:
    await check_kills(tmp_path / "crawl", 1500, 20, 8, "--strategy", "bfs")


@pytest.mark.timeout(400)
async def test_kills_at_full_speed_lose_nothing(tmp_path: Path) -> None:
    """As many requests at once as a site can take, and all that the default strategy does besides."""
    await check_kills(tmp_path / "crawl", 700, 5, 64, "--strategy", "scent", "--connections-per-host", "16")


async def test_the_audit_catches_a_crawler_that_forgets(tmp_path: Path) -> None:
    directory = tmp_path / "crawl"
    async with Site({}, addresses=ADDRESSES) as site:
        site.pages.update(tree_site(200, site.hosts))
        expected = {tree_url(number, site.hosts) for number in range(200)}
        first, again = commands(directory, tree_url(0, site.hosts), "--strategy", "bfs")
        await run_killed_at([60], site, [*first, "--max-pages", "60"], ["status", str(directory)])
        forgotten = forget_queued_links(directory)
        await run_killed_at([], site, [*again, "--max-pages", "1000"], again)
        found = audit(directory, site, expected)
    assert forgotten > 0
    assert found.lost >= forgotten


def forget_queued_links(directory: Path) -> int:
    """What a crawler does that marks a URL as visited when it is taken: it is gone after a crash."""
    with sqlite3.connect(directory / "crawl.db") as db:
        queued = "SELECT seq FROM urls WHERE page IS NULL LIMIT 5"
        return db.execute(f"UPDATE urls SET page = 1 WHERE seq IN ({queued})").rowcount
