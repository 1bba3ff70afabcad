"""Running a crawl on several workers, from one process that itself does not crawl."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from lagotto.base.errors import InputError, LagottoError, NotACrawl, SeedError
from lagotto.base.protocols import SharedStore
from lagotto.crawling.cluster.engine import REMOTE, check_cluster, ray_running
from lagotto.crawling.cluster.processes import Processes
from lagotto.crawling.cluster.workers import Demand, Workers
from lagotto.crawling.config import Config, public
from lagotto.crawling.control import run_anywhere, stop
from lagotto.crawling.session import Crawl
from lagotto.store import own_storage, storage_at

Tell = Callable[[int], None]
"""Is given the number of workers, once a second."""


class ClusterRun:
    """A crawl on workers of this machine, or on those that Ray places on many.

    `run` blocks until the crawl ends; `stop` may come from any thread.
    """

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
        self._killed = False
        self.workers: Processes | Workers | None = None
        """The workers, once they are started."""

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
        if self.cluster.isdecimal():
            return self._work_here(tell)
        with ray_running(self.cluster) as most:
            workers = self.workers = Workers(self.location, Demand(most))
            workers.add()
            return workers.run(tell, self._stop)

    def _work_here(self, tell: Tell) -> str:
        workers = self.workers = Processes(self.location, int(self.cluster))
        try:
            why = workers.run(tell, self._stop, self._ended)
        except BaseException:
            workers.kill()
            raise
        if why and why == workers.failure:
            raise SeedError(why)  # The worker that noticed it has told all others.
        return why or ("" if self._killed else "its workers were stopped")

    def _ended(self) -> str:
        """Why the crawl has ended; empty if it has not, or if the database does not answer."""

        async def ask() -> str:
            store = await storage_at(self.location).open()
            try:
                assert isinstance(store, SharedStore)
                return (await store.beat(None)).ended
            finally:
                await store.close()

        try:
            return run_anywhere(ask)
        except LagottoError:
            return ""

    def stop(self) -> None:
        """Have all workers finish what is under way and end."""
        self._stop.set()
        try:
            if storage_at(self.location).running():
                stop(self.location)
                return
        except LagottoError:
            pass  # The workers of this machine can be told without the database.
        if isinstance(self.workers, Processes):
            self.workers.interrupt()

    def kill(self) -> None:
        """End all workers at once; nothing that was committed is lost."""
        self._stop.set()
        self._killed = True
        if self.workers is not None:
            self.workers.kill()

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
