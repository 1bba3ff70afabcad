"""Run the trials, those named on the command line or all: python -m audit.cluster [NAME...]."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from audit.cluster.clocks import HOUR, LIBRARY, WrongClock, wrong_database, wrong_workers
from audit.cluster.controls import CONTROLS
from audit.cluster.cuts import cut
from audit.cluster.full_disk import full_disk
from audit.cluster.kills import kill_database, kill_everything
from audit.cluster.leaders import KillLeaders
from audit.cluster.restarts import restart_then_lose
from audit.cluster.wire import Wire
from tests.cluster_figures import Figures
from tests.cluster_trial import CONCURRENCY, Act, kill_workers, run_trial, stop_past_the_lease
from tests.cluster_worker import LEASE, MODELS
from tests.postgres_server import Postgres

PAGES = 600
WORKERS = 3
LONG_CUT = 300.0


class Audit:
    """A folder and a server for all trials."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.postgres = Postgres(folder / "postgres")
        self._made = 0

    def place(self) -> Path:
        """A folder for a trial's files."""
        self._made += 1
        return self.folder / str(self._made)

    async def plain(
        self,
        name: str,
        act: Act,
        *,
        busy: bool = False,
        budget: int = 0,
        postgres: Postgres | None = None,
    ) -> bool:
        """Do something to a crawl, and print what came of it; says whether a promise was broken."""
        location = (postgres or self.postgres).location
        figures = await run_trial(
            location, self.place(), act, pages=PAGES, workers=WORKERS, busy=busy, budget=budget
        )
        print(f"{name}: {figures.sentence()}", flush=True)
        too_many = figures.refetches > 2 * CONCURRENCY * (WORKERS + 1)
        unnoticed = act is stop_past_the_lease and not figures.refused
        return figures.broken or too_many or unnoticed

    async def kills(self) -> bool:
        """Workers, the database, everything; a worker stopped past its lease, with and without a budget."""
        broken = await self.plain("kill -9 of workers", kill_workers)
        name = "kill -9 of workers that wait for each other"
        broken |= await self.plain(name, kill_workers, budget=2 * PAGES)
        broken |= await self.plain("kill -9 of PostgreSQL, three times", kill_database(self.postgres))
        broken |= await self.plain("kill -9 of everything", kill_everything(self.postgres))
        broken |= await self.plain("a worker stopped past its lease", stop_past_the_lease)
        name = "the same where workers wait for each other"
        return broken | await self.plain(name, stop_past_the_lease, budget=2 * PAGES)

    async def cuts(self) -> bool:
        """The network of one worker, for moments and for minutes."""
        wire, broken = Wire(self.postgres.folder), False
        async with wire.laid() as behind:
            for seconds in (5.0, 5 * LEASE, LONG_CUT):
                broken |= await self.plain(f"network cut for {seconds:g} s", cut(wire, behind, seconds))
        return broken

    async def clocks(self) -> bool:
        """Wall clocks of workers and of the database."""
        if not LIBRARY.exists():
            print("clocks: install libfaketime to try them")
            return False
        broken = await self.plain("workers with wrong clocks", wrong_workers(self.folder), busy=True)
        clock = WrongClock(self.folder / "clock")
        postgres = Postgres(self.folder / "postgres-by-another-clock", env=clock.env)
        try:
            for name, jumps in (("forward, twice", (HOUR, 3 * HOUR)), ("back", (-2 * HOUR,))):
                act = wrong_database(clock, *jumps)
                broken |= await self.plain(f"the database's clock jumps {name}", act, postgres=postgres)
        finally:
            postgres.stop()
        return broken

    async def leaders(self) -> bool:
        """The worker that leads, and what all have learned; with a control."""
        broken = False
        for careless in ("", "lessons"):
            notes = self.folder / f"models{careless}"
            killing = KillLeaders(self.postgres, notes)
            figures = await run_trial(
                self.postgres.location,
                self.place(),
                killing.act,
                pages=PAGES,
                workers=WORKERS,
                strategy="scent",
                careless=careless,
                env={MODELS: str(notes)},
                begun=killing.copy,
            )
            models = killing.compare()
            name = (
                "control, workers forget what was learned"
                if careless
                else "kill -9 of the leader, five times"
            )
            print(f"{name}: {figures.sentence()}; {models.sentence()}", flush=True)
            broken |= not models.different if careless else bool(figures.broken or models.different)
        return broken

    async def restarts(self) -> bool:
        """A restart of the database, and shards that are lost meanwhile, at many points."""
        return await restart_then_lose(self.postgres)

    async def disk(self) -> bool:
        """No room at the database."""
        return await full_disk(self.folder)

    async def controls(self) -> bool:
        """Careless workers must be found out."""
        broken = False
        for name, control in CONTROLS.items():
            figures: Figures = await run_trial(
                self.postgres.location, self.place(), control.act, pages=PAGES, careless=control.careless
            )
            print(f"{name}: {figures.sentence()}", flush=True)
            broken |= not control.shown(figures)
        return broken

    async def ray(self) -> bool:
        """Workers and nodes of Ray, in networks of their own."""
        module = ("tests.crawling.cluster.apart", "audit.cluster.ray_nodes", str(self.folder / "ray"))
        done = await asyncio.to_thread(
            subprocess.run, [sys.executable, "-m", *module], stdout=subprocess.PIPE, text=True, check=True
        )
        *said, last = done.stdout.splitlines()
        print(*[line for line in said if line.startswith(("Ray, ", "    "))], sep="\n", flush=True)
        return bool(json.loads(last)["broken"])


async def main(names: list[str]) -> int:
    """Print the figures; returns 1 if a promise was broken, or if a control was not found out."""
    if os.geteuid() != 0:
        print("the audit makes networks and disks of its own; run it as root", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="lagotto-audit-") as folder:
        base = Path(folder)
        base.chmod(0o755)
        audit = Audit(base)
        trials: dict[str, Callable[[], Awaitable[bool]]] = {
            trial.__name__: trial
            for trial in (
                audit.kills,
                audit.cuts,
                audit.clocks,
                audit.leaders,
                audit.restarts,
                audit.disk,
                audit.controls,
                audit.ray,
            )
        }
        try:
            broken = [await trials[name]() for name in names or trials]
        finally:
            audit.postgres.stop()
    return int(any(broken))


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
