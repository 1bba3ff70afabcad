"""Pages a second that one PostgreSQL can commit: several processes commit at once, without network or parser.

    python benchmarks/bench_commits.py [--committers 1,2,4] [--links 10] [--seconds 20]

Every committer is a process with a share of the shards of one crawl, and with `--apart` a crawl of its own.
It commits batches of pages with new links as fast as it can. Commits of one crawl wait for each other, so
what counts for a larger machine is for how long a page keeps them waiting: the server's CPU and the flushes
of its log are measured beside the pages.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from typing import NamedTuple
from uuid import uuid4

from database import Done, Server, server_at
from endless import EndlessCrawl
from figures import Figures, Table, count, publish
from measuring import cpu

from lagotto.base.batch import Batch
from lagotto.base.records import Lease
from lagotto.base.urls import SHARDS, shard_of
from lagotto.crawling.config import Config, encode
from lagotto.store import storage_at, with_crawl

SEEDS = 4000
HOSTS = 20_000


class Measured(NamedTuple):
    """What some committers did together."""

    rate: float
    """Pages a second."""
    client: float
    """CPU seconds of the committers for a page."""
    server: Done
    """What the server did for a page."""


async def commit(location: str, first: int, step: int, given: argparse.Namespace) -> None:
    """Commit to a share of the shards until the time is over; print the number of pages."""
    store = await storage_at(location).open()
    shards = set(range(first, SHARDS, step))
    await store.acquire(shards, f"committer-{first}")
    crawl = EndlessCrawl(HOSTS, given.links, local=0.0, start=first + 1)
    seeds = [seed for seed in (crawl.seed() for _ in range(SEEDS)) if shard_of(seed.host) in shards]
    queue: list[Lease] = (await store.commit(Batch(seeds=seeds))).added
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    pages, end = 0, time.monotonic() + given.seconds
    while time.monotonic() < end:
        leases, queue = queue[: given.batch], queue[given.batch :]
        outcomes = [crawl.outcome(lease) for lease in leases]
        queue += (await store.commit(Batch(outcomes=outcomes, content_seen=True))).added
        pages += len(leases)
    print(pages, flush=True)
    await store.close()


async def measure(given: argparse.Namespace, server: str, committers: int) -> Measured:
    """Start the committers, let them go at once and add up what they did."""
    crawls = [with_crawl(server, f"bench-{uuid4().hex[:8]}") for _ in range(committers if given.apart else 1)]
    for location in crawls:
        store = await storage_at(location).create(encode(Config(topic="endless", strategy="bfs")))
        await store.close()
    processes = []
    for number in range(committers):
        share = ["0", "1"] if given.apart else [str(number), str(committers)]
        options = ["--links", str(given.links), "--batch", str(given.batch), "--seconds", str(given.seconds)]
        process = await asyncio.create_subprocess_exec(
            *[sys.executable, __file__, "--commit", crawls[number % len(crawls)], *share, *options],
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        processes.append(process)
    for process in processes:
        await line(process)
    looking = Server(crawls[0])
    before, own, started = looking.done(), cpu(), time.monotonic()
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(b"\n")
    pages = 0
    for process in processes:
        pages += int(await line(process))
    seconds = time.monotonic() - started
    measured = Measured(
        pages / seconds, cpu().since(own).children / pages, looking.done().since(before, pages)
    )
    looking.close()
    for process in processes:
        await process.wait()
    for location in crawls:
        storage_at(location).discard()
    return measured


async def line(process: asyncio.subprocess.Process) -> bytes:
    """The next line that a committer prints."""
    assert process.stdout is not None
    return await process.stdout.readline()


def row(committers: int, found: Measured) -> list[str]:
    """One line of the table."""
    server = found.server
    figures = [
        count(each) for each in (found.rate, 1e6 * found.client, 1e6 * server.cpu, server.rows, server.wal)
    ]
    return [str(committers), *figures, f"{server.flushes:.2f}", f"{server.writes:.2f}"]


def main() -> None:
    """Measure and publish, or be one of the committers."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--store", default="", help="a PostgreSQL that runs; by default one is started")
    parser.add_argument("--committers", default="1,2,4")
    parser.add_argument("--links", type=int, default=10, help="new links of a page")
    parser.add_argument("--batch", type=int, default=8, help="pages of a commit")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--apart", action="store_true", help="a crawl for each committer")
    parser.add_argument("--commit", nargs=3, metavar=("LOCATION", "FIRST", "STEP"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.commit:
        location, first, step = given.commit
        asyncio.run(commit(location, int(first), int(step), given))
        return
    found = {}
    with server_at(given.store) as server:
        for committers in map(int, given.committers.split(",")):
            found[committers] = asyncio.run(measure(given, server, committers))
            print(*row(committers, found[committers]), flush=True)
    head = ["committers", "pages/s", "their µs CPU a page", "server's µs CPU", "rows written", "bytes of WAL"]
    caption = f"{given.links} new links a page, {given.batch} pages a commit, " + (
        "each committer with a crawl of its own" if given.apart else "all in one crawl"
    )
    table = Table(caption, [*head, "flushes", "blocks written"], [row(*each) for each in found.items()])
    name = "commits-apart" if given.apart else "commits"
    measured = {str(committers): each._asdict() for committers, each in found.items()}
    publish(Figures(name=name, sentences=[], tables=[table], measured=measured))


if __name__ == "__main__":
    main()
