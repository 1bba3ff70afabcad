"""A shared crawl ends with its whole budget or an empty frontier, whoever joins or leaves when."""

from __future__ import annotations

import pytest

from lagotto.crawling.cluster import membership
from lagotto.store.postgres import pruning
from tests.crawling.cluster.short_crawls import ShortCrawl, drawn, run_short
from tests.postgres import server_for

SLOW_HOST = ShortCrawl(
    pages=4, hosts=1, latency=1.5, delay=1.0, budget=0, joins=(0, 0), leaves=0, strategy="bfs"
)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Location of a database."""
    return server_for(tmp_path_factory)


@pytest.mark.timeout(200)
async def test_workers_that_join_on_one_slow_host_fetch_all_its_pages(database: str) -> None:
    assert await run_short(database, SLOW_HOST) == ""


@pytest.mark.timeout(200)
async def test_pages_on_the_shelf_are_released_before_the_end(database: str) -> None:
    short = ShortCrawl(
        pages=20, hosts=3, latency=0.0, delay=0.0, budget=0, joins=(1, 2), leaves=0, strategy="priority"
    )
    assert await run_short(database, short) == ""


@pytest.mark.timeout(200)
async def test_workers_that_lag_behind_the_arrivals_read_their_queues_again(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pruning, "KEPT_ARRIVALS", 1)
    monkeypatch.setattr(membership, "PRUNE", 0.0)
    monkeypatch.setattr(membership, "BEAT", 0.0)
    short = ShortCrawl(
        pages=150, hosts=6, latency=0.0, delay=0.0, budget=0, joins=(0, 0), leaves=0, strategy="bfs"
    )
    assert await run_short(database, short) == ""


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.timeout(200)
async def test_short_crawls_end_whole(database: str, seed: int) -> None:
    assert await run_short(database, drawn(seed)) == "", drawn(seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4, 204))
@pytest.mark.timeout(300)
async def test_two_hundred_short_crawls_end_whole(database: str, seed: int) -> None:
    assert await run_short(database, drawn(seed)) == "", drawn(seed)
