"""Running a crawl on a Ray cluster, from one process that itself does not crawl."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from lagotto.base.errors import InputError, NotACrawl, SeedError
from lagotto.crawling.cluster.engine import REMOTE, check_cluster, ray_running
from lagotto.crawling.cluster.workers import Demand, Workers
from lagotto.crawling.config import Config, public
from lagotto.crawling.control import run_anywhere, stop
from lagotto.crawling.session import Crawl
from lagotto.store import own_storage, storage_at

Tell = Callable[[int], None]
"""Is given the number of workers, once a second."""


class ClusterRun:
    """A crawl on workers that Ray places; `run` blocks until it ends, `stop` may come from any thread."""

    def __init__(self, location: str | Path, cluster: str, config: Config | None = None) -> None:
        """`cluster` is a number of workers, `auto` or `ray://...`; with `config` the crawl is a new one.

        A location that is a directory gets a PostgreSQL of its own.
        """
        check_cluster(cluster)
        if config is not None:
            _check_secrets(config)
        self.cluster = cluster
        self.location = str(location)
        if "://" not in self.location:
            if cluster.startswith(REMOTE):
                raise InputError(
                    f"the workers at {cluster} cannot reach {location}; name a database with --store"
                )
            self.location = str(Path(location).resolve())
            if config is None and not storage_at(self.location).exists():
                raise NotACrawl(f"there is no crawl in {self.location}")
            own_storage(Path(self.location))
        if not storage_at(self.location).shared:
            raise InputError(f"{location} cannot be shared by workers; name a database with --store")
        self._config = config
        self._stop = threading.Event()
        self._workers: Workers | None = None

    def run(self, tell: Tell = lambda workers: None) -> str:
        """Start the crawl if it is new, and work on it until it ends; returns why it ended."""
        if self._config is not None:
            run_anywhere(self._create)
        try:
            why = self._work(tell)
        except SeedError:
            if self._config is not None:
                storage_at(self.location).discard()  # So that it can be started again.
            raise
        return why or "stopped at once"

    def _work(self, tell: Tell) -> str:
        with ray_running(self.cluster) as most:
            workers = self._workers = Workers(self.location, Demand(most))
            for _ in range(most if self.cluster.isdecimal() else 1):
                workers.add()
            return workers.run(tell, self._stop)

    def stop(self) -> None:
        """Have all workers finish what is under way and end."""
        self._stop.set()
        if storage_at(self.location).running():
            stop(self.location)

    def kill(self) -> None:
        """End all workers at once; nothing that was committed is lost."""
        self._stop.set()
        if self._workers is not None:
            self._workers.kill()

    async def _create(self) -> None:
        assert self._config is not None
        async with Crawl(self._config, self.location):
            pass  # Workers go on from here.


def _check_secrets(config: Config) -> None:
    """Raise if the configuration holds passwords or keys, which the database does not keep."""
    if public(config) != config:
        raise InputError(
            "workers read passwords and keys from their environment; name a variable in place of the value, "
            "such as ${LAGOTTO_KEY}"
        )
