"""The queue: seeds, links, retries, scores; and links that pages on the shelf hold back."""

from __future__ import annotations

from lagotto.base.batch import Batch, Patterns
from lagotto.base.records import Outcome, Reason
from lagotto.base.urls import SHARDS, checksum
from lagotto.lab.checks.store_calls import (
    HOME,
    NOW,
    barrier,
    commit,
    expand,
    link,
    next_retry,
    outcome,
    queue,
    rerank,
    rescore,
    seed,
    shelf_top,
    top,
)
from lagotto.lab.checks.stores.storing import StoreCheck, Stores, started, urls


async def check_seeds_are_queued_once(stores: Stores) -> None:
    """A seed is queued with all that its lease says, and known from then on."""
    store = await stores.place().create(b"")
    await store.acquire(range(SHARDS), "first")
    first = await queue(store, [seed(), seed("http://b.example/x", 0.5), seed()])
    assert (sorted(urls(first.added)), first.new) == ([HOME, "http://b.example/x"], 2)
    assert (await queue(store, [seed()])).new == 0
    assert sorted(await store.hosts()) == ["a.example", "b.example"]
    [lease] = await top(store)
    assert (lease.id, lease.url, lease.host, lease.score) == (checksum(HOME), HOME, "a.example", 1.0)
    assert (lease.depth, lease.parent, lease.attempts) == (0, "", 0)


async def check_links_come_best_first(stores: Stores) -> None:
    """Higher scores first; equal ones in the order of their discovery; negative ones too."""
    store = await started(stores)
    scores = {"b": 0.5, "c": -3.0, "d": 2.0, "e": 0.5, "f": 0.0}
    found = await commit(
        store, [outcome((await top(store))[0], *(link(f"{HOME}{name}", scores[name]) for name in scores))]
    )
    expected = [f"{HOME}{name}" for name in "dbefc"]
    assert (sorted(urls(found.added)), found.new) == (sorted(expected), 5)
    assert urls(await top(store)) == expected
    assert urls(await top(store, n=2)) == expected[:2]


async def check_leases_carry_their_discovery(stores: Stores) -> None:
    """Parent, depth, anchor, hops and parts come back as they were committed."""
    store = await started(stores)
    found = link(f"{HOME}b", depth=7)
    found.hops = 3
    [added] = (await commit(store, [outcome((await top(store))[0], found)])).added
    [lease] = await top(store)
    assert lease == added
    assert (lease.parent, lease.depth, lease.anchor, lease.hops) == (HOME, 7, "an anchor", 3)
    assert lease.parts == [0.5, 0.25]


async def check_rediscovery_raises_and_never_lowers(stores: Stores) -> None:
    """A queued link found again takes a higher score, and with it the parent that gave it."""
    store = await started(stores, seed(), seed("http://b.example/"))
    await commit(store, [outcome((await top(store))[0], link(f"{HOME}x", 0.5, depth=2))])
    [other] = await top(store, "b.example")
    lower, new = link(f"{HOME}x", 0.25, other.url), link(f"{HOME}y", 0.0, other.url)
    again = await commit(store, [outcome(other, lower, new)])
    assert urls(again.added) == [f"{HOME}y"]
    [third] = [lease for lease in await top(store) if lease.url.endswith("y")]
    raised = await commit(store, [outcome(third, link(f"{HOME}x", 0.75, third.url, depth=5))])
    assert (urls(raised.added), raised.new) == ([f"{HOME}x"], 0)
    [lease] = await top(store)
    assert (lease.score, lease.parent, lease.depth) == (0.75, third.url, 2)
    assert raised.added == [lease]


async def check_a_concluded_url_is_done(stores: Stores) -> None:
    """It leaves the queue for good, whoever links to it and however often it is committed."""
    store = await started(stores)
    lease = (await top(store))[0]
    done = outcome(lease, link(f"{HOME}b"))
    await commit(store, [done])
    assert (await commit(store, [done])).new == 0, "the same outcome was committed twice"
    assert (await queue(store, [seed(score=9.0)])).added == []
    [other] = await top(store)
    assert (await commit(store, [outcome(other, link(HOME, 9.0, other.url))])).added == []
    assert await top(store) == []
    assert await next_retry(store, "a.example") is None
    assert list(await store.hosts()) == []


async def check_retries_wait(stores: Stores) -> None:
    """A link sent back is queued still, but not leased before its time."""
    store = await started(stores, seed(), seed(f"{HOME}low", 0.1))
    lease = (await top(store))[0]
    assert await next_retry(store, "a.example") == 0.0
    retry = Outcome(lease, NOW, reason=Reason.CONNECT, retry_at=NOW + 30)
    assert (await commit(store, [retry])).added == []
    assert urls(await top(store)) == [f"{HOME}low"]
    assert urls(await top(store, now=NOW + 30)) == [HOME, f"{HOME}low"], "a link that is due keeps its place"
    [again, low] = await top(store, now=NOW + 31)
    assert again.attempts == 1
    await commit(store, [outcome(low)])
    assert await next_retry(store, "a.example") == NOW + 30
    assert list(await store.hosts()) == ["a.example"]
    await commit(store, [Outcome(again, NOW + 31, reason=Reason.CONNECT, retry_at=NOW + 99)])
    assert await top(store, now=NOW + 98) == []
    [third] = await top(store, now=NOW + 99)
    assert third.attempts == 2
    await commit(store, [outcome(third)])
    assert await next_retry(store, "a.example") is None


async def check_scores_can_be_changed(stores: Stores) -> None:
    """Rescoring moves queued links up or down, and touches nothing else."""
    store = await started(stores, seed(score=3.0), seed(f"{HOME}b", 2.0), seed(f"{HOME}c", 1.0))
    done = (await top(store))[0]
    await commit(store, [outcome(done)])
    await rescore(store, [(checksum(f"{HOME}b"), -1.0, [0.5]), (done.id, 9.0, []), (12345, 1.0, [])])
    assert [(lease.url, lease.score) for lease in await top(store)] == [(f"{HOME}c", 1.0), (f"{HOME}b", -1.0)]
    assert (await top(store))[1].parts == [0.5]
    await queue(store, [seed(f"{HOME}b", 1.5)])
    assert urls(await top(store)) == [f"{HOME}b", f"{HOME}c"], "a rediscovery raises a score that was lowered"


async def check_many_hosts_are_read_in_one_call(stores: Stores) -> None:
    """Every host asked for is in the answer, with as many links as were wanted of it."""
    store = await started(
        stores, seed(), seed(f"{HOME}b", 0.5), seed("http://b.example/"), seed("http://c.example/")
    )
    [waiting] = await top(store, "c.example")
    await commit(store, [Outcome(waiting, NOW, reason=Reason.DNS, retry_at=NOW + 9)])
    wanted = {"a.example": 1, "b.example": 0, "c.example": 5, "never.example": 5}
    found = await store.heads(wanted, NOW)
    assert found.keys() == wanted.keys()
    first, second, late, never = (found[host] for host in wanted)
    [best] = first.links
    assert (best.url, first.place, first.next_retry) == (HOME, (-1.0, best.seq), 0.0)
    assert second.links == [], "only the place was asked for"
    assert second.place is not None
    assert second.place[0] == -1.0
    assert (late.links, late.place, late.next_retry) == ([], None, NOW + 9)
    assert (never.links, never.place, never.next_retry) == ([], None, None)
    places = await store.hosts()
    assert set(places) == {"a.example", "b.example", "c.example"}
    assert places["a.example"] in (first.place, None)
    assert places["b.example"] in (second.place, None)
    assert places["c.example"] is None, "some of its links wait"


async def check_patterns_set_links_aside(stores: Stores) -> None:
    """Links that patterns refuse are not served until they are admitted again; seeds are."""
    store = await started(stores, seed(), seed(f"{HOME}cal/seed"))
    first, other = await top(store)
    links = [link(f"{HOME}cal/{n}", n) for n in (1, 2)] + [link(f"{HOME}page/{n}", n) for n in (3, 4)]
    await commit(store, [outcome(first, *links)])
    [waiting] = [lease for lease in await top(store) if lease.url == f"{HOME}cal/1"]
    await commit(store, [Outcome(lease=waiting, fetched_at=NOW, reason=Reason.DNS, retry_at=NOW + 5)])
    await store.commit(Batch(patterns=Patterns(exclude=["/cal/"])))
    served = [f"{HOME}page/4", f"{HOME}page/3"]
    assert urls(await top(store, now=NOW + 9)) == [*served, other.url]
    await commit(store, [outcome(other, link(f"{HOME}cal/2", 9.0, other.url), content=2)])
    assert urls(await top(store)) == served, "another page that links there changes nothing"
    await store.commit(Batch(patterns=Patterns(include=["/cal/", "4$"])))
    assert urls(await top(store)) == [f"{HOME}page/4", f"{HOME}cal/2", f"{HOME}cal/1"]
    await queue(store, [seed(f"{HOME}page/3", 50.0)])
    assert urls(await top(store))[0] == f"{HOME}page/3", "a seed is served, whatever the patterns say"
    await store.commit(Batch(patterns=Patterns()))
    assert len(await top(store)) == 4


async def check_odd_text_is_kept(stores: Stores) -> None:
    """Whatever a page says, the commit succeeds."""
    store = await started(stores)
    odd = "lone \ud800 surrogate, NUL \0, 鳥, \x1b[31m"
    for url, shelf in ((HOME, None), (f"{HOME}b", 0.5)):
        found = link(f"{url}b", parent=url, held=shelf is not None)
        found.anchor = odd
        [lease] = await top(store)
        strange = outcome(lease, found, shelf=shelf)
        assert strange.page is not None
        assert strange.judgement is not None
        strange.page.title = strange.page.text = strange.page.language = strange.detail = odd
        strange.near_duplicate_of = strange.content_type = strange.etag = odd
        strange.judgement.parts = {odd: 0.5}
        await commit(store, [strange])
    await expand(store, lease.id)
    [last] = await top(store)
    assert (last.url, last.anchor) == (f"{HOME}bb", odd.replace("\ud800", "?"))


LINK_CHECKS: tuple[StoreCheck, ...] = (
    check_seeds_are_queued_once,
    check_links_come_best_first,
    check_leases_carry_their_discovery,
    check_rediscovery_raises_and_never_lowers,
    check_a_concluded_url_is_done,
    check_retries_wait,
    check_scores_can_be_changed,
    check_many_hosts_are_read_in_one_call,
    check_patterns_set_links_aside,
    check_odd_text_is_kept,
)


async def check_held_links_wait_for_their_page(stores: Stores) -> None:
    """Links of a shelved page are released together, when the page is expanded."""
    store = await started(stores)
    page = (await top(store))[0]
    found = await commit(
        store, [outcome(page, *(link(f"{HOME}{n}", n, held=True) for n in (1, 2, 3)), shelf=0.5)]
    )
    assert (found.added, found.new, await top(store), list(await store.hosts())) == ([], 3, [], [])
    assert await shelf_top(store) == (page.id, HOME, 0.5)
    assert await barrier(store) == 0
    released = await expand(store, page.id, sample=b"expanded")
    assert (sorted(urls(released.added)), released.new) == ([f"{HOME}{n}" for n in (1, 2, 3)], 0)
    assert urls(await top(store)) == [f"{HOME}{n}" for n in (3, 2, 1)]
    assert (await barrier(store), await shelf_top(store)) == (3, None)
    third, second, first = await top(store)
    await commit(store, [outcome(third)])
    await commit(store, [Outcome(second, NOW, reason=Reason.DNS, retry_at=NOW + 30)])
    assert await barrier(store) == 2, "a short wait stays in the barrier"
    await commit(store, [Outcome(first, NOW, reason=Reason.DNS, retry_at=NOW + 61)])
    assert await barrier(store) == 1, "a long wait leaves the barrier"
    [again] = await top(store, now=NOW + 30)
    await commit(store, [Outcome(again, NOW, reason=Reason.DNS)])
    assert await barrier(store) == 0


async def check_held_links_found_elsewhere_are_queued(stores: Stores) -> None:
    """A seed, a page that does not shelve, or the first holder to be expanded releases a held link."""
    store = await started(stores, seed(), seed(f"{HOME}b", 0.75), seed(f"{HOME}plain", 0.5))
    one, two, plain = await top(store)
    shared, seeded, linked = f"{HOME}shared", f"{HOME}seeded", f"{HOME}linked"
    held = [link(shared, 0.5, held=True), link(seeded, 0.5, held=True), link(linked, 0.9, held=True)]
    await commit(store, [outcome(one, *held, shelf=0.25)])
    await commit(store, [outcome(two, link(shared, 0.125, two.url, held=True), shelf=0.75)])
    assert urls((await queue(store, [seed(seeded, 0.1)])).added) == [seeded]
    assert urls((await commit(store, [outcome(plain, link(linked, 0.1, plain.url))])).added) == [linked]
    assert await shelf_top(store) == (two.id, two.url, 0.75)
    [released] = (await expand(store, two.id)).added
    assert (released.url, released.score, released.parent) == (shared, 0.125, two.url)
    assert await barrier(store) == 1
    raised = (await expand(store, one.id)).added
    assert sorted(urls(raised)) == sorted([shared, seeded, linked]), "its claims are higher"
    assert await barrier(store) == 3


async def check_ranks_order_the_shelf(stores: Stores) -> None:
    """The highest rank first, the earlier page of equals, and ranks can change."""
    store = await started(stores, *(seed(f"{HOME}{n}", n) for n in (4, 3, 2, 1)))
    pages = await top(store)
    await commit(store, [outcome(page, shelf=0.5) for page in pages])
    assert await shelf_top(store) == (pages[0].id, pages[0].url, 0.5)
    await rerank(store, [(pages[2].id, 0.75), (99, 5.0)])
    assert await shelf_top(store) == (pages[2].id, pages[2].url, 0.75)
    await expand(store, pages[2].id, [(pages[1].id, 0.625)])
    assert await shelf_top(store) == (pages[1].id, pages[1].url, 0.625)


SHELF_CHECKS: tuple[StoreCheck, ...] = (
    check_held_links_wait_for_their_page,
    check_held_links_found_elsewhere_are_queued,
    check_ranks_order_the_shelf,
)
