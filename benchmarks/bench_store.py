"""Cost of lease and commit as a crawl grows, for an endless web without network and parser.

    python benchmarks/bench_store.py [--urls 1000000]

Every page has new links to random hosts, which is the hardest case for a store on disk. With `--local 0.8`
that share of a page's links leads to its own host. Time is simulated: 400 pages a second, and a second
between two requests to a host. At the end `lagotto resume` runs until its first request.

    python benchmarks/bench_store.py --urls 5000000 --store [postgresql://user@host/database]

measures the store that many workers share, and what the server does for a page; without a location it starts
a server for itself. `--fill 4950000` queues that many links at the start by COPY.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import msgspec
from database import Done, Server, server_at
from endless import EndlessCrawl
from figures import Aim, Figures, Table, count, publish
from filling import fill
from firstrequest import seconds_to_first_request
from measuring import memory

from lagotto.base.batch import Batch
from lagotto.base.protocols import SharedStore
from lagotto.base.records import Lease
from lagotto.base.urls import SHARDS
from lagotto.crawling.config import Config, encode
from lagotto.crawling.frontier import Frontier, Turns
from lagotto.crawling.worker.process import collecting_seldom
from lagotto.store import storage_at, with_crawl

MARKS = (100_000, 300_000, 1_000_000, 3_000_000, 5_000_000, 10_000_000, 30_000_000)
PAGES_A_SECOND = 400
DELAY = 1.0
SEEDS = 1000
LONGEST = 50_000
"""URLs over which is measured, at most."""


class Mark(msgspec.Struct):
    """Measurements over the last pages before a number of URLs was known."""

    urls: int
    lease: float
    """CPU microseconds a page, as are the next two."""
    commit: float
    settle: float
    wall: float
    """Wall-clock microseconds a page, for all three."""
    longest: float
    """Milliseconds of the longest commit."""
    memory: float
    """MiB."""
    disk: int
    """Bytes."""
    server: Done | None = None
    """What the server did for a page."""

    @property
    def cost(self) -> float:
        """CPU microseconds a page, with those of the server."""
        served = self.server.cpu * 1e6 if self.server else 0.0
        return self.lease + self.commit + self.settle + served

    def row(self) -> list[str]:
        """The mark as a row of the table."""
        figures = [count(each) for each in (self.urls, self.lease, self.commit, self.settle, self.cost)]
        figures += [count(each) for each in (self.wall, self.longest, self.memory, self.disk / self.urls)]
        return figures

    def server_row(self, server: Done) -> list[str]:
        """What the server did for a page, as a row of another table."""
        figures = [count(each) for each in (self.urls, 1e6 * server.cpu, server.rows, server.wal)]
        return figures + [f"{each:.2f}" for each in (server.reads, server.writes, server.flushes)]


SERVER_HEAD = ["URLs known", "µs CPU a page", "rows written", "bytes of WAL"]
SERVER_HEAD += ["blocks read", "blocks written", "flushes"]
HEAD = ["URLs known", "lease", "commit", "settle", "sum, µs CPU a page", "µs by the clock"]
HEAD += ["longest commit, ms", "memory, MiB", "disk bytes a URL"]


class Drive:
    """A crawl without network and parser, whose stages are timed."""

    def __init__(self, location: str, crawl: EndlessCrawl, batch: int, filled: int = 0) -> None:
        """`filled` links are queued before the first page, all at once."""
        self.filled = filled
        self.location = location
        self.server = Server(location) if "://" in location else None
        self.crawl = crawl
        self.batch = batch
        self.pages = 0
        self.known = 0
        self._forget()

    async def open(self) -> None:
        """Create the crawl and queue its seeds."""
        config = encode(Config(topic="endless", strategy="bfs", delay=0.0))
        self.store = await storage_at(self.location).create(config)
        await self.store.acquire(range(SHARDS), "benchmark")
        seeds = [self.crawl.seed() for _ in range(SEEDS)]
        self.known = (await self.store.commit(Batch(seeds=seeds))).new
        if self.filled:
            await asyncio.to_thread(fill, self.location, self.crawl.hosts, self.known, self.filled)
            self.known = self.filled
        self.frontier = Frontier(self.store, Turns(), now=self._now, wall=self._now, delay_of=lambda _: DELAY)
        await self.frontier.load()

    def _now(self) -> float:
        return self.pages / PAGES_A_SECOND

    def _forget(self) -> None:
        self.spent = [0.0, 0.0, 0.0]
        self.wall = self.longest = 0.0
        self.since = self.pages
        self.served = self.server.done() if self.server else None

    def _disk(self) -> int:
        if self.server is not None:
            return self.server.size()
        return sum(file.stat().st_size for file in Path(self.location).iterdir())

    async def until(self, urls: int) -> Mark:
        """Crawl until this many URLs are known, and measure over the last twentieth of them."""
        measure_from = urls - min(LONGEST, max(20_000, urls // 20))
        measuring = False
        while self.known < urls:
            if not measuring and self.known >= measure_from:
                self._forget()
                measuring = True
            await self._step()
        pages = self.pages - self.since
        lease, commit, settle = (1e6 * seconds / pages for seconds in self.spent)
        wall = 1e6 * self.wall / pages
        mark = Mark(urls, lease, commit, settle, wall, 1e3 * self.longest, memory(), self._disk())
        if self.server is not None and self.served is not None:
            mark.server = self.server.done().since(self.served, pages)
        return mark

    async def _step(self) -> None:
        """Take a batch of pages from lease to commit."""
        wall, cpu = time.perf_counter(), time.process_time()
        leases = await self._lease()
        self.spent[0] += time.process_time() - cpu
        self.wall += time.perf_counter() - wall
        outcomes = [self.crawl.outcome(lease) for lease in leases]
        wall, cpu = time.perf_counter(), time.process_time()
        committed = await self.store.commit(Batch(outcomes=outcomes))
        self.spent[1] += time.process_time() - cpu
        self.longest = max(self.longest, time.perf_counter() - wall)
        cpu = time.process_time()
        self.frontier.settle(leases, committed.added)
        self.known += committed.new
        self.spent[2] += time.process_time() - cpu
        self.wall += time.perf_counter() - wall

    async def _lease(self) -> list[Lease]:
        leases: list[Lease] = []
        while len(leases) < self.batch:
            self.pages += 1
            await self.frontier.fill()
            lease = self.frontier.lease()
            if lease is not None:
                self.frontier.asked(lease, self._now())
                leases.append(lease)
        return leases


def resume_seconds(location: str) -> float:
    """Seconds until a resumed crawl sends its first request."""

    def resume(server: str) -> list[str]:
        return [str(Path(sys.executable).with_name("lagotto")), "resume", location, "--proxy", server]

    return seconds_to_first_request(resume, patience=600)


async def drive_to(drive: Drive, last: int) -> tuple[list[Mark], float]:
    """Drive until so many URLs are known; returns the marks, and the seconds that closing takes."""
    await drive.open()
    marks = []
    for urls in [mark for mark in MARKS if drive.filled < mark < last] + [last]:
        marks.append(await drive.until(urls))
        print(*marks[-1].row(), marks[-1].server or "", flush=True)
    closing = time.perf_counter()
    if isinstance(drive.store, SharedStore):
        await drive.store.leave()
    await drive.store.close()
    return marks, time.perf_counter() - closing


@contextmanager
def place(store: str | None) -> Iterator[str]:
    """A directory, or the location of a new crawl in a PostgreSQL, which is removed at the end."""
    if store is None:
        with tempfile.TemporaryDirectory(prefix="lagotto-bench-") as folder:
            yield str(Path(folder) / "crawl")
        return
    with server_at(store) as server:
        location = with_crawl(server, f"bench-{uuid4().hex[:8]}")
        yield location
        storage_at(location).discard()


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--urls", type=int, default=1_000_000)
    parser.add_argument("--hosts", type=int, default=100_000)
    parser.add_argument("--links", type=int, default=50, help="new links a page")
    parser.add_argument("--batch", type=int, default=20, help="pages a commit")
    parser.add_argument("--local", type=float, default=0.0, help="share of links to the page's own host")
    parser.add_argument(
        "--fill", type=int, default=0, help="links queued at once at the start; PostgreSQL only"
    )
    parser.add_argument("--store", nargs="?", const="", help="PostgreSQL instead of a directory")
    arguments = parser.parse_args()
    crawl = EndlessCrawl(arguments.hosts, arguments.links, arguments.local)
    with place(arguments.store) as location, collecting_seldom():
        drive = Drive(location, crawl, arguments.batch, arguments.fill)
        marks, closed = asyncio.run(drive_to(drive, arguments.urls))
        resumed = resume_seconds(location)
    publish(figures(arguments, marks, closed, resumed))


def figures(arguments: argparse.Namespace, marks: list[Mark], closed: float, resumed: float) -> Figures:
    """The results as a table and in words."""
    first, last = marks[0], marks[-1]
    kind = "store" if arguments.store is None else "postgres"
    served = [mark.server_row(mark.server) for mark in marks if mark.server is not None]
    of_server = [Table("What PostgreSQL did for a page", SERVER_HEAD, served)] if served else []
    return Figures(
        name=f"{kind}-{arguments.urls}",
        sentences=[
            f"With {last.urls:,} URLs known on {arguments.hosts:,} hosts a page costs {last.cost:,.0f} µs "
            f"of CPU from lease to commit, {last.cost / first.cost:.2f} times as much as at {first.urls:,}.",
            f"The process takes {last.memory:,.0f} MiB, the disk {last.disk / last.urls:.0f} bytes a URL.",
            f"A resumed crawl sends its first request after {resumed:.1f} s; closing takes {closed:.1f} s.",
        ],
        aims=[
            Aim(f"memory at {last.urls:,} URLs", "512 MiB", f"{last.memory:.0f} MiB", last.memory <= 512),
            Aim(
                f"cost of lease and commit at {last.urls:,} URLs, against {first.urls:,}",
                "at most 1.5 times",
                f"{last.cost / first.cost:.2f} times",
                last.cost <= 1.5 * first.cost,
            ),
            Aim("a resumed crawl's first request", "under 10 s", f"{resumed:.1f} s", resumed < 10),
        ],
        tables=[
            Table(
                f"{arguments.links} new links a page, {arguments.batch} pages a commit",
                HEAD,
                [mark.row() for mark in marks],
            ),
            *of_server,
        ],
        measured={"marks": marks, "closed": closed, "resumed": resumed},
    )


if __name__ == "__main__":
    main()
