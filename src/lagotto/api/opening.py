"""Opening what a crawl writes to, alone or beside other workers."""

from __future__ import annotations

import time
from contextlib import AsyncExitStack

from msgspec import Struct

from lagotto import assembly
from lagotto import config as configuration
from lagotto.config import Config
from lagotto.crawling.membership import Membership, worker_name
from lagotto.crawling.statistics import Statistics
from lagotto.frontier import Hosts, Scope
from lagotto.protocols import SharedStore, Storage, Store
from lagotto.urls import SHARDS

OWNER = "local"
"""Name of the one worker of a crawl on one machine."""


class OpenStore(Struct):
    """A store with the shards that this worker holds."""

    store: Store
    membership: Membership | None
    """This worker's part in a crawl that several workers share."""

    def count(self, statistics: Statistics, scope: Scope, hosts: Hosts) -> int:
        """Count the pages that are there already; returns how many the scope and the hosts know of."""
        reader = self.store.reader()
        statistics.count_all(reader.status())
        return assembly.recall(scope, reader.fetched(), hosts)


async def open_store(
    storage: Storage, config: Config, closing: AsyncExitStack, *, resuming: bool
) -> OpenStore:
    """Create or open the store of a crawl, and take its shards; `closing` gives them up and closes it."""
    if resuming:
        store = await storage.open(keep_text=config.keep_text)
    else:
        store = await storage.create(configuration.encode(config), keep_text=config.keep_text)
    closing.push_async_callback(store.close)
    if not (storage.shared and isinstance(store, SharedStore)):
        await store.acquire(range(SHARDS), OWNER)
        return OpenStore(store, None)
    membership = Membership(store, worker_name(), time.monotonic)
    await membership.join(max(config.delay, config.ip_delay))
    closing.push_async_callback(membership.leave)
    return OpenStore(store, membership)
