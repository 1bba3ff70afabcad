"""One run: a strategy crawls an analysed web in replay; the fetched pages are returned.

A run knows nothing of labels; it is judged afterwards.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count

from msgspec import Struct

from lagotto.assembly import OpenCrawl, make_worker
from lagotto.batch import Batch
from lagotto.config import Config
from lagotto.crawling.events import Event, PageDone
from lagotto.crawling.listeners import Listeners
from lagotto.crawling.seeding import seed_lease
from lagotto.crawling.statistics import Statistics
from lagotto.crawling.worker import Clock
from lagotto.frontier import Hosts, Scope
from lagotto.lab.experiments.replay import Analysis, ReplayFetcher, ReplayParser
from lagotto.store import storage_at
from lagotto.strategies.base import Strategy
from lagotto.urls import SHARDS

Fetched = Callable[[int], None]
"""Called after each page with the number of pages so far."""


class Replayed(Struct):
    """A run as the crawler saw it."""

    urls: list[str] = []
    """Pages in fetch order, seeds included."""
    relevant: list[bool] = []
    """The strategy's verdict on each; False for a page whose content was seen before."""
    frontier: int = 0
    """Links left in the frontier."""
    cpu_seconds: float = 0.0
    why: str = ""
    """Why it ended."""


class Everywhere(Scope):
    """No limits, as the web is finite and all its links lead to its own pages; traps are avoided."""

    def _look_at(self, url: str) -> None:
        """Nothing looks wrong."""


def replay(
    strategy: Strategy,
    analysis: Analysis,
    seeds: Sequence[str],
    budget: int,
    *,
    content_seen: bool = True,
    fetched: Fetched = lambda pages: None,
) -> Replayed:
    """Crawl with one page at a time from lease to commit, so that the order is exact and repeatable."""
    with _without_collector():
        return asyncio.run(_replay(strategy, analysis, seeds, budget, content_seen, fetched))


async def _replay(
    strategy: Strategy,
    analysis: Analysis,
    seeds: Sequence[str],
    budget: int,
    content_seen: bool,
    fetched: Fetched,
) -> Replayed:
    run = Replayed()

    def add(event: Event) -> None:
        if isinstance(event, PageDone) and event.status == 200:
            run.urls.append(event.url)
            run.relevant.append(bool(event.relevant))
            fetched(len(run.urls))

    ticks = count()
    config = Config(delay=0.0, concurrency=1, max_pages=budget, retries=0, content_seen=content_seen)
    store = await storage_at(":memory:").create(b"", keep_text=False)
    await store.acquire(range(SHARDS), "lab")
    statistics = Statistics()
    statistics.known = (await store.commit(Batch(seeds=[seed_lease(url) for url in seeds]))).new
    worker = await make_worker(
        config,
        OpenCrawl(
            store=store,
            strategy=strategy,
            scope=Everywhere(),
            fetcher=ReplayFetcher(analysis),
            parser=ReplayParser(),
            hosts=Hosts(),
            statistics=statistics,
        ),
        Listeners(tell=add),
        # Time stands for order alone: two runs of the same crawl are the same to the last byte.
        Clock(now=lambda: float(next(ticks)), wall=lambda: 0.0),
    )
    started = time.process_time()
    run.why = await worker.run()
    run.cpu_seconds = time.process_time() - started
    run.frontier = statistics.known - statistics.concluded
    await store.close()
    return run


@contextmanager
def _without_collector() -> Iterator[None]:
    """A run makes millions of small objects and hardly a cycle, so looking for cycles is lost time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
            gc.collect()
