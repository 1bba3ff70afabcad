"""Several workers: shards, epochs, budget, snapshots, what each learns of the others."""

from __future__ import annotations

from math import inf

from lagotto.base.batch import (
    Batch,
    Command,
    Mark,
    NewJudgement,
    Patterns,
    Score,
    Snapshot,
    Spent,
    Taken,
    Version,
)
from lagotto.base.errors import StaleEpoch
from lagotto.base.protocols import Storage, Store
from lagotto.base.records import Outcome, Reason, WarcPlace
from lagotto.base.urls import SHARDS, shard_of
from lagotto.lab.checks.store_calls import (
    HOME,
    NOW,
    commit,
    expand,
    link,
    outcome,
    queue,
    restored,
    seed,
    snapshot,
    top,
)
from lagotto.lab.checks.stores.storing import StoreCheck, Stores, begun, killed, raises, urls

OTHER = "http://b.example/"
A, B = shard_of("a.example"), shard_of("b.example")
"""Two shards, and a host in each."""


async def two_workers(stores: Stores) -> tuple[Storage, Store, Store]:
    """Two workers of one crawl: `first` has the shard of a.example, `second` that of b.example."""
    storage = stores.place()
    first = await storage.create(b"")
    await first.acquire([A], "first")
    second = await stores.beside(storage)
    await second.acquire([B], "second")
    await queue(first, [seed(), seed(OTHER)])
    return storage, first, second


async def check_stale_epochs_are_refused(stores: Stores) -> None:
    """A worker that has lost a shard cannot write anything, and the one that holds it can."""
    storage, store = await begun(stores)
    lease = (await top(store))[0]
    storage.send(Command(b'"a command"'))
    await commit(store, [outcome(lease, link(f"{HOME}b"), shelf=0.5)])
    other = await stores.beside(storage)
    epochs = await other.acquire(range(SHARDS), "second")
    assert set(epochs.values()) == {2}
    before = other.reader().last_event()
    for batch in (
        Batch(),
        Batch(outcomes=[outcome(seed(f"{HOME}b"))]),
        Batch(seeds=[seed("http://b.example/")]),
        Batch(expand=lease.id),
        Batch(ranks=[(lease.id, 1.0)]),
        Batch(scores=[Score(link(f"{HOME}b").id, 1.0)]),
        Batch(samples=[b"sample"]),
        Batch(judgements=[NewJudgement(1, 0.5, True)]),
        Batch(marks=[Mark(HOME, True)]),
        Batch(taken=[Taken(1)]),
        Batch(host_waits={"a.example": NOW}),
        Batch(versions=[Version("topic", b"")]),
        Batch(patterns=Patterns(exclude=["."])),
        Batch(snapshot=Snapshot(b"state", at_once=True)),
        Batch(seconds=1.0),
    ):
        assert await raises(StaleEpoch, store.commit(batch)), f"a worker that lost its shards wrote {batch}"
    assert await raises(StaleEpoch, store.renew())
    reader = other.reader()
    assert (reader.last_event(), reader.versions("topic"), reader.marks()) == (before, [], [])
    assert (await other.host_waits(), await restored(other)) == ({}, (None, []))
    assert ([each.n for each in await other.commands()], await other.spent()) == ([1], Spent(1))
    assert (await commit(other, [outcome(seed(f"{HOME}b"), link(f"{HOME}c"))])).new == 1


async def check_only_held_shards_are_served(stores: Stores) -> None:
    """Hosts of other shards are stored, but neither named nor offered."""
    store = await stores.place().create(b"")
    await store.acquire([], "nobody")
    found = await queue(store, [seed()])
    assert (found.added, found.new, list(await store.hosts())) == ([], 1, [])
    assert await raises(StaleEpoch, commit(store, [outcome(seed())])), "its shard is not held"
    await store.acquire(range(SHARDS), "first")
    assert list(await store.hosts()) == ["a.example"]


async def check_leases_are_renewed(stores: Stores) -> None:
    """`renew` extends the lease of all held shards, and of no other."""
    _, first, second = await two_workers(stores)
    await first.acquire([B + 1], "first", 10.0)
    short = {holder.shard: holder for holder in await first.holders()}
    assert [(short[n].owner, short[n].epoch) for n in (A, B, B + 1)] == [
        ("first", 1),
        ("second", 1),
        ("first", 1),
    ]
    assert short[B].until == inf
    await first.acquire([A], "first", 1000.0)
    await first.renew()
    long = {holder.shard: holder for holder in await second.holders()}
    assert long[B + 1].until > short[B + 1].until + 900
    assert long[B] == short[B]


async def check_released_shards_are_free(stores: Stores) -> None:
    """Whoever releases a shard no longer writes to it; one that was lost is not taken from its new owner."""
    storage, first, second = await two_workers(stores)
    await first.release([A])
    assert [holder.owner for holder in await first.holders() if holder.shard == A] == [""]
    assert await raises(StaleEpoch, commit(first, [outcome(seed())]))
    assert list(await first.hosts()) == []
    assert (await second.acquire([A], "second"))[A] == 2
    third = await stores.beside(storage)
    await third.acquire([A], "third")
    lost: tuple[int, ...] = ()
    try:
        await second.commit(Batch(seconds=1.0))
    except StaleEpoch as error:
        lost = error.shards
    assert lost == (A,), "the error names the shards that were lost"
    await second.release(lost)
    assert [holder.owner for holder in await second.holders() if holder.shard == A] == ["third"]
    assert (await commit(second, [outcome(seed(OTHER))])).pages, "it still holds the other shard"


async def check_links_arrive_from_other_workers(stores: Stores) -> None:
    """A worker learns of links that others queue for its shards: new ones, and released ones."""
    _, first, second = await two_workers(stores)
    begin = (await second.arrivals(None)).last
    assert (await second.arrivals(begin)).links == []
    [page] = await top(first)
    links = [link(f"{OTHER}new", 0.75), link(f"{OTHER}held", 0.5, held=True), link(f"{HOME}own", 0.25)]
    assert urls((await commit(first, [outcome(page, *links, shelf=0.5)])).added) == [f"{HOME}own"]
    came = await second.arrivals(begin)
    assert came.last > begin
    [lease] = [each for each in came.links if each.host == "b.example"]
    assert (lease.url, lease.score, lease.parent, lease.parts) == (f"{OTHER}new", 0.75, HOME, [0.75, 0.25])
    assert urls(came.links) == [f"{OTHER}new"], "other shards are none of its business"
    await expand(first, page.id)
    released = await second.arrivals(came.last)
    assert urls(released.links) == [f"{OTHER}held"]
    await first.commit(Batch(patterns=Patterns(exclude=["new$"])))
    assert urls((await second.arrivals(came.last)).links) == [f"{OTHER}held"]
    await first.commit(Batch(patterns=Patterns()))
    assert urls((await second.arrivals(released.last)).links) == [f"{OTHER}new"], "it is admitted again"
    again = await second.arrivals(begin)
    assert sorted(urls(again.links)) == [f"{OTHER}held", f"{OTHER}new"]
    done, late = (outcome(each) for each in again.links)
    late.reason, late.page, late.judgement, late.retry_at = Reason.DNS, None, None, NOW + 5
    await commit(second, [done, late])
    assert (await second.arrivals(begin)).links == [], "concluded and deferred links are left out"
    assert (await second.arrivals(released.last)).last >= released.last


async def check_samples_are_shared(stores: Stores) -> None:
    """A worker gets the samples of all workers after a number, in the order of the commits."""
    _, first, second = await two_workers(stores)
    begin = (await second.restore()).last
    done = outcome(seed())
    done.sample = b"one"
    await commit(first, [done])
    await second.commit(Batch(samples=[b"two", b"three"]))
    await first.commit(Batch(samples=[b"four"]))
    for worker in (first, second):
        found = await worker.samples(begin)
        assert found.samples == [b"one", b"two", b"three", b"four"]
        rest = await worker.samples(found.last)
        assert (rest.samples, rest.last) == ([], found.last)


async def check_removed_samples_are_told(stores: Stores) -> None:
    """Whoever asks for samples that are removed already, as a snapshot covers them, is told so."""
    _, first, second = await two_workers(stores)
    await first.commit(Batch(samples=[b"1", b"2", b"3", b"4"]))
    assert (await second.samples(1)).complete
    await first.commit(Batch(snapshot=Snapshot(b"of three", at_once=True, samples=3)))
    await first.commit(Batch())  # Commits remove what the snapshot covers, but for its last sample.
    late = await second.samples(1)
    assert (late.samples, late.complete) == ([b"3", b"4"], False)
    for in_time in (2, 3, 4):
        assert (await second.samples(in_time)).complete


async def check_a_budget_is_shared(stores: Stores) -> None:
    """Pages, bytes and seconds of all workers are added up, and survive a crash."""
    storage, first, second = await two_workers(stores)
    page, sitemap = outcome(seed()), outcome(seed(OTHER))
    page.size, sitemap.size, sitemap.reason = 100, 20, Reason.SITEMAP
    used = (await first.commit(Batch(outcomes=[page], seconds=1.5))).spent
    assert (used.pages, used.bytes, used.seconds) == (1, 100, 1.5)
    used = (await second.commit(Batch(outcomes=[sitemap], seconds=2.0))).spent
    assert (used.pages, used.bytes, used.seconds) == (1, 120, 3.5), "a sitemap is no page, but has bytes"
    await queue(first, [seed(f"{HOME}x"), seed(f"{HOME}y")])
    gone, late = Outcome(seed(f"{HOME}x"), NOW, 404, size=5), Outcome(seed(f"{HOME}y"), NOW, 503, size=7)
    late.retry_at = NOW + 9
    assert (await commit(first, [gone, late])).spent == Spent(1, 125, 3.5)
    assert (await commit(first, [gone, page])).spent == Spent(1, 125, 3.5), "outcomes count once"
    assert await second.spent() == Spent(1, 125, 3.5)
    stores.kill(first)
    assert await (await killed(stores, storage, second)).spent() == Spent(1, 125, 3.5)


async def check_each_owner_has_its_snapshot(stores: Stores) -> None:
    """A snapshot covers the samples that went into it, for its owner alone."""
    storage, first, second = await two_workers(stores)
    await first.commit(Batch(samples=[b"one", b"two"]))
    covered = (await first.samples(0)).last
    await first.commit(Batch(samples=[b"three"]))
    await first.commit(Batch(snapshot=Snapshot(b"of first", at_once=True, samples=covered)))
    assert await restored(first) == (b"of first", [b"three"])
    assert await restored(second) == (None, [b"one", b"two", b"three"])
    await snapshot(second, b"of second", at_once=True)
    assert await restored(second) == (b"of second", [])
    assert await restored(first) == (b"of first", [b"three"])
    reader = storage.reader()
    assert (reader.learned("first").state, reader.learned("second").state) == (b"of first", b"of second")
    reader.close()


async def check_each_owner_has_its_warc_files(stores: Stores) -> None:
    """A worker is told where the last committed record of each of its own files ends."""
    storage, first, second = await two_workers(stores)
    await queue(first, [seed(f"{HOME}x")])
    for worker, url, place in (
        (first, HOME, WarcPlace("first-0", 100, 50)),
        (second, OTHER, WarcPlace("second-0", 7, 3)),
        (first, f"{HOME}x", WarcPlace("first-1", 10, 5)),
    ):
        done = outcome(seed(url))
        done.warc = place
        await commit(worker, [done])
    assert await first.warc_ends() == {"first-0": 150, "first-1": 15}
    assert await second.warc_ends() == {"second-0": 10}
    stores.kill(second)
    again = await killed(stores, storage, first)
    await again.acquire([A], "first")
    assert await again.warc_ends() == {"first-0": 150, "first-1": 15}


WORKER_CHECKS: tuple[StoreCheck, ...] = (
    check_stale_epochs_are_refused,
    check_only_held_shards_are_served,
    check_leases_are_renewed,
    check_released_shards_are_free,
    check_links_arrive_from_other_workers,
    check_samples_are_shared,
    check_removed_samples_are_told,
    check_a_budget_is_shared,
    check_each_owner_has_its_snapshot,
    check_each_owner_has_its_warc_files,
)
