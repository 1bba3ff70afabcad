"""Pausing a worker: nothing is leased, what is under way is finished, and the time does not count."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from lagotto.base.events import PageDone
from lagotto.crawling.assembly import OpenCrawl, make_worker
from lagotto.crawling.config import Config
from lagotto.crawling.frontier import Hosts, Scope
from lagotto.crawling.worker.events import Listeners
from lagotto.crawling.worker.seeding import seed_lease
from lagotto.crawling.worker.statistics import Statistics
from lagotto.crawling.worker.worker import POLL, Clock, Worker
from lagotto.focus.registry import build_strategy
from lagotto.focus.topic import Topic
from lagotto.lab.checks.store_calls import queue
from lagotto.lab.experiments.replay import ReplayFetcher, ReplayParser
from tests.focus.strategies.tiny_crawl import ROOT, TinyWeb, page
from tests.store.blocking import Blocking

PAGES = 12


class Hands:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


async def started(
    clock: Hands, after_page: Callable[[Worker, int], None], max_time: float
) -> tuple[Worker, list[str]]:
    """A worker on a chain of pages, and the pages it has done; `after_page` is called after each."""
    web = TinyWeb(*(page(f"p{n}", f"bird {n}", [f"p{n + 1}"]) for n in range(PAGES)))
    store = Blocking.memory().hold_all().store
    await queue(store, [seed_lease(f"{ROOT}p0")])
    done: list[str] = []

    def tell(event: object) -> None:
        if isinstance(event, PageDone) and event.status == 200:
            done.append(event.url)
            after_page(worker, len(done))

    worker = await make_worker(
        Config(delay=0.0, concurrency=1, max_time=max_time, retries=0),
        OpenCrawl(
            store=store,
            strategy=build_strategy("bfs", Topic("bird"), {}),
            scope=Scope(),
            fetcher=ReplayFetcher(web),
            parser=ReplayParser(),
            hosts=Hosts(),
            statistics=Statistics(),
        ),
        Listeners(tell=tell),
        Clock(now=clock, wall=lambda: 0.0),
    )
    return worker, done


async def test_time_spent_paused_does_not_use_up_the_budget() -> None:
    clock = Hands()

    def after_page(worker: Worker, pages: int) -> None:
        clock.now += 1.0
        if pages == 4:
            worker.pause()
            clock.now += 10_000.0
            asyncio.get_running_loop().call_soon(worker.go_on)

    worker, done = await started(clock, after_page, max_time=8.0)
    assert await worker.run() == "the time of 8 s is used"
    assert len(done) == 8
    assert worker.spent.seconds < 10.0


async def test_a_paused_worker_leases_nothing_until_it_is_woken() -> None:
    """It looks for commands all the while, and one of them ends the pause."""
    clock, looks = Hands(), 0
    worker, done = await started(clock, lambda worker, pages: worker.pause() if pages == 3 else None, 0.0)

    async def take_commands() -> None:
        nonlocal looks
        if worker.paused:
            looks += 1
            clock.now += POLL
            if looks == 3:
                assert len(done) == 3
                worker.go_on()

    worker.listeners.take_commands = take_commands
    assert await worker.run() == "the frontier is empty"
    assert len(done) == PAGES


async def test_a_paused_worker_can_be_stopped() -> None:
    clock = Hands()
    worker, done = await started(clock, lambda *_: None, 0.0)
    worker.pause()
    asyncio.get_running_loop().call_soon(worker.stop, "stopped by anna")
    assert await worker.run() == "stopped by anna"
    assert done == []
