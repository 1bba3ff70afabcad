"""What a store must provide to be checked, and its place: creating, opening, configuration, damage."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from lagotto.base.errors import CrawlDirectoryError, NotACrawl
from lagotto.base.protocols import Storage, Store
from lagotto.base.protocols.storage import Severity
from lagotto.base.records import Lease
from lagotto.lab.checks.store_calls import HOME, commit, hold_all, outcome, queue, seed


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


async def check_a_crawl_is_created_once(stores: Stores) -> None:
    """There is a crawl from `create` on, and a second one is refused."""
    storage = stores.place()
    assert not storage.exists()
    assert await raises(NotACrawl, storage.open())
    for act in (storage.reader, storage.config):
        try:
            act()
        except NotACrawl:
            continue
        raise AssertionError(f"{act.__name__} found a crawl where none is")
    store = await storage.create(b"topic = 'birds'\n")
    assert storage.exists()
    assert storage.running()
    assert storage.config() == b"topic = 'birds'\n"
    await hold_all(store)
    await queue(store, [seed()])
    assert await raises(CrawlDirectoryError, storage.create(b"other"))
    await store.close()
    assert storage.exists()
    assert not storage.running()
    assert await raises(CrawlDirectoryError, storage.create(b"other"))
    assert storage.config() == b"topic = 'birds'\n"


async def check_a_closed_crawl_is_opened_again(stores: Stores) -> None:
    """What was committed is there, nothing is damaged, and the format is the current one."""
    storage, store = await begun(stores)
    storage.save_config(b"topic = 'trees'\n")
    await store.close()
    assert storage.config() == b"topic = 'trees'\n"
    assert not [each for each in storage.examine() if each.severity is Severity.ERROR]
    assert storage.migrate()
    storage.accept()
    with storage.reader() as reader:
        assert reader.status().queued == 1
    store = await storage.open()
    assert store.notes == [], "a clean stop leaves nothing to tell"
    assert (await store.acquire([0], "first"))[0] == 2
    await store.close()


async def check_a_crawl_can_be_discarded(stores: Stores) -> None:
    """A crawl that came to nothing leaves nothing, and its place can be used again."""
    storage, store = await begun(stores)
    await store.close()
    storage.discard()
    assert not storage.exists()
    store = await storage.create(b"topic = 'trees'\n")
    assert store.reader().status().known == 0
    await store.close()


async def check_texts_are_kept_on_demand(stores: Stores) -> None:
    """Without `keep_text` no text is stored; the choice is made anew on each opening."""
    storage = stores.place()
    store = await hold_all(await storage.create(b"", keep_text=False))
    await queue(store, [seed(), seed(f"{HOME}b")])
    await commit(store, [outcome(seed())])
    store = await hold_all(await killed(stores, storage, store))
    await commit(store, [outcome(seed(f"{HOME}b"))])
    reader = store.reader()
    assert (reader.text(1), reader.text(2)) == (None, "Some text.")


STORAGE_CHECKS: tuple[StoreCheck, ...] = (
    check_a_crawl_is_created_once,
    check_a_closed_crawl_is_opened_again,
    check_a_crawl_can_be_discarded,
    check_texts_are_kept_on_demand,
)
