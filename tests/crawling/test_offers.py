"""Workers wait for better links of others, but for nobody who has none or is gone."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

import pytest

from lagotto.base.batch import Batch
from lagotto.base.protocols import SharedStore
from lagotto.crawling.assembly import OpenCrawl, make_worker
from lagotto.crawling.cluster.membership import Membership
from lagotto.crawling.cluster.offers import SAME
from lagotto.crawling.cluster.sharing import Sharing
from lagotto.crawling.config import Config
from lagotto.crawling.frontier import Hosts, Scope
from lagotto.crawling.worker.seeding import seed_lease
from lagotto.crawling.worker.statistics import Statistics
from lagotto.crawling.worker.worker import Worker
from lagotto.focus.strategies.simple import BreadthFirst
from lagotto.focus.topic import Topic
from lagotto.lab.experiments.replay import ReplayFetcher, ReplayParser
from lagotto.store import storage_at, with_crawl
from tests.crawling.test_worker import HOSTS, SEED, web
from tests.postgres import server_for

BEST = (-99.0, 0)
"""A better link than any of the web."""
LATER = (-0.5, 10_000)


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Location of a database."""
    return server_for(tmp_path_factory)


@asynccontextmanager
async def two(database: str) -> AsyncIterator[tuple[Worker, Sharing, SharedStore]]:
    """A worker that has all shards, and the store of another one."""
    storage = storage_at(with_crawl(database, f"offers-{uuid4().hex[:8]}"))
    store, other = await storage.create(b""), await storage.open()
    assert isinstance(store, SharedStore)
    assert isinstance(other, SharedStore)
    membership = Membership(store, "one", time.monotonic)
    await membership.join(0.0)
    await store.commit(Batch(seeds=[seed_lease(SEED)]))
    await other.acquire([], "other", membership.lease)
    worker = await make_worker(
        Config(delay=0.0, retries=0, max_pages=HOSTS + 1),
        OpenCrawl(
            store=store,
            strategy=BreadthFirst(Topic("birds")),
            scope=Scope(),
            fetcher=ReplayFetcher(web()),
            parser=ReplayParser(),
            hosts=Hosts(),
            statistics=Statistics(),
            membership=membership,
        ),
    )
    assert worker.sharing is not None
    await look(worker, worker.sharing)
    try:
        yield worker, worker.sharing, other
    finally:
        await membership.leave()
        await store.close()
        await other.close()
        storage.discard()


async def look(worker: Worker, sharing: Sharing) -> None:
    """Look at once who is there, and what they offer."""
    sharing.membership.due = 0.0
    await sharing.go_on(worker)
    await worker.rest(SAME)
    await sharing.go_on(worker)


async def test_a_link_waits_for_a_better_one_of_another_worker(database: str) -> None:
    async with two(database) as (worker, sharing, other):
        await other.offer(BEST)
        await look(worker, sharing)
        assert sharing.holds_back(LATER)
        await other.offer(None)
        await look(worker, sharing)
        assert not sharing.holds_back(LATER)


async def test_nobody_waits_for_a_worker_that_has_left(database: str) -> None:
    async with two(database) as (worker, sharing, other):
        await other.offer(BEST)
        await look(worker, sharing)
        await other.leave()
        await look(worker, sharing)
        assert not sharing.holds_back(LATER)


async def test_a_paused_worker_keeps_its_offer_as_it_goes_on_soon(database: str) -> None:
    async with two(database) as (worker, sharing, other):
        worker.pause()
        await look(worker, sharing)
        assert await other.offer(None) is not None


async def test_a_worker_that_ends_withdraws_its_offer(database: str) -> None:
    async with two(database) as (worker, _, other):
        assert await other.offer(None) is not None, "its seed, whose host has yet to be read"
        worker.stop("stopped by the test")
        await worker.run()
        assert await other.offer(None) is None
