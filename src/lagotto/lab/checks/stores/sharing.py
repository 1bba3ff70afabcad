"""Stores that many workers share: heartbeats, free shards, the end of a crawl."""

from __future__ import annotations

from math import inf

from lagotto.base.batch import Batch
from lagotto.base.errors import StaleEpoch
from lagotto.base.protocols import SharedStore, Storage
from lagotto.base.records import WarcPlace
from lagotto.base.urls import SHARDS, shard_of
from lagotto.base.views import WarcFile
from lagotto.lab.checks.store_calls import HOME, commit, link, outcome, queue, seed, top
from lagotto.lab.checks.stores.storing import StoreCheck, Stores, raises

LEASE = 1000.0


async def _two(stores: Stores) -> tuple[Storage, SharedStore, SharedStore]:
    """Two workers that have registered and hold nothing."""
    storage = stores.place()
    first, second = await storage.create(b""), await storage.open()
    assert isinstance(first, SharedStore)
    assert isinstance(second, SharedStore)
    await first.acquire([], "first", LEASE)
    await second.acquire([], "second", LEASE)
    return storage, first, second


async def check_workers_know_each_other(stores: Stores) -> None:
    """All workers that live are counted with their shards; one that leaves is not."""
    _, first, second = await _two(stores)
    taken = await first.take_free(100)
    assert (len(taken), set(taken.values())) == (100, {1})
    census = await second.beat(None)
    assert (census.workers, census.free) == ({"first": 100, "second": 0}, SHARDS - 100)
    await first.leave()
    census = await second.beat(None)
    assert (census.workers, census.free) == ({"second": 0}, SHARDS)
    assert set((await second.take_free(SHARDS)).values()) == {1, 2}


async def check_only_free_shards_are_taken(stores: Stores) -> None:
    """A shard is free if nobody holds it, or if its owner is gone; nobody else's is taken."""
    _, first, second = await _two(stores)
    held = await first.take_free(SHARDS)
    assert await second.take_free(SHARDS) == {}
    await first.release([3, 5])
    assert sorted(await second.take_free(9)) == [3, 5]
    await first.beat(None)
    assert (await second.beat(None)).workers == {"first": len(held) - 2, "second": 2}
    await second.acquire([7], "second", LEASE)
    assert await raises(StaleEpoch, first.beat(None)), "one of its shards is another's"
    await first.release([7])
    assert (await first.beat(None)).workers == {"first": len(held) - 3, "second": 3}
    await first.leave()
    assert len(await second.take_free(SHARDS)) == SHARDS - 3


async def check_a_beat_extends_leases(stores: Stores) -> None:
    """A sign of life extends the leases of the worker's own shards."""
    _, first, second = await _two(stores)
    await first.take_free(10)
    await second.take_free(10)
    before = {holder.shard: holder.until for holder in await first.holders()}
    await first.beat(None)
    after = {holder.shard: holder.until for holder in await first.holders()}
    longer = [shard for shard in before if after[shard] > before[shard]]
    assert (longer, inf in after.values()) == (list(range(10)), False)


async def check_a_crawl_is_over_when_all_are_idle(stores: Stores) -> None:
    """Not before every shard is held, every worker is idle, and none has links on their way to it."""
    _, first, second = await _two(stores)
    a, b = shard_of("a.example"), shard_of("b.example")
    await first.acquire([shard for shard in range(SHARDS) if shard != b], "first", LEASE)
    idle = (await first.arrivals(None)).last
    assert not (await first.beat(idle)).over, "a shard is free"
    await second.acquire([b], "second", LEASE)
    assert not (await first.beat(idle)).over, "the other has not said that it is idle"
    assert (await second.beat(idle)).over
    await queue(first, [seed()])
    [page] = await top(first)
    await commit(first, [outcome(page, link("http://b.example/"))])
    assert not (await first.beat((await first.arrivals(idle)).last)).over, "a link is on its way"
    came = await second.arrivals(idle)
    assert [each.url for each in came.links] == ["http://b.example/"]
    assert not (await second.beat(None)).over
    await commit(second, [outcome(came.links[0])])
    assert (await second.beat(came.last)).over
    await first.release([a])
    await second.take_free(1)
    assert not (await first.beat(came.last)).over, "the other has not looked at the shard that it took"
    assert (await second.beat(came.last)).over
    await queue(second, [seed("http://b.example/more")])
    assert not (await first.beat(came.last)).over, "the other has queued a link of its own"
    assert a != b


async def check_offers_are_told_to_others(stores: Stores) -> None:
    """A worker hears the best place that others could lease, never its own."""
    _, first, second = await _two(stores)
    assert await first.offer((-0.25, 7)) is None
    assert await second.offer((-0.25, 9)) == (-0.25, 7)
    assert await first.offer((-0.25, 7)) == (-0.25, 9)
    assert await first.offer(None) == (-0.25, 9)
    assert await first.offered() == (-0.25, 9)
    assert await second.offered() is None
    assert await second.offer((-1.0, 3)) is None
    await second.leave()
    assert await first.offer(None) is None, "it is gone"


async def check_the_end_is_told_to_all(stores: Stores) -> None:
    """What one worker says of the end, every other hears, until one begins where no other lives."""
    storage, first, second = await _two(stores)
    assert (await second.beat(None)).ended == ""
    await first.end("the budget is used")
    assert (await second.beat(None)).ended == "the budget is used"
    third = await storage.open()
    assert isinstance(third, SharedStore)
    await third.acquire([], "third", LEASE)
    assert (await third.beat(None)).ended == "the budget is used"
    for each in (first, second, third):
        await each.leave()
    await third.acquire([], "third", LEASE)
    assert (await third.beat(None)).ended == ""


async def check_a_census_counts_what_was_used(stores: Stores) -> None:
    """A worker that commits nothing learns what the others have used and which commands were taken."""
    _, first, second = await _two(stores)
    await first.take_free(SHARDS)
    await queue(first, [seed(HOME)])
    await commit(first, [outcome((await top(first))[0])])
    await first.commit(Batch(seconds=2.5))
    census = await second.beat(None)
    assert (census.spent.pages, census.spent.seconds, census.taken) == (1, 2.5, 0)


async def check_warc_files_are_listed(stores: Stores) -> None:
    """All files of all workers are listed, with what is committed of them and whether they are finished."""
    _, first, second = await _two(stores)
    await first.take_free(SHARDS)
    await queue(first, [seed()])
    done = outcome((await top(first))[0])
    done.warc = WarcPlace("first-0.warc.gz", 100, 50)
    await commit(first, [done])
    assert await second.warcs() == [WarcFile("first-0.warc.gz", "first", 150, sealed=False)]
    await first.seal(["first-0.warc.gz", "unknown"])
    assert [file.sealed for file in await second.warcs()] == [True]


SHARING_CHECKS: tuple[StoreCheck, ...] = (
    check_workers_know_each_other,
    check_only_free_shards_are_taken,
    check_a_beat_extends_leases,
    check_a_crawl_is_over_when_all_are_idle,
    check_offers_are_told_to_others,
    check_the_end_is_told_to_all,
    check_a_census_counts_what_was_used,
    check_warc_files_are_listed,
)
"""Checks for stores that are each a `SharedStore`, beyond `STORE_CHECKS`."""
