"""One run: a strategy crawls an analysed web in replay, and what it fetched comes back.

A run knows nothing of labels. It is judged afterwards, by whoever asked for it.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count

from msgspec import Struct

from lagotto.assembly import make_worker
from lagotto.config import Config
from lagotto.crawling.events import Event, PageDone
from lagotto.crawling.seeding import seed_lease
from lagotto.crawling.statistics import Statistics
from lagotto.frontier import Scope
from lagotto.lab.replay import Analysis, ReplayFetcher, ReplayParser
from lagotto.store import SqliteStore
from lagotto.strategies.base import Strategy
from lagotto.urls import SHARDS


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
    """No limits: the web is finite, and all its links lead to its own pages."""

    def refuses(self, url: str, depth: int) -> None:
        """Nothing."""

    admits = refuses


def replay(
    strategy: Strategy, analysis: Analysis, seeds: Sequence[str], budget: int, *, content_seen: bool = True
) -> Replayed:
    """Crawl with one page at a time from lease to commit, so that the order is exact and repeatable."""
    with _without_collector():
        return asyncio.run(_replay(strategy, analysis, seeds, budget, content_seen))


async def _replay(
    strategy: Strategy, analysis: Analysis, seeds: Sequence[str], budget: int, content_seen: bool
) -> Replayed:
    run = Replayed()

    def note(event: Event) -> None:
        if isinstance(event, PageDone) and event.outcome.status == 200:
            judgement = event.outcome.judgement
            run.urls.append(event.url)
            run.relevant.append(judgement is not None and judgement.relevant)

    ticks = count()
    store = SqliteStore.memory()
    store.acquire(range(SHARDS), "lab")
    statistics = Statistics()
    statistics.known = store.add_seeds([seed_lease(url) for url in seeds]).new
    worker = make_worker(
        Config(delay=0.0, concurrency=1, max_pages=budget, retries=0, content_seen=content_seen),
        store=store,
        strategy=strategy,
        scope=Everywhere(),
        fetcher=ReplayFetcher(analysis),
        parser=ReplayParser(),
        statistics=statistics,
        tell=note,
        # Time stands for order alone: two runs of the same crawl are the same to the last byte.
        now=lambda: float(next(ticks)),
        wall=lambda: 0.0,
    )
    started = time.process_time()
    run.why = await worker.run()
    run.cpu_seconds = time.process_time() - started
    run.frontier = statistics.known - statistics.concluded
    store.close()
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
