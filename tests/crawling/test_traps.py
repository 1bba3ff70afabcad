"""Crawler traps: every known family is bounded, without a budget, and what is useful beside it is fetched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lagotto.crawling import config as configuration
from lagotto.crawling.frontier import Refused
from lagotto.crawling.frontier.shapes import QUERIES
from lagotto.crawling.session import Crawl
from tests.crawling.traps import TRAPS, USEFUL, TrapWeb

LIMIT = 20
HOSTS = 5
AT_ONCE = 8
MOST = {
    "facets": QUERIES * LIMIT + AT_ONCE,
    # Pages must have been found on five others of their look, and each has ten links.
    "soft-404": 5 * 10 + AT_ONCE,
    "redirect-chain": 30,
    "wildcard-dns": 2 * HOSTS,
}
"""Requests that a trap gets at most, where it is not as many as its URL shape may have pages."""


def test_every_known_family_is_here(lagotto_data: Path) -> None:
    known = json.loads((lagotto_data / "conformance" / "trap" / "trap_urls.json").read_text())
    assert {trap["kind"] for trap in known["traps"]} == TRAPS.keys()


async def crawl_traps(traps: TrapWeb, directory: Path, **values: object) -> Crawl:
    """Crawl until nothing is left, without a budget."""
    given = {
        "topic": "birds",
        "strategy": "bfs",
        "seeds": traps.seeds,
        "proxy": traps.proxy,
        "delay": 0.0,
        "sitemaps": True,
        "retry_wait": 0.1,
        "concurrency": AT_ONCE,
    }
    async with Crawl(configuration.from_values(given | values), directory) as crawl:
        assert await crawl.run() == "the frontier is empty"
    return crawl


@pytest.mark.timeout(120)
async def test_traps_are_bounded_and_useful_pages_are_fetched(tmp_path: Path) -> None:
    kinds = TRAPS.keys() - {"tarpit"}
    async with TrapWeb(kinds) as traps:
        crawl = await crawl_traps(traps, tmp_path / "c", pattern_limit=LIMIT, hosts_per_site=HOSTS)
    bounds = {kind: MOST.get(kind, LIMIT + AT_ONCE) for kind in kinds}
    assert not {kind: n for kind, n in traps.asked.items() if n > bounds[kind]}
    assert traps.asked.keys() == kinds
    assert {kind: traps.useful[kind] for kind in kinds} == dict.fromkeys(kinds, USEFUL)
    left_out = crawl.statistics.left_out
    assert {Refused.REPEATED, Refused.ESCAPES, Refused.LENGTH} <= left_out.keys()
    # Links to what is full are refused when they are found, or when their turn comes.
    assert "http://calendar.example/calendar?m&y" in crawl.full_patterns
    assert "http://facets.example/shop?*" in crawl.full_patterns
    assert any("soft-404.example" in trap for trap in crawl.traps)
    assert "*.wildcard-dns.example" in crawl.full_patterns
    assert crawl.statistics.reasons["trap"] > 0
    assert crawl.statistics.reasons["redirect-limit"] >= 3


async def test_tarpit_is_left_after_its_time_and_useful_pages_are_fetched(tmp_path: Path) -> None:
    tries, pages = 3, 3
    async with TrapWeb(["tarpit"]) as traps:
        await crawl_traps(traps, tmp_path / "c", pattern_limit=pages, timeout=1.0, retries=tries - 1)
    assert 0 < traps.asked["tarpit"] <= tries * (pages + AT_ONCE)
    assert traps.useful["tarpit"] >= USEFUL
