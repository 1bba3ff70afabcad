"""Clocks that are wrong and jump: of a worker, and of the database server.

Debian's package libfaketime lies between a process and its wall clock. The monotonic clock is left alone, as
when somebody sets the time of a machine.
"""

from __future__ import annotations

import asyncio
import random
from asyncio.subprocess import Process
from collections.abc import Mapping
from pathlib import Path

from tests.cluster_figures import BusyPage, worker_of
from tests.cluster_trial import Act, Trial
from tests.site import Site

LIBRARY = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1")
HOUR = 3600


class WrongClock:
    """A wall clock that a process is started with, and that can be set while it runs."""

    def __init__(self, file: Path, ahead: int = 0) -> None:
        self._file = file
        self.set(ahead)

    def set(self, ahead: int) -> None:
        """Be so many seconds ahead of the true time; behind, if negative."""
        written = self._file.with_suffix(".new")
        written.write_text(f"{ahead:+d}\n")
        written.chmod(0o644)
        written.replace(self._file)

    @property
    def env(self) -> Mapping[str, str]:
        """The environment for a process that is to have this clock."""
        return {
            "LD_PRELOAD": str(LIBRARY),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            # Reading the file seldom: PostgreSQL asks for the time in signal handlers as well, where the
            # library may wait for itself.
            "FAKETIME_CACHE_DURATION": "1",
        }


def wrong_workers(folder: Path) -> Act:
    """Two more workers, hours ahead and behind. Their clocks jump, and they are killed when told to wait."""

    async def act(trial: Trial) -> None:
        clocks = WrongClock(folder / "ahead", 5 * HOUR), WrongClock(folder / "behind", -7 * HOUR)
        for clock in clocks:
            await trial.add(env=clock.env)
        wrong = trial.workers[-2:]
        await trial.all_at_work()
        for clock, jump in zip(clocks, (9 * HOUR, -2 * HOUR), strict=True):
            clock.set(jump)
        await asyncio.gather(*(kill_when_refused(trial, worker) for worker in wrong))

    return act


async def kill_when_refused(trial: Trial, worker: Process) -> None:
    """Kill a worker soon after it was asked to leave a host alone; another comes in its place."""
    await trial.until(lambda: worker.pid in refused_workers(trial.site) or worker.returncode is not None)
    await asyncio.sleep(1.0)  # The wait is committed.
    await trial.kill(worker)
    await trial.add()


def refused_workers(site: Site) -> set[int]:
    """Workers that were asked to leave a host alone."""
    busy = [page for page in site.pages.values() if isinstance(page, BusyPage)]
    return {worker_of(page.refused) for page in busy if page.refused is not None}


def wrong_database(clock: WrongClock, *jumps: int) -> Act:
    """The clock of the database jumps while the crawl runs; then a worker is killed, and another comes."""

    async def act(trial: Trial) -> None:
        for number, jump in enumerate(jumps, 1):
            await trial.served(trial.pages * number // (len(jumps) + 2))
            clock.set(jump)
            await asyncio.sleep(random.uniform(0.0, 1.0))
        await trial.kill(trial.workers[-1])
        await trial.add()

    return act
