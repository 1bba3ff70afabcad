"""The workers of a crawl as Ray actors."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct

from lagotto.base.errors import LagottoError
from lagotto.crawling.cluster.engine import import_ray
from lagotto.crawling.session import Crawl
from lagotto.store import storage_at

BUSY = 0.7
"""Share of a core from which on a worker is busy."""
LOOKS = 3
"""Looks in a row at which all workers must be at their limit before one is added."""


class Load(Struct, frozen=True):
    """How much a worker has to do."""

    hosts: int
    """Hosts with links that wait."""
    in_flight: int
    concurrency: int
    cpu: float
    """Cores that it has used since the last look."""

    @property
    def at_limit(self) -> bool:
        """Whether hosts wait that it cannot ask: it has too many requests under way, or no CPU left."""
        return self.hosts > 1 and (self.in_flight >= self.concurrency or self.cpu >= BUSY)


class Demand:
    """Decides by the loads of all workers whether to add one."""

    def __init__(self, most: int) -> None:
        self.most = most
        """Workers at most."""
        self._looks = 0

    def one_more(self, loads: Sequence[Load], workers: int, free_cpus: float) -> bool:
        """Whether to add a worker now; `loads` are those of the workers that have answered."""
        wanted = len(loads) == workers and all(load.at_limit for load in loads)
        self._looks = self._looks + 1 if wanted else 0
        if self._looks < LOOKS or workers >= self.most or free_cpus < 1:
            return False
        self._looks = 0
        return True


BEAT = 1.0
"""Seconds between two looks at the workers."""
ANSWER = 5.0
"""Seconds that a worker may take to say how much it has to do."""
PARTING = 5
"""Looks at a crawl that is over until workers that have not ended by themselves are ended."""
_log = logging.getLogger(__name__)


class CrawlWorker:
    """One worker, in a process of its own; Ray calls its methods from the outside."""

    def __init__(self, location: str) -> None:
        self.location = location
        self._crawl: Crawl | None = None
        self._looked_at = (time.monotonic(), time.process_time())

    async def run(self) -> str:
        """Work until the crawl ends; returns why it did."""
        with _logged(storage_at(self.location).folder):
            async with Crawl.resume(self.location) as self._crawl:
                return await self._crawl.run()

    async def load(self) -> Load | None:
        """How much there is to do; None before the crawl is open."""
        now, before = (time.monotonic(), time.process_time()), self._looked_at
        self._looked_at = now
        if self._crawl is None:
            return None
        return Load(
            hosts=self._crawl.hosts,
            in_flight=self._crawl.in_flight,
            concurrency=self._crawl.config.concurrency,
            cpu=(now[1] - before[1]) / max(now[0] - before[0], 1e-3),
        )


@contextmanager
def _logged(folder: Path | None) -> Iterator[None]:
    """Log to a file of this process beside the crawl's other files, if it has any."""
    if folder is None:
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    handler = logging.FileHandler(folder / f"worker-{os.getpid()}.log", encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logger = logging.getLogger("lagotto")
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        handler.close()


class Workers:
    """Places workers on the nodes of a cluster; those that die are started again by Ray."""

    def __init__(self, location: str, demand: Demand) -> None:
        self.location = location
        self.demand = demand
        self.why = ""
        """Why the crawl ended, as the first worker to end has it."""
        self._ray = import_ray()
        self._actor = self._ray.remote(
            num_cpus=1, max_restarts=-1, max_task_retries=-1, scheduling_strategy="SPREAD"
        )(CrawlWorker)
        self._running: dict[Any, Any] = {}
        """Result of `run` to come -> its actor."""

    def __len__(self) -> int:
        return len(self._running)

    def add(self) -> None:
        """Start one more worker."""
        actor = self._actor.remote(self.location)
        self._running[actor.run.remote()] = actor
        _log.info("worker %d starts", len(self._running))

    def run(self, tell: Callable[[int], None], stop: threading.Event) -> str:
        """Keep workers at it until the crawl ends; `tell` is given their number now and then.

        Returns why it ended. When `stop` is set, workers are no longer added.
        """
        over = 0
        while self._running:
            done, _ = self._ray.wait(list(self._running), num_returns=1, timeout=BEAT)
            for result in done:
                self._take(result)
            if self.why and self._running and not storage_at(self.location).running():
                over += 1
            if over == PARTING:
                self.kill()  # What is left waits for a free core.
            if self._running and not self.why and not stop.is_set() and self._one_more():
                self.add()
            tell(len(self._running))
        return self.why

    def kill(self) -> None:
        """End all workers at once; their leases run out, and nothing that was committed is lost."""
        for actor in self._running.values():
            self._ray.kill(actor, no_restart=True)
        self._running = {}

    def _take(self, result: Any) -> None:
        """A worker has ended."""
        actor = self._running.pop(result)
        try:
            why = self._ray.get(result)
        except self._ray.exceptions.RayTaskError as error:
            cause = error.cause
            self.kill()
            if isinstance(cause, LagottoError):
                raise cause from None
            raise
        self.why = self.why or why
        self._ray.kill(actor, no_restart=True)

    def _one_more(self) -> bool:
        asked = [actor.load.remote() for actor in self._running.values()]
        answered, _ = self._ray.wait(asked, num_returns=len(asked), timeout=ANSWER)
        loads = []
        for answer in answered:
            try:
                load = self._ray.get(answer)
            except self._ray.exceptions.RayError:
                continue  # It is being started again.
            if load is not None:
                loads.append(load)
        free = self._ray.available_resources().get("CPU", 0.0)
        return self.demand.one_more(loads, len(self._running), free)
