"""Time and memory of one strategy as it crawls an analysed web in replay, with its store on disk.

    python benchmarks/crawl_replay.py STRATEGY TOPIC PAGES ANALYSIS

Pages are already parsed, so everything after parsing is measured: judge, score, learn, frontier, commit. A
strategy that runs out of links gets random pages. Prints a list of points as JSON.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

import msgspec
from measuring import memory
from webs import task

from lagotto.base.batch import Batch
from lagotto.base.urls import SHARDS
from lagotto.crawling.assembly import OpenCrawl, make_worker
from lagotto.crawling.config import Config
from lagotto.crawling.frontier import Hosts
from lagotto.crawling.worker.events import Event, Listeners, PageDone
from lagotto.crawling.worker.seeding import seed_lease
from lagotto.crawling.worker.statistics import Statistics
from lagotto.focus.registry import build_strategy
from lagotto.focus.topic import Topic
from lagotto.lab.experiments.one_run import Everywhere
from lagotto.lab.experiments.replay import ReplayFetcher, ReplayParser
from lagotto.lab.webs.web import FrozenWeb
from lagotto.store import storage_at

EVERY = 500
HANDED = 500
"""Pages given to a strategy that has run out of links."""


class Point(msgspec.Struct):
    """Pages, time and memory of a crawl at one point."""

    pages: int
    cpu: float
    """Seconds."""
    memory: float
    """MiB, without mapped files such as the analysis."""


async def crawl(strategy: str, topic: str, pages: int, analysis: FrozenWeb, directory: Path) -> list[Point]:
    """Crawl, and record a point every few hundred pages."""
    wanted = task("debdocs", topic)
    points: list[Point] = []
    statistics = Statistics()

    def add(event: Event) -> None:
        if isinstance(event, PageDone) and statistics.pages >= EVERY * len(points):
            points.append(Point(statistics.pages, time.process_time(), memory(mapped=False)))

    store = await storage_at(directory).create(b"")
    await store.acquire(range(SHARDS), "benchmark")
    statistics.known = (await store.commit(Batch(seeds=[seed_lease(url) for url in wanted.seeds]))).new
    worker = await make_worker(
        Config(delay=0.0, connections_per_host=16, max_pages=pages, retries=0),
        OpenCrawl(
            store=store,
            strategy=build_strategy(strategy, Topic(wanted.words), {}),
            scope=Everywhere(),
            fetcher=ReplayFetcher(analysis),
            parser=ReplayParser(),
            hosts=Hosts(),
            statistics=statistics,
        ),
        Listeners(tell=add),
    )
    await worker.run()
    others = iter(random.Random(7).sample(analysis.urls(), len(analysis)))
    while statistics.pages < pages and (handed := list(islice(others, HANDED))):
        seeds = [msgspec.structs.replace(seed_lease(url), depth=1) for url in handed]
        await worker.commit(Batch(seeds=seeds))
        await worker.run()
    points.append(Point(statistics.pages, time.process_time(), memory(mapped=False)))
    await store.close()
    return points


def main() -> None:
    """Crawl and tell."""
    strategy, topic, pages, path = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="lagotto-bench-") as folder, FrozenWeb.open(path) as analysis:
        points = asyncio.run(crawl(strategy, topic, int(pages), analysis, Path(folder) / "crawl"))
    print(msgspec.json.encode(points).decode(), flush=True)


if __name__ == "__main__":
    main()
