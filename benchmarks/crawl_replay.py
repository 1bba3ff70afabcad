"""One strategy crawls an analysed web in replay, with its store on disk, and says how it grows.

    python benchmarks/crawl_replay.py STRATEGY TOPIC PAGES ANALYSIS

Pages come parsed from the analysis, so what is measured is all that comes after parsing: judge, score, learn,
frontier, commit. A strategy that drops so many links that none are left is handed pages drawn at random.
Prints a list of points as JSON.
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

from lagotto.assembly import make_worker
from lagotto.config import Config
from lagotto.crawling.events import Event, PageDone
from lagotto.crawling.seeding import seed_lease
from lagotto.crawling.statistics import Statistics
from lagotto.lab.replay import ReplayFetcher, ReplayParser
from lagotto.lab.run import Everywhere
from lagotto.lab.web import FrozenWeb
from lagotto.registry import build_strategy
from lagotto.store import SqliteStore
from lagotto.topic import Topic
from lagotto.urls import SHARDS

EVERY = 500
HANDED = 500
"""Pages given to a strategy that has run out of links."""


class Point(msgspec.Struct):
    """How far a crawl has come, and what it has taken so far."""

    pages: int
    cpu: float
    """Seconds."""
    memory: float
    """MiB, without files that are mapped, as the analysis is."""


async def crawl(strategy: str, topic: str, pages: int, analysis: FrozenWeb, directory: Path) -> list[Point]:
    """Crawl, and note a point every few hundred pages."""
    wanted = task("debdocs", topic)
    points: list[Point] = []
    statistics = Statistics()

    def note(event: Event) -> None:
        if isinstance(event, PageDone) and statistics.pages >= EVERY * len(points):
            points.append(Point(statistics.pages, time.process_time(), memory(mapped=False)))

    store = SqliteStore.create(directory)
    store.acquire(range(SHARDS), "benchmark")
    statistics.known = store.add_seeds([seed_lease(url) for url in wanted.seeds]).new
    worker = make_worker(
        Config(delay=0.0, connections_per_host=16, max_pages=pages, retries=0),
        store=store,
        strategy=build_strategy(strategy, Topic(wanted.words), {}),
        scope=Everywhere(),
        fetcher=ReplayFetcher(analysis),
        parser=ReplayParser(),
        statistics=statistics,
        tell=note,
    )
    await worker.run()
    others = iter(random.Random(7).sample(analysis.urls(), len(analysis)))
    while statistics.pages < pages and (handed := list(islice(others, HANDED))):
        added = store.add_seeds([msgspec.structs.replace(seed_lease(url), depth=1) for url in handed])
        statistics.known += added.new
        worker.frontier.settle([], added.added)
        await worker.run()
    points.append(Point(statistics.pages, time.process_time(), memory(mapped=False)))
    store.close()
    return points


def main() -> None:
    """Crawl and tell."""
    strategy, topic, pages, path = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="lagotto-bench-") as folder, FrozenWeb.open(path) as analysis:
        points = asyncio.run(crawl(strategy, topic, int(pages), analysis, Path(folder) / "crawl"))
    print(msgspec.json.encode(points).decode(), flush=True)


if __name__ == "__main__":
    main()
