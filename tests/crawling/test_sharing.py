"""Workers that die, sleep and wake lose nothing, commit nothing twice and never meet at a host."""

from __future__ import annotations

import asyncio
from pathlib import Path
from uuid import uuid4

import pytest

from lagotto.crawling.config import from_values
from lagotto.crawling.session import Crawl
from lagotto.store import storage_at, with_crawl
from tests.cluster_figures import DELAY, meetings
from tests.cluster_trial import ADDRESSES, CONCURRENCY, kill_workers, run_trial, stop_past_the_lease
from tests.postgres import server_for
from tests.site import Request, Site, tree_site, tree_url

IN_FLIGHT = 2 * CONCURRENCY
PAGES = 60


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Location of a database."""
    return server_for(tmp_path_factory)


@pytest.mark.timeout(400)
async def test_killed_workers_lose_nothing(database: str, tmp_path: Path) -> None:
    figures = await run_trial(database, tmp_path, kill_workers, pages=500)
    assert not figures.broken, figures.sentence()
    assert figures.refetches <= 2 * IN_FLIGHT, figures.sentence()


# It did not end in one of two runs of the whole suite; why is not known yet.
@pytest.mark.long
@pytest.mark.timeout(400)
async def test_a_worker_that_slept_past_its_lease_is_refused(database: str, tmp_path: Path) -> None:
    figures = await run_trial(database, tmp_path, stop_past_the_lease, pages=500)
    assert not figures.broken, figures.sentence()
    assert figures.refused > 0, "it came back with pages of shards that were no longer its own"
    assert figures.refetches <= 2 * IN_FLIGHT, figures.sentence()


@pytest.mark.timeout(120)
async def test_every_worker_ends_with_the_counts_of_the_whole_crawl(database: str) -> None:
    location = with_crawl(database, f"counts-{uuid4().hex[:8]}")
    async with Site({}, addresses=ADDRESSES) as site:
        site.pages.update(tree_site(PAGES, site.hosts))
        config = from_values(
            {
                "topic": "heron",
                "seeds": [tree_url(0, site.hosts)],
                "allow_private": ["127.0.0.0/8"],
                "delay": 0.05,
                "keep_warc": False,
            }
        )
        async with Crawl(config, location) as one, Crawl.resume(location) as other:
            await asyncio.gather(one.run(), other.run())
        assert [each.statistics.pages for each in (one, other)] == [PAGES, PAGES]
        assert [each.frontier_size for each in (one, other)] == [0, 0]
    storage_at(location).discard()


def test_two_workers_at_one_host_are_found_out() -> None:
    def asked(at: float, worker: int, host: str = "a") -> Request:
        return Request(at, host, "/", {"User-Agent": f"lagotto (+worker-{worker}@example.org)"})

    assert meetings([asked(0.0, 1), asked(0.1, 1), asked(0.2, 1)]) == 0, (
        "one worker's delays are another test"
    )
    assert meetings([asked(0.0, 1), asked(0.1, 2, "b"), asked(DELAY, 2)]) == 0
    assert meetings([asked(0.0, 1), asked(DELAY / 2, 2)]) == 1
