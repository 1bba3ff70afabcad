"""Pages on the shelf and the links that they hold."""

from __future__ import annotations

from lagotto.base.records import Outcome, Reason
from lagotto.lab.checks.store_calls import (
    HOME,
    NOW,
    barrier,
    commit,
    expand,
    link,
    outcome,
    queue,
    rerank,
    seed,
    shelf_top,
    top,
)
from lagotto.lab.checks.stores.opening import StoreCheck, Stores, started, urls


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
