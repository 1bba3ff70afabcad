"""Pages a second of 1, 2 and 4 `lagotto worker` processes on slow hosts that may be asked once a second.

    python benchmarks/bench_workers.py [--hosts 48] [--concurrency 3] [--seconds 30]

Every host has a loopback address of its own and answers after a second. A worker has few requests at once,
so one worker can send concurrency / latency requests a second; the hosts would allow more to all workers.
Neither the cores of the machine nor the database are the limit: the CPU that all workers and PostgreSQL used
is measured beside the pages, which the hosts count. Counting begins when the workers have divided the shards
and every host has been asked for a page, after its robots.txt. Rounds go through all numbers of workers, so
that a busy minute of the machine hits each of them.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median
from typing import NamedTuple
from uuid import uuid4

from database import Server, server_at
from figures import Aim, Figures, Table, publish
from loopback import EndlessWeb, addresses, slow_hosts
from measuring import cpu

from lagotto.base.urls import SHARDS
from lagotto.crawling.config import encode, from_values
from lagotto.store import storage_at, with_crawl

DELAY = 1.0
SETTLE = 2.0
"""Seconds from when every host has been asked for a page until pages count."""
PATIENCE = 300.0
"""Seconds that the workers may take to divide the shards."""
AIMS = {2: 1.9, 4: 3.6}


class Measured(NamedTuple):
    """One crawl."""

    rate: float
    """Pages a second."""
    cores: float
    """CPU seconds a second of the workers, and of the server."""
    server: float


class Trial:
    """Crawls the same hosts with any number of workers."""

    def __init__(self, given: argparse.Namespace, store: str) -> None:
        self.given = given
        self.store = store

    async def measure(self, workers: int) -> Measured:
        """Crawl with so many workers, and count the pages of some seconds."""
        web = EndlessWeb(addresses(5, self.given.hosts))
        location = with_crawl(self.store, f"bench-{uuid4().hex[:8]}")
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(slow_hosts(web, self.given.latency))
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="lagotto-bench-"))
            await self._create(web, location)
            stack.callback(storage_at(location).discard)
            command = [
                str(Path(sys.executable).with_name("lagotto")),
                "worker",
                "--quiet",
                "--store",
                location,
            ]
            for _ in range(workers):
                worker = await asyncio.create_subprocess_exec(*command, cwd=folder)
                stack.push_async_callback(worker.wait)
                stack.callback(worker.kill)
            await _divided(location, workers)
            while len(web.requests) < self.given.hosts:
                await asyncio.sleep(0.1)
            return await self._count(web, location)

    async def _create(self, web: EndlessWeb, location: str) -> None:
        """A crawl whose seeds are queued by the first worker."""
        options = {
            "topic": "barcel dorfen",
            "seeds": web.seeds(),
            "strategy": self.given.strategy,
            "delay": DELAY,
            "concurrency": self.given.concurrency,
            "max_pages": self.given.max_pages,
            "allow_private": ["127.0.0.0/8"],
            "parsers": 1,
            "judge_again": False,
            "keep_warc": False,
        }
        store = await storage_at(location).create(encode(from_values(options)))
        await store.close()

    async def _count(self, web: EndlessWeb, location: str) -> Measured:
        await asyncio.sleep(SETTLE)
        server = Server(location)
        own, served = cpu(), server.done().cpu
        start = asyncio.get_running_loop().time()
        await asyncio.sleep(self.given.seconds)
        end = asyncio.get_running_loop().time()
        used, seconds = cpu().since(own).children, end - start
        served = server.done().cpu - served
        server.close()
        pages = web.requests_within(start, end, self.given.latency)
        return Measured(pages / seconds, used / seconds, served / seconds)


async def _divided(location: str, workers: int) -> None:
    """Wait until the workers have divided the shards."""
    store = await storage_at(location).open()
    try:
        async with asyncio.timeout(PATIENCE):
            shares: Counter[str] = Counter()
            most = SHARDS // workers + 1
            while len(shares) < workers or shares.total() < SHARDS or max(shares.values()) > most:
                await asyncio.sleep(0.2)
                shares = Counter(holder.owner for holder in await store.holders() if holder.owner)
    finally:
        await store.close()


async def rounds(trial: Trial, counts: list[int]) -> dict[int, list[Measured]]:
    """Measure every number of workers as often as there are rounds."""
    found: dict[int, list[Measured]] = {count: [] for count in counts}
    for _ in range(trial.given.rounds):
        for count in counts:
            found[count].append(await trial.measure(count))
            rate, cores, server = found[count][-1]
            print(f"{count} workers: {rate:.1f} pages/s, {cores:.2f} cores, server {server:.2f}", flush=True)
    return found


def main() -> None:
    """Measure and publish."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--store", default="", help="a PostgreSQL that runs; by default one is started")
    parser.add_argument("--workers", default="1,2,4", help="each number is compared with the first")
    parser.add_argument("--hosts", type=int, default=48)
    parser.add_argument("--latency", type=float, default=1.0)
    parser.add_argument("--concurrency", type=int, default=3, help="requests of a worker at once")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--strategy", default="bfs")
    parser.add_argument(
        "--max-pages", type=int, default=0, help="more than are fetched: workers then wait for each other"
    )
    given = parser.parse_args()
    counts = [int(count) for count in given.workers.split(",")]
    with server_at(given.store) as store:
        found = asyncio.run(rounds(Trial(given, store), counts))
    publish(figures(given, found))


def figures(given: argparse.Namespace, found: dict[int, list[Measured]]) -> Figures:
    """The results as a table and in words."""
    counts = list(found)
    rates = {count: median(each.rate for each in found[count]) for count in counts}
    alone = rates[counts[0]]
    most = given.concurrency / given.latency

    def row(count: int) -> list[str]:
        each = found[count]
        spread = f"{min(one.rate for one in each):.1f} to {max(one.rate for one in each):.1f}"
        cores = [median(one.cores for one in each), median(one.server for one in each)]
        return [
            str(count),
            f"{count * most:.1f}",
            f"{rates[count]:.1f}",
            spread,
            f"{rates[count] / alone:.2f}",
            *(f"{share:.2f}" for share in cores),
        ]

    aims = [
        Aim(
            f"{count} workers against one",
            f"at least {aim} times",
            f"{rates[count] / alone:.2f} times",
            rates[count] >= aim * alone,
        )
        for count, aim in AIMS.items()
        if count in rates
    ]
    head = ["workers", "allowed", "pages/s", "of rounds", "times one", "cores of workers", "of PostgreSQL"]
    caption = (
        f"{given.hosts} hosts that answer after {given.latency:g} s and are asked once in "
        f"{max(DELAY, given.latency):g} s at most; {given.concurrency} requests of a worker at once"
    )
    return Figures(
        name="workers",
        sentences=[],
        aims=aims,
        tables=[Table(caption, head, [row(count) for count in counts])],
        measured={str(count): found[count] for count in counts},
    )


if __name__ == "__main__":
    main()
