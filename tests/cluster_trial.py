"""A crawl by several workers on loopback, to which things are done."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from lagotto.base.urls import SHARDS
from lagotto.store import storage_at, with_crawl
from tests.cluster_figures import DELAY, BusyPage, Figures, figures, meetings, worker_of
from tests.conftest import PROJECT
from tests.site import Site, tree_site, tree_url

CONCURRENCY = 8
ADDRESSES = [f"127.0.11.{n}" for n in range(1, 25)]
BUSY_EVERY = 25
"""Pages from one busy page to the next, where there are some: every host has one."""
Act = Callable[["Trial"], Awaitable[None]]


class Trial:
    """Workers on one crawl of a site."""

    def __init__(
        self,
        site: Site,
        database: str,
        folder: Path,
        pages: int,
        *,
        careless: str = "",
        strategy: str = "bfs",
        budget: int = 0,
        env: Mapping[str, str] | None = None,
        begun: Act | None = None,
    ) -> None:
        """`careless` names what the workers do not take care of; `env` is added to their environment.

        With a `budget` of pages the workers wait for each other's better links. `begun` is done as soon as
        the crawl exists.
        """
        self.site = site
        self.database = database
        self.name = f"trial-{uuid4().hex[:8]}"
        self.location = with_crawl(database, self.name)
        self.folder = folder
        self.pages = pages
        self.careless = careless
        self.strategy = strategy
        self.budget = budget
        self.env = dict(env or {})
        self.begun = begun
        self.workers: list[asyncio.subprocess.Process] = []

    async def begin(self, workers: int) -> None:
        """Create the crawl, and start workers."""
        seed = tree_url(0, self.site.hosts)
        await self._run(
            *("crawl", "heron", "--seed", seed, "--store", self.database, "--crawl", self.name),
            *("-o", str(self.folder), "--delay", str(DELAY), "--ip-delay", "0", "--strategy", self.strategy),
            *("--allow-private", "127.0.0.0/8", "--concurrency", str(CONCURRENCY), "--retry-wait", "2"),
            *("--max-pages", str(self.budget), "--quiet"),
        )
        await self.until(lambda: len(self.site.log) > 1)
        if self.begun is not None:
            await self.begun(self)
        for _ in range(workers - 1):
            await self.add()

    async def add(self, *, database: str = "", env: Mapping[str, str] | None = None) -> None:
        """Start one more worker, on another way to the database or with more in its environment."""
        arguments = ("worker", "--store", database or self.database, "--crawl", self.name, "--quiet")
        await self._run(*arguments, env=env)

    async def _run(self, *arguments: str, env: Mapping[str, str] | None = None) -> None:
        careless = [f"--careless={self.careless}"] if self.careless else []
        self.workers.append(
            await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tests.cluster_worker", *careless, *arguments),
                cwd=PROJECT,
                env={**os.environ, **self.env, **(env or {})},
            )
        )

    async def until(self, true: Callable[[], bool], within: float = 240.0) -> None:
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

    async def end(self, within: float = 400.0) -> None:
        """Wait until all workers have ended by themselves."""
        async with asyncio.timeout(within):
            for worker in self.alive:
                await worker.wait()

    async def shards_of(self, worker: asyncio.subprocess.Process) -> set[int]:
        """Which shards a worker holds, as the database has it."""
        store = await storage_at(self.location).open()
        try:
            return {each.shard for each in await store.holders() if f"-{worker.pid}-" in each.owner}
        finally:
            await store.close()

    async def leader(self) -> asyncio.subprocess.Process:
        """The worker that leads; waits until one does."""
        async with asyncio.timeout(240.0):
            while True:
                for worker in self.alive:
                    if 0 in await self.shards_of(worker):
                        return worker
                await asyncio.sleep(0.1)

    def figures(self) -> Figures:
        """What came of it."""
        expected = {tree_url(number, self.site.hosts) for number in range(self.pages)}
        return figures(self.site, expected, self.location, self.folder)


async def run_trial(
    database: str,
    folder: Path,
    act: Act,
    *,
    pages: int,
    workers: int = 3,
    busy: bool = False,
    **more: Any,
) -> Figures:
    """Start a crawl, do something to it, let it run to its end, and audit it; `more` is for the trial.

    Some pages are refused at first if `busy`.
    """
    async with Site({}, addresses=ADDRESSES) as site:
        found = tree_site(pages, site.hosts)
        if busy:
            every = {tree_url(n, [""]).removeprefix("http://") for n in range(7, pages, BUSY_EVERY)}
            site.pages.update({path: BusyPage(text) for path, text in found.items() if path in every})
        site.pages = {**found, **site.pages}
        trial = Trial(site, database, folder, pages, **more)
        try:
            await trial.begin(workers)
            await trial.all_at_work()
            await act(trial)
            if trial.careless:  # Such workers may never end by themselves.
                with suppress(TimeoutError):
                    await trial.end(within=30.0)
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
    await trial.kill(await trial.leader())
    await trial.served(trial.pages // 2)
    await trial.add()


async def stop_past_the_lease(trial: Trial) -> None:
    """Stop a worker that is fetching until others have fetched the same in its place, and let it wake."""
    sleeper = trial.workers[-1]
    while len(await trial.shards_of(sleeper)) < SHARDS // (len(trial.alive) + 1):
        await asyncio.sleep(0.1)
    at = len(trial.site.log)
    await trial.until(lambda: any(worker_of(request) == sleeper.pid for request in trial.site.log[at:]))
    os.kill(sleeper.pid, signal.SIGSTOP)
    async with asyncio.timeout(240.0):
        while await trial.shards_of(sleeper):
            await asyncio.sleep(0.1)
    asked = {request.url for request in trial.site.log[at:] if worker_of(request) == sleeper.pid}
    with suppress(TimeoutError):  # What it was fetching may have been committed in the last moment.
        await trial.until(lambda: any(trial.site.fetches()[url] > 1 for url in asked), within=20.0)
    os.kill(sleeper.pid, signal.SIGCONT)
    if trial.careless:
        with suppress(TimeoutError):
            await trial.until(lambda: meetings(trial.site.log) > 0, within=30.0)
