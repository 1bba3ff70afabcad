"""Harvest of one worker and of several, on the same web with the same budget, by labels.

    python benchmarks/bench_cluster.py [--strategies scent,bfs] [--workers 1,2,4,8]

Crawls the demo web for each topic, without delays. All workers are in this process; a crawl begins when they
have divided the shards. Without `--store` a PostgreSQL is started for the run.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from collections.abc import Sequence
from itertools import product
from statistics import mean, stdev
from uuid import uuid4

from database import server_at
from figures import Figures, Table, publish

from lagotto import api as calls
from lagotto.base.urls import SHARDS
from lagotto.crawling import config as configuration
from lagotto.crawling.session import Crawl
from lagotto.focus.registry import names
from lagotto.lab.demo.web import DemoWeb
from lagotto.lab.serving.server import WebServer
from lagotto.store import storage_at, with_crawl


async def harvest(web: DemoWeb, topic: str, strategy: str, store: str, workers: int, pages: int) -> float:
    """Harvest ratio of a crawl by so many workers, all in this process."""
    words, seeds = web.topics()[topic]
    location = with_crawl(store, f"bench-{uuid4().hex[:8]}")
    async with WebServer(web) as server:
        options = {
            "topic": words,
            "seeds": list(seeds),
            "strategy": strategy,
            "proxy": server.proxy,
            "delay": 0.0,
            "max_pages": 1,
            "parsers": 1,
            "concurrency": 4,
            "judge_again": False,
            "keep_warc": False,
        }
        async with Crawl(configuration.from_values(options), location) as crawl:
            await crawl.run()
        await asyncio.to_thread(calls.steer, location, max_pages=pages)
        await asyncio.to_thread(calls.pause, location)
        crawls = [Crawl.resume(location) for _ in range(workers)]
        for each in crawls:
            await each.__aenter__()
        running = asyncio.gather(*map(to_the_end, crawls))
        await divided(location, workers)
        await asyncio.to_thread(calls.unpause, location)
        await running
    with storage_at(location).reader() as reader:
        urls = [row.url for row in reader.rows() if row.status == 200]
    storage_at(location).discard()
    return 100 * sum(web.hits(topic, urls)[:pages]) / pages


async def to_the_end(crawl: Crawl) -> None:
    """Run a worker and close it, so that the one that leads need not wait for it."""
    await crawl.run()
    await crawl.__aexit__(None, None, None)


async def divided(location: str, workers: int) -> None:
    """Wait until the workers have divided the shards."""
    store = await storage_at(location).open()
    shares: list[int] = []
    while len(shares) < workers or max(shares) - min(shares) > 1 or sum(shares) < SHARDS:
        await asyncio.sleep(0.2)
        shares = list(Counter(holder.owner for holder in await store.holders() if holder.owner).values())
    await store.close()


Found = dict[str, dict[int, list[float]]]
"""Strategy -> number of workers -> harvest of each run."""


async def measure(given: argparse.Namespace, store: str, counts: Sequence[int]) -> Found:
    """Crawl every topic by every strategy with every number of workers."""
    web = DemoWeb()
    strategies, topics = (
        given.strategies.split(","),
        given.topics.split(",") if given.topics else web.topics(),
    )
    found: Found = {strategy: {count: [] for count in counts} for strategy in strategies}
    for _ in range(given.runs):
        for topic, strategy in product(topics, strategies):
            for count in counts:
                harvested = await harvest(web, topic, strategy, store, count, given.pages)
                found[strategy][count].append(harvested)
                print(f"{topic:12} {strategy:12} {count} workers: {harvested:5.1f} %", flush=True)
    return found


def row(strategy: str, harvests: dict[int, list[float]]) -> list[str]:
    """The mean harvest of one worker, and what each number of workers loses against it."""
    alone, *others = harvests.values()
    cells = [f"`{strategy}`", f"{mean(alone):.1f} %"]
    for several in others:
        differences = [more - one for one, more in zip(alone, several, strict=True)]
        error = stdev(differences) / len(differences) ** 0.5 if len(differences) > 1 else 0.0
        cells.append(f"{mean(differences):+.1f} ± {error:.1f}")
    return cells


def main() -> None:
    """Measure and publish."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--store", default="", help="a PostgreSQL that runs")
    parser.add_argument("--strategies", default=",".join(names()))
    parser.add_argument("--topics", default="", help="by default all topics of the demo web")
    parser.add_argument("--workers", default="1,2,4,8", help="each number is compared with the first")
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--runs", type=int, default=1)
    given = parser.parse_args()
    counts = [int(count) for count in given.workers.split(",")]
    with server_at(given.store, durable=False) as store:
        found = asyncio.run(measure(given, store, counts))
    runs = len(next(iter(found.values()))[counts[0]])
    caption = (
        f"Harvest after {given.pages} pages, means of {runs} crawls: of {counts[0]} worker, and the "
        "difference with more workers, in points, with its standard error"
    )
    head = ["strategy", f"{counts[0]} worker", *(f"{count} workers" for count in counts[1:])]
    table = Table(caption, head, [row(strategy, harvests) for strategy, harvests in found.items()])
    publish(Figures(name="cluster", sentences=[], tables=[table], measured={"harvests": found}))


if __name__ == "__main__":
    main()
