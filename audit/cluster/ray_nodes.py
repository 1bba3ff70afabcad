"""Kill -9 of a worker that Ray runs, and of a whole node of Ray, while a crawl runs on several nodes.

python -m tests.crawling.cluster.apart audit.cluster.ray_nodes FOLDER
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import signal
import sys
import time
from asyncio.subprocess import Process
from collections.abc import Sequence
from pathlib import Path

from audit.cluster.nodes import HEAD, HUB, NETWORK, SITE, Node, lay_bridge
from lagotto.store import storage_at, with_crawl
from tests.cluster_figures import figures, worker_of
from tests.postgres_server import Postgres
from tests.site import Site, tree_site, tree_url

PAGES = 1500
LATENCY = 0.5
"""Seconds before a page is answered: so slowly that one worker is not enough."""
NODES = 3


class RayTrial:
    """A crawl that is given to a Ray cluster as a user does it, by `lagotto crawl --cluster ray://…`."""

    def __init__(self, folder: Path, site: Site) -> None:
        self.site = site
        self.folder = folder
        self.postgres = Postgres(folder / "postgres", options=("-h", HUB))
        with (folder / "postgres" / "pg_hba.conf").open("a") as rules:
            rules.write(f"host all all {NETWORK} trust\n")
        self.postgres.execute("SELECT pg_reload_conf()")
        self.database = f"postgresql://postgres@{HUB}/postgres"
        self.head = Node(10, folder / "head", cpus=0)
        self.nodes: list[Node] = []

    def start_node(self, number: int) -> Node:
        """One more node with two cores, as Ray has it."""
        return Node(number, self.folder / f"node-{number}", cpus=2)

    async def begin(self) -> Process:
        """Give the crawl to the cluster, once that has come up."""
        async with asyncio.timeout(600.0):
            while not await _open(HEAD, 10001):
                await asyncio.sleep(0.5)
        self.nodes = [self.start_node(11 + n) for n in range(NODES)]
        return await self._crawl("ray", f"ray://{HEAD}:10001")

    async def as_job(self) -> int:
        """Run a small crawl as a job of the cluster, on its head; returns how many pages it has."""
        within = ("nsenter", "-t", str(self.head.first), "-m", "-n", "-p", "env", f"RAY_ADDRESS={HEAD}:6379")
        crawl = await self._crawl("job", "auto", "--max-pages", "60", "--quiet", within=within)
        async with asyncio.timeout(600.0):
            assert await crawl.wait() == 0
        with storage_at(with_crawl(self.database, "job")).reader() as reader:
            return reader.status().pages

    async def _crawl(self, name: str, cluster: str, *more: str, within: Sequence[str] = ()) -> Process:
        return await asyncio.create_subprocess_exec(
            *(*within, sys.executable, "-m", "lagotto", "crawl", "heron"),
            *("--seed", tree_url(0, self.site.hosts), "--store", self.database, "--crawl", name),
            *("-o", str(self.folder / name), "--cluster", cluster, "--strategy", "bfs", "--ignore-traps"),
            *("--allow-private", NETWORK, "--delay", "0.3", "--ip-delay", "0", "--concurrency", "2", *more),
        )

    def askers(self, since: int = 0) -> set[int]:
        """Workers that have asked for something after so many requests."""
        return {worker_of(request) for request in self.site.log[since:]} - {0}

    async def come_back(self, before: set[int], killed_at: float) -> float:
        """Seconds from a kill until a worker that was not there before has asked for something."""
        async with asyncio.timeout(600.0):
            while not self.askers() - before:
                await asyncio.sleep(0.05)
        new = self.askers() - before
        return min(r.at for r in self.site.log if worker_of(r) in new) - killed_at

    async def many(self, workers: int) -> None:
        """Wait until so many workers ask for pages, on at least two nodes."""
        async with asyncio.timeout(600.0):
            while len(self.askers()) < workers or sum(bool(node.workers) for node in self.nodes) < 2:
                await asyncio.sleep(0.2)

    def end(self) -> None:
        """Switch everything off."""
        for node in (*self.nodes, self.head):
            if node.alive:
                node.kill()
        self.postgres.stop()


async def _open(host: str, port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection(host, port)
    except OSError:
        return False
    writer.close()
    return True


async def kill_a_worker(trial: RayTrial) -> float:
    """Kill -9 of one process; returns after how many seconds Ray had another at work."""
    victim = next(pid for node in trial.nodes for pid in node.workers)
    before, at = trial.askers(), time.monotonic()
    os.kill(victim, signal.SIGKILL)
    return await trial.come_back(before, at)


async def kill_a_node(trial: RayTrial) -> float:
    """Switch a node off that has a worker; returns after how many seconds another node had one instead."""
    victim = next(node for node in trial.nodes if node.workers)
    others = [node for node in trial.nodes if node is not victim]
    there = {pid for node in others for pid in node.workers}
    before, at = trial.askers(), time.monotonic()
    victim.kill()
    back = await trial.come_back(before, at)
    assert {pid for node in others for pid in node.workers} - there, "on another node"
    return back


async def main(folder: Path) -> None:
    """Print the figures as JSON."""
    lay_bridge()
    # Nodes and crawl read the token from the environment, which all of them inherit.
    os.environ.update(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=secrets.token_hex(32))
    async with Site({}, addresses=SITE, latency=LATENCY) as site:
        site.pages.update(tree_site(PAGES, site.hosts))
        trial = RayTrial(folder, site)
        try:
            crawl = await trial.begin()
            await trial.many(2)
            worker_back = await kill_a_worker(trial)
            node_back = await kill_a_node(trial)
            async with asyncio.timeout(600.0):
                code = await crawl.wait()
            expected = {tree_url(number, site.hosts) for number in range(PAGES)}
            found = figures(site, expected, with_crawl(trial.database, "ray"), folder / "ray")
            print(f"Ray, kill -9 of a worker and of a node: {found.sentence()}", flush=True)
            print(f"    others were at work after {worker_back:.0f} s and {node_back:.0f} s", flush=True)
            print(f"    a crawl as a job of the cluster has {await trial.as_job()} pages", flush=True)
            print(json.dumps({"broken": bool(code) or found.broken}))
        finally:
            trial.end()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
