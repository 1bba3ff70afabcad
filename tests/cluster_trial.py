"""A crawl by several workers on loopback, to which things are done, and the audit of what came of it."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from uuid import uuid4

from lagotto.store import storage_at, with_crawl
from lagotto.urls import SHARDS
from lagotto.views import Severity
from tests.conftest import PROJECT
from tests.site import Request, Site, tree_site, tree_url

DELAY = 0.3
CONCURRENCY = 8
ADDRESSES = [f"127.0.11.{n}" for n in range(1, 25)]
_WORKER = re.compile(r"worker-(\d+)@")


@dataclass
class Figures:
    """What the promise is judged by."""

    pages: int
    lost: int
    double_commits: int
    refetches: int
    at_once: int
    """Requests to a host less than the delay after one of another worker."""
    refused: int
    """Commits that were refused because shards had been taken."""
    left: int
    """Links that were still queued at the end."""
    reasons: dict[str, int]
    """Why URLs have no page."""
    damaged: int
    """Checks of the database that failed."""

    def sentence(self) -> str:
        """The figures for people."""
        return (
            f"{self.pages} pages, {self.lost} lost, {self.double_commits} committed twice, "
            f"{self.at_once} times two workers at one host, {self.refused} commits refused, "
            f"{self.refetches} fetched again, {self.left} left in the queue"
            + (f", without a page: {self.reasons}" if self.reasons else "")
        )

    @property
    def broken(self) -> bool:
        """Whether the promise was broken."""
        return bool(self.lost or self.double_commits or self.at_once or self.damaged)


class Trial:
    """Workers on one crawl of a site."""

    def __init__(
        self, site: Site, database: str, folder: Path, pages: int, *, careless: bool = False
    ) -> None:
        self.site = site
        self.database = database
        self.name = f"trial-{uuid4().hex[:8]}"
        self.location = with_crawl(database, self.name)
        self.folder = folder
        self.pages = pages
        self.careless = careless
        self.workers: list[asyncio.subprocess.Process] = []

    async def begin(self, workers: int) -> None:
        """Create the crawl, and start workers."""
        seed = tree_url(0, self.site.hosts)
        await self._run(
            *("crawl", "heron", "--seed", seed, "--store", self.database, "--crawl", self.name),
            *("-o", str(self.folder), "--delay", str(DELAY), "--ip-delay", "0", "--strategy", "bfs"),
            *("--allow-private", "127.0.0.0/8", "--concurrency", str(CONCURRENCY), "--quiet"),
        )
        await self.until(lambda: len(self.site.log) > 1)
        for _ in range(workers - 1):
            await self.add()

    async def add(self) -> None:
        """Start one more worker."""
        await self._run("worker", "--store", self.database, "--crawl", self.name, "--quiet")

    async def _run(self, *arguments: str) -> None:
        careless = ["--careless"] if self.careless else []
        self.workers.append(
            await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tests.cluster_worker", *careless, *arguments), cwd=PROJECT
            )
        )

    async def until(self, true: Callable[[], bool], within: float = 120.0) -> None:
        """Wait until something is true."""
        async with asyncio.timeout(within):
            while not true():
                await asyncio.sleep(0.02)

    async def served(self, pages: int) -> None:
        """Wait until the site has served so many pages."""
        await self.until(lambda: sum(self.site.fetches().values()) >= pages)

    async def all_at_work(self) -> None:
        """Wait until every worker has asked for something."""
        await self.until(lambda: {each.pid for each in self.alive} <= {worker_of(r) for r in self.site.log})

    @property
    def alive(self) -> list[asyncio.subprocess.Process]:
        """Workers that run."""
        return [each for each in self.workers if each.returncode is None]

    async def kill(self, worker: asyncio.subprocess.Process) -> None:
        """Kill -9."""
        with suppress(ProcessLookupError):
            os.kill(worker.pid, signal.SIGKILL)
        await worker.wait()

    async def end(self, within: float = 240.0) -> None:
        """Wait until all workers have ended by themselves."""
        async with asyncio.timeout(within):
            for worker in self.alive:
                await worker.wait()

    async def shards_of(self, worker: asyncio.subprocess.Process) -> int:
        """How many shards a worker holds, as the database has it."""
        store = await storage_at(self.location).open()
        try:
            return sum(f"-{worker.pid}-" in holder.owner for holder in await store.holders())
        finally:
            await store.close()

    def figures(self) -> Figures:
        """Compare what the site served with what the crawl holds."""
        expected = {tree_url(number, self.site.hosts) for number in range(self.pages)}
        storage = storage_at(self.location)
        with storage.reader() as reader:
            committed = Counter(row.url for row in reader.rows() if row.status == 200)
            status = reader.status()
        log = self.folder / "lagotto.log"
        return Figures(
            pages=len(committed),
            lost=len(expected - committed.keys()),
            double_commits=sum(n - 1 for n in committed.values()),
            refetches=sum(n - 1 for n in self.site.fetches().values()),
            at_once=meetings(self.site.log),
            refused=log.read_text().count("a commit was refused") if log.exists() else 0,
            left=status.queued,
            reasons=status.reasons,
            damaged=sum(finding.severity is not Severity.GOOD for finding in storage.examine()),
        )


def worker_of(request: Request) -> int:
    """Process that sent a request."""
    found = _WORKER.search(request.headers.get("User-Agent", ""))
    return int(found[1]) if found else 0


def meetings(log: list[Request]) -> int:
    """How often a host was asked less than the delay after another worker had asked it."""
    by_host: dict[str, list[Request]] = defaultdict(list)
    for request in log:
        by_host[request.host].append(request)
    return sum(
        worker_of(one) != worker_of(other) and other.at - one.at < DELAY
        for requests in by_host.values()
        for one, other in pairwise(requests)
    )


async def run_trial(
    database: str,
    folder: Path,
    act: Callable[[Trial], Awaitable[None]],
    *,
    pages: int,
    workers: int = 3,
    careless: bool = False,
) -> Figures:
    """Start a crawl, do something to it, let it run to its end, and audit it."""
    async with Site({}, addresses=ADDRESSES) as site:
        site.pages.update(tree_site(pages, site.hosts))
        trial = Trial(site, database, folder, pages, careless=careless)
        try:
            await trial.begin(workers)
            await trial.all_at_work()
            await act(trial)
            if careless:  # They know neither what is theirs nor when it is over.
                with suppress(TimeoutError):
                    await trial.until(lambda: meetings(site.log) > 0, within=30.0)
            else:
                await trial.end()
            return trial.figures()
        finally:
            for worker in trial.alive:
                await trial.kill(worker)


async def kill_workers(trial: Trial) -> None:
    """Kill a worker, start another, and kill the one that leads."""
    await trial.kill(trial.workers[-1])
    await trial.add()
    await trial.served(trial.pages // 3)
    await trial.kill(trial.workers[0])
    await trial.served(trial.pages // 2)
    await trial.add()


async def stop_past_the_lease(trial: Trial) -> None:
    """Stop a worker that is fetching until others have taken all its shards, and let it wake."""
    sleeper = trial.workers[-1]
    while await trial.shards_of(sleeper) < SHARDS // (len(trial.alive) + 1):
        await asyncio.sleep(0.1)
    at = len(trial.site.log)
    await trial.until(lambda: any(worker_of(request) == sleeper.pid for request in trial.site.log[at:]))
    os.kill(sleeper.pid, signal.SIGSTOP)
    async with asyncio.timeout(120.0):
        while await trial.shards_of(sleeper):
            await asyncio.sleep(0.1)
    os.kill(sleeper.pid, signal.SIGCONT)
