"""One commit: all or nothing, repeated, tested for contents."""

from __future__ import annotations

from lagotto.base.batch import Batch, Score, Snapshot, Version
from lagotto.base.records import Outcome, Reason
from lagotto.base.urls import SHARDS
from lagotto.lab.checks.store_calls import (
    HOME,
    NOW,
    barrier,
    commit,
    content_seen,
    expand,
    hold_all,
    link,
    near_duplicate,
    outcome,
    restored,
    seed,
    snapshot,
    top,
)
from lagotto.lab.checks.stores.storing import StoreCheck, Stores, begun, killed, raises, started, urls


async def check_commits_are_all_or_nothing(stores: Stores) -> None:
    """One outcome that cannot be committed keeps out the whole batch, which can be mended and repeated."""
    store = await started(stores)
    lease = (await top(store))[0]
    batch = [outcome(lease, link(f"{HOME}b"), content=5), outcome(seed("http://never.example/"))]
    assert await raises(ValueError, commit(store, batch)), "a URL that was never queued was committed"
    assert await top(store) == [lease]
    assert await content_seen(store, 5) is None
    assert urls((await commit(store, batch[:1])).added) == [f"{HOME}b"]
    assert await content_seen(store, 5) == HOME


async def check_a_batch_settles_its_own_links(stores: Stores) -> None:
    """A link that is found and concluded in one batch cannot be leased afterwards."""
    store = await started(stores, seed(), seed(f"{HOME}b", 0.5))
    first, second = await top(store)
    found = await commit(store, [outcome(first, link(second.url, 0.75), link(f"{HOME}c")), outcome(second)])
    assert urls(found.added) == [f"{HOME}c"]
    assert urls(await top(store)) == [f"{HOME}c"]


async def check_content_belongs_to_its_first_page(stores: Stores) -> None:
    """The first page with a content is its owner; near duplicates differ in at most three bits."""
    store = await started(stores, seed(), seed(f"{HOME}b", 0.5), seed(f"{HOME}c", 0.25))
    first, second, third = await top(store)
    content = 0x0F0F_1234_5678_9ABC
    await commit(store, [outcome(first, content=content), outcome(second, content=content)])
    await commit(store, [outcome(third, content=-content)])
    assert await content_seen(store, content) == first.url
    assert await content_seen(store, -content) == third.url
    assert await content_seen(store, content + 1) is None
    assert await content_seen(store, 0) is None
    assert await near_duplicate(store, content) == first.url
    for bits in (1 << 63 | 1 << 40 | 1, 1 << 15 | 1 << 16, 1 << 33):
        near = content ^ bits
        assert await near_duplicate(store, near - (1 << 64) if near >> 63 else near) == first.url
    assert await near_duplicate(store, content ^ (1 << 60 | 1 << 44 | 1 << 20 | 1 << 3)) is None
    assert await near_duplicate(store, 0) is None


async def check_a_repeated_batch_counts_once(stores: Stores) -> None:
    """A batch sent again under its name changes nothing and gets the same answer, also after a crash."""
    storage, store = await begun(stores)
    lease = (await top(store))[0]
    done = outcome(lease, link(f"{HOME}b"))
    done.size, done.sample = 70, b"of the page"
    batch = Batch(
        id="batch 1", outcomes=[done], samples=[b"another"], versions=[Version("topic", b"1")], seconds=2.0
    )
    first = await store.commit(batch)
    assert (urls(first.added), first.new, first.pages) == ([f"{HOME}b"], 1, {lease.id: 1})
    assert (first.spent.pages, first.spent.bytes, first.spent.seconds) == (1, 70, 2.0)
    assert await store.commit(batch) == first
    store = await hold_all(await killed(stores, storage, store))
    assert await store.commit(batch) == first, "the answer must survive a crash"
    assert await store.spent() == first.spent
    assert await restored(store) == (None, [b"of the page", b"another"])
    assert [version.version for version in store.reader().versions("topic")] == [1]
    other = await stores.beside(storage)
    await hold_all(other, "second")
    assert await store.commit(batch) == first, "it was committed before the shards were lost"
    assert (await other.commit(Batch(id="batch 2", seconds=1.0))).spent.seconds == 3.0


async def check_contents_are_tested_in_the_commit(stores: Stores) -> None:
    """If the batch asks for it, a page with a known content becomes a duplicate without links and sample."""
    store = await started(stores, seed(), *(seed(f"{HOME}{name}", 0.5) for name in "bcd"))
    pages = [outcome(lease, link(f"{lease.url}-x"), content=9) for lease in await top(store)]
    for page in pages:
        page.sample = page.lease.url.encode()
    first, second, third, fourth = pages
    found = await store.commit(Batch(outcomes=[first, second], content_seen=True))
    assert (found.duplicates, urls(found.added)) == ([second.lease.id], [f"{HOME}-x"])
    assert (await store.commit(Batch(outcomes=[third], content_seen=True))).duplicates == [third.lease.id]
    assert (await store.commit(Batch(outcomes=[fourth]))).duplicates == []
    assert await restored(store) == (None, [HOME.encode(), f"{HOME}d".encode()])
    rows = list(store.reader().rows())
    assert [row.reason for row in rows] == ["", Reason.DUPLICATE, Reason.DUPLICATE, ""]
    assert [row.relevant for row in rows] == [True, None, None, True]


async def check_one_batch_does_everything(stores: Stores) -> None:
    """Links that a batch brings are rescored in it, and its snapshot covers its samples."""
    store = await started(stores)
    [lease] = await top(store)
    done = outcome(lease, link(f"{HOME}b", 0.5), link(f"{HOME}c", 0.25))
    done.sample = b"one"
    score = Score(link(f"{HOME}c").id, 0.75, [1.0])
    await store.commit(
        Batch(outcomes=[done], scores=[score], samples=[b"two"], snapshot=Snapshot(b"state", at_once=True))
    )
    assert [(each.url, each.score) for each in await top(store)] == [(f"{HOME}c", 0.75), (f"{HOME}b", 0.5)]
    assert await restored(store) == (b"state", [])


async def check_everything_survives_a_crash(stores: Stores) -> None:
    """Another process finds the queue, the shelf and the barrier as they were committed."""
    storage, store = await begun(stores, seed(), seed(f"{HOME}b", 0.5))
    one, two = await top(store)
    await commit(store, [outcome(one, link(f"{HOME}held", 2.0, held=True), content=7, shelf=0.5)])
    await commit(store, [outcome(two, *(link(f"{HOME}{n}", n / 100, two.url) for n in range(100)))])
    await expand(store, one.id)
    slow = (await top(store))[1]
    await commit(store, [Outcome(slow, NOW, reason=Reason.DNS, retry_at=NOW + 5)])
    before = await top(store, now=NOW + 5)
    store = await killed(stores, storage, store)
    await store.acquire(range(SHARDS), "second")
    assert await top(store, now=NOW + 5) == before
    assert (len(before), await barrier(store), await content_seen(store, 7)) == (101, 1, HOME)
    links = [link(url, 9.0) for url in (HOME, f"{HOME}5", f"{HOME}new")]
    found = await commit(store, [outcome(before[0], *links)])
    assert (sorted(urls(found.added)), found.new) == ([f"{HOME}5", f"{HOME}new"], 1)
    assert await barrier(store) == 0


async def check_what_was_learned_is_replayed(stores: Stores) -> None:
    """Samples come back in commit order, from the latest snapshot on, also after a crash."""
    storage, store = await begun(stores, seed(), seed(f"{HOME}b", 0.5), seed(f"{HOME}c", 0.25))
    first, second, third = await top(store)
    assert await restored(store) == (None, [])
    batch = [outcome(first, shelf=1.0), outcome(second)]
    batch[0].sample, batch[1].sample = b"one", b"two"
    await commit(store, batch)
    await expand(store, first.id, sample=b"three")
    assert await restored(store) == (None, [b"one", b"two", b"three"])
    for n in range(5):
        await snapshot(store, b"state %d" % n)
    assert await restored(store) == (b"state 4", [])
    last = outcome(third)
    last.sample = b"four"
    await commit(store, [last])
    assert await restored(await hold_all(await killed(stores, storage, store))) == (b"state 4", [b"four"])


COMMIT_CHECKS: tuple[StoreCheck, ...] = (
    check_commits_are_all_or_nothing,
    check_a_batch_settles_its_own_links,
    check_content_belongs_to_its_first_page,
    check_a_repeated_batch_counts_once,
    check_contents_are_tested_in_the_commit,
    check_one_batch_does_everything,
    check_everything_survives_a_crash,
    check_what_was_learned_is_replayed,
)
