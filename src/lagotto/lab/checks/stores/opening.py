"""What a store must provide to be checked, and how each check begins."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from lagotto.base.protocols import Storage, Store
from lagotto.base.records import Lease
from lagotto.lab.checks.store_calls import hold_all, queue, seed


class Stores(Protocol):
    """Makes the stores that are checked."""

    def place(self) -> Storage:
        """A place that holds no crawl yet; each call gives another one."""
        ...

    def kill(self, store: Store) -> None:
        """Let go of what the store holds, as the operating system does when its process is killed."""
        ...

    async def beside(self, storage: Storage) -> Store:
        """Open a crawl that another worker has open and goes on working with."""
        ...


StoreCheck = Callable[[Stores], Awaitable[None]]


async def begun(stores: Stores, *seeds: Lease) -> tuple[Storage, Store]:
    """A storage and its open store; all shards are held by `first`, the seeds are queued."""
    storage = stores.place()
    store = await hold_all(await storage.create(b"topic = 'birds'\n"))
    await queue(store, list(seeds or (seed(),)))
    return storage, store


async def started(stores: Stores, *seeds: Lease) -> Store:
    """A store whose shards are all held and whose seeds are queued."""
    return (await begun(stores, *seeds))[1]


async def killed(stores: Stores, storage: Storage, store: Store) -> Store:
    """The store as another process opens it after the first was killed."""
    stores.kill(store)
    return await storage.open()


async def raises(error: type[Exception], act: Awaitable[object]) -> bool:
    """Whether an act is refused with this error."""
    try:
        await act
    except error:
        return True
    return False


def urls(leases: list[Lease]) -> list[str]:
    """URLs of leases."""
    return [lease.url for lease in leases]
