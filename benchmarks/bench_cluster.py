"""Harvest of one, two, four workers on the same web with the same budget, by labels.

python benchmarks/bench_cluster.py --store postgresql://user@host/database [--strategies scent,bfs]
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
from collections import Counter
from uuid import uuid4

from webs import skip

from lagotto import calls
from lagotto import config as configuration
from lagotto.api import Crawl
from lagotto.demo.web import DemoWeb
from lagotto.lab.serving.server import WebServer
from lagotto.store import storage_at, with_crawl
from lagotto.urls import SHARDS


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


async def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--store", help="a PostgreSQL database; without one nothing is measured")
    parser.add_argument("--strategies", default="scent")
    parser.add_argument("--topics", default="truffles,astronomy,sailing")
    parser.add_argument("--workers", default="1,2,4")
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    if not given.store:
        skip("workers need a PostgreSQL database; name one with --store")
    web = DemoWeb()
    counts = [int(count) for count in given.workers.split(",")]
    for strategy in given.strategies.split(","):
        for topic in given.topics.split(","):
            found: dict[int, list[float]] = {count: [] for count in counts}
            for _ in range(given.runs):
                for count in counts:
                    found[count].append(await harvest(web, topic, strategy, given.store, count, given.pages))
            means = "  ".join(f"{count}: {statistics.mean(found[count]):5.1f} %" for count in counts)
            spread = "  ".join(f"{min(found[count]):.1f}-{max(found[count]):.1f}" for count in counts)
            print(f"{strategy:12} {topic:12} workers {means}   (from {spread})", flush=True)


if __name__ == "__main__":
    asyncio.run(main())
