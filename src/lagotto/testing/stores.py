"""Contract checks that every store passes, on one machine or on many.

from lagotto.testing.stores import STORE_CHECKS

@pytest.mark.parametrize("check", STORE_CHECKS)
def test_my_store(check: StoreCheck) -> None:
    check(MyStores())
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from lagotto.errors import StaleEpoch
from lagotto.records import Judgement, Lease, NewLink, Outcome, Page, Reason
from lagotto.seams import Store
from lagotto.urls import SHARDS, checksum, host_of

NOW = 1_700_000_000.0
HOME = "http://a.example/"


class Stores(Protocol):
    """Makes the stores that are checked."""

    def new(self) -> Store:
        """An empty store; shards are taken by the check."""
        ...

    def again(self, store: Store) -> Store:
        """The same store in another process, after the first was killed."""
        ...

    def beside(self, store: Store) -> Store:
        """The same store in another process, while the first still thinks it holds its shards."""
        ...


StoreCheck = Callable[[Stores], None]


def seed(url: str = HOME, score: float = 1.0) -> Lease:
    """A URL to start from."""
    return Lease(checksum(url), url, host_of(url), score)


def link(url: str, score: float = 0.5, parent: str = HOME, *, held: bool = False, depth: int = 1) -> NewLink:
    """A link as the step makes it."""
    parts = [score, 0.25]
    return NewLink(checksum(url), url, host_of(url), score, parts, depth, parent, "an anchor", held=held)


def outcome(lease: Lease, *links: NewLink, content: int = 0, shelf: float | None = None) -> Outcome:
    """A page that was fetched."""
    return Outcome(
        lease=lease,
        fetched_at=NOW,
        status=200,
        page=Page(lease.url, title="A page", text="Some text.", fingerprint=content, simhash=content),
        judgement=Judgement(0.5, True, {"cosine": 0.5}, shelf),
        links=list(links),
    )


def started(stores: Stores, *seeds: Lease) -> Store:
    """A store whose shards are all held and whose seeds are queued."""
    store = stores.new()
    store.acquire(range(SHARDS), "first")
    store.add_seeds(list(seeds or (seed(),)))
    return store


def top(store: Store, host: str = "a.example", n: int = 1000, now: float = NOW) -> list[Lease]:
    """Links of a host that can be leased."""
    return store.top(host, n, now)


def raises(error: type[Exception], act: Callable[[], object]) -> bool:
    """Whether an act is refused with this error."""
    try:
        act()
    except error:
        return True
    return False


def urls(leases: list[Lease]) -> list[str]:
    """URLs of leases."""
    return [lease.url for lease in leases]


def check_seeds_are_queued_once(stores: Stores) -> None:
    """A seed is queued with all that its lease says, and known from then on."""
    store = stores.new()
    store.acquire(range(SHARDS), "first")
    first = store.add_seeds([seed(), seed("http://b.example/x", 0.5), seed()])
    assert (sorted(urls(first.added)), first.new) == ([HOME, "http://b.example/x"], 2)
    assert store.add_seeds([seed()]).new == 0
    assert sorted(store.hosts()) == ["a.example", "b.example"]
    [lease] = top(store)
    assert (lease.id, lease.url, lease.host, lease.score) == (checksum(HOME), HOME, "a.example", 1.0)
    assert (lease.depth, lease.parent, lease.attempts) == (0, "", 0)


def check_links_come_best_first(stores: Stores) -> None:
    """Higher scores first; equal ones in the order of their discovery; negative ones too."""
    store = started(stores)
    scores = {"b": 0.5, "c": -3.0, "d": 2.0, "e": 0.5, "f": 0.0}
    found = store.commit([outcome(top(store)[0], *(link(f"{HOME}{name}", scores[name]) for name in scores))])
    expected = [f"{HOME}{name}" for name in "dbefc"]
    assert (sorted(urls(found.added)), found.new) == (sorted(expected), 5)
    assert urls(top(store)) == expected
    assert urls(top(store, n=2)) == expected[:2]


def check_leases_carry_their_discovery(stores: Stores) -> None:
    """Parent, depth, anchor, hops and parts come back as they were committed."""
    store = started(stores)
    found = link(f"{HOME}b", depth=7)
    found.hops = 3
    [added] = store.commit([outcome(top(store)[0], found)]).added
    [lease] = top(store)
    assert lease == added
    assert (lease.parent, lease.depth, lease.anchor, lease.hops) == (HOME, 7, "an anchor", 3)
    assert lease.parts == [0.5, 0.25]


def check_rediscovery_raises_and_never_lowers(stores: Stores) -> None:
    """A queued link found again takes a higher score, and with it the parent that gave it."""
    store = started(stores, seed(), seed("http://b.example/"))
    store.commit([outcome(top(store)[0], link(f"{HOME}x", 0.5, depth=2))])
    [other] = top(store, "b.example")
    lower, new = link(f"{HOME}x", 0.25, other.url), link(f"{HOME}y", 0.0, other.url)
    again = store.commit([outcome(other, lower, new)])
    assert urls(again.added) == [f"{HOME}y"]
    [third] = [lease for lease in top(store) if lease.url.endswith("y")]
    raised = store.commit([outcome(third, link(f"{HOME}x", 0.75, third.url, depth=5))])
    assert (urls(raised.added), raised.new) == ([f"{HOME}x"], 0)
    [lease] = top(store)
    assert (lease.score, lease.parent, lease.depth) == (0.75, third.url, 2)
    assert raised.added == [lease]


def check_a_concluded_url_is_done(stores: Stores) -> None:
    """It leaves the queue for good, whoever links to it and however often it is committed."""
    store = started(stores)
    lease = top(store)[0]
    done = outcome(lease, link(f"{HOME}b"))
    store.commit([done])
    assert store.commit([done]).new == 0, "the same outcome was committed twice"
    assert store.add_seeds([seed(score=9.0)]).added == []
    [other] = top(store)
    assert store.commit([outcome(other, link(HOME, 9.0, other.url))]).added == []
    assert top(store) == []
    assert store.next_retry("a.example") is None
    assert list(store.hosts()) == []


def check_retries_wait(stores: Stores) -> None:
    """A link sent back is queued still, but not leased before its time."""
    store = started(stores, seed(), seed(f"{HOME}low", 0.1))
    lease = top(store)[0]
    assert store.next_retry("a.example") == 0.0
    retry = Outcome(lease, NOW, reason=Reason.CONNECT, retry_at=NOW + 30)
    assert store.commit([retry]).added == []
    assert urls(top(store)) == [f"{HOME}low"]
    assert urls(top(store, now=NOW + 30)) == [HOME, f"{HOME}low"], "a link that is due keeps its place"
    [again, low] = top(store, now=NOW + 31)
    assert again.attempts == 1
    store.commit([outcome(low)])
    assert store.next_retry("a.example") == NOW + 30
    assert list(store.hosts()) == ["a.example"]
    store.commit([Outcome(again, NOW + 31, reason=Reason.CONNECT, retry_at=NOW + 99)])
    assert top(store, now=NOW + 98) == []
    [third] = top(store, now=NOW + 99)
    assert third.attempts == 2
    store.commit([outcome(third)])
    assert store.next_retry("a.example") is None


def check_scores_can_be_changed(stores: Stores) -> None:
    """Rescoring moves queued links up or down, and touches nothing else."""
    store = started(stores, seed(score=3.0), seed(f"{HOME}b", 2.0), seed(f"{HOME}c", 1.0))
    done = top(store)[0]
    store.commit([outcome(done)])
    store.rescore([(checksum(f"{HOME}b"), -1.0, [0.5]), (done.id, 9.0, []), (12345, 1.0, [])])
    assert [(lease.url, lease.score) for lease in top(store)] == [(f"{HOME}c", 1.0), (f"{HOME}b", -1.0)]
    assert top(store)[1].parts == [0.5]
    store.add_seeds([seed(f"{HOME}b", 1.5)])
    assert urls(top(store)) == [f"{HOME}b", f"{HOME}c"], "a rediscovery raises a score that was lowered"


def check_commits_are_all_or_nothing(stores: Stores) -> None:
    """One outcome that cannot be committed keeps out the whole batch, which can be mended and repeated."""
    store = started(stores)
    lease = top(store)[0]
    batch = [outcome(lease, link(f"{HOME}b"), content=5), outcome(seed("http://never.example/"))]
    assert raises(ValueError, lambda: store.commit(batch)), "a URL that was never queued was committed"
    assert top(store) == [lease]
    assert store.content_seen(5) is None
    assert urls(store.commit(batch[:1]).added) == [f"{HOME}b"]
    assert store.content_seen(5) == HOME


def check_a_batch_settles_its_own_links(stores: Stores) -> None:
    """A link that is found and concluded in one batch cannot be leased afterwards."""
    store = started(stores, seed(), seed(f"{HOME}b", 0.5))
    first, second = top(store)
    found = store.commit([outcome(first, link(second.url, 0.75), link(f"{HOME}c")), outcome(second)])
    assert urls(found.added) == [f"{HOME}c"]
    assert urls(top(store)) == [f"{HOME}c"]


def check_content_belongs_to_its_first_page(stores: Stores) -> None:
    """The first page with a content is its owner; near duplicates differ in at most three bits."""
    store = started(stores, seed(), seed(f"{HOME}b", 0.5), seed(f"{HOME}c", 0.25))
    first, second, third = top(store)
    content = 0x0F0F_1234_5678_9ABC
    store.commit([outcome(first, content=content), outcome(second, content=content)])
    store.commit([outcome(third, content=-content)])
    assert store.content_seen(content) == first.url
    assert store.content_seen(-content) == third.url
    assert store.content_seen(content + 1) is None
    assert store.content_seen(0) is None
    assert store.near_duplicate(content) == first.url
    for bits in (1 << 63 | 1 << 40 | 1, 1 << 15 | 1 << 16, 1 << 33):
        near = content ^ bits
        assert store.near_duplicate(near - (1 << 64) if near >> 63 else near) == first.url
    assert store.near_duplicate(content ^ (1 << 60 | 1 << 44 | 1 << 20 | 1 << 3)) is None
    assert store.near_duplicate(0) is None


def check_held_links_wait_for_their_page(stores: Stores) -> None:
    """Links of a shelved page are released together, when the page is expanded."""
    store = started(stores)
    page = top(store)[0]
    found = store.commit([outcome(page, *(link(f"{HOME}{n}", n, held=True) for n in (1, 2, 3)), shelf=0.5)])
    assert (found.added, found.new, top(store), list(store.hosts())) == ([], 3, [], [])
    assert store.shelf_top() == (page.id, HOME, 0.5)
    assert store.barrier() == 0
    released = store.expand(page.id, sample=b"expanded")
    assert (sorted(urls(released.added)), released.new) == ([f"{HOME}{n}" for n in (1, 2, 3)], 0)
    assert urls(top(store)) == [f"{HOME}{n}" for n in (3, 2, 1)]
    assert (store.barrier(), store.shelf_top()) == (3, None)
    third, second, first = top(store)
    store.commit([outcome(third)])
    store.commit([Outcome(second, NOW, reason=Reason.DNS, retry_at=NOW + 30)])
    assert store.barrier() == 2, "a short wait stays in the barrier"
    store.commit([Outcome(first, NOW, reason=Reason.DNS, retry_at=NOW + 61)])
    assert store.barrier() == 1, "a long wait leaves the barrier"
    [again] = top(store, now=NOW + 30)
    store.commit([Outcome(again, NOW, reason=Reason.DNS)])
    assert store.barrier() == 0


def check_held_links_found_elsewhere_are_queued(stores: Stores) -> None:
    """A seed, a page that does not shelve, or the first holder to be expanded releases a held link."""
    store = started(stores, seed(), seed(f"{HOME}b", 0.75), seed(f"{HOME}plain", 0.5))
    one, two, plain = top(store)
    shared, seeded, linked = f"{HOME}shared", f"{HOME}seeded", f"{HOME}linked"
    held = [link(shared, 0.5, held=True), link(seeded, 0.5, held=True), link(linked, 0.9, held=True)]
    store.commit([outcome(one, *held, shelf=0.25)])
    store.commit([outcome(two, link(shared, 0.125, two.url, held=True), shelf=0.75)])
    assert urls(store.add_seeds([seed(seeded, 0.1)]).added) == [seeded]
    assert urls(store.commit([outcome(plain, link(linked, 0.1, plain.url))]).added) == [linked]
    assert store.shelf_top() == (two.id, two.url, 0.75)
    [released] = store.expand(two.id).added
    assert (released.url, released.score, released.parent) == (shared, 0.125, two.url)
    assert store.barrier() == 1
    raised = store.expand(one.id).added
    assert sorted(urls(raised)) == sorted([shared, seeded, linked]), "its claims are higher"
    assert store.barrier() == 3


def check_ranks_order_the_shelf(stores: Stores) -> None:
    """The highest rank first, the earlier page of equals, and ranks can change."""
    store = started(stores, *(seed(f"{HOME}{n}", n) for n in (4, 3, 2, 1)))
    pages = top(store)
    store.commit([outcome(page, shelf=0.5) for page in pages])
    assert store.shelf_top() == (pages[0].id, pages[0].url, 0.5)
    store.rerank([(pages[2].id, 0.75), (99, 5.0)])
    assert store.shelf_top() == (pages[2].id, pages[2].url, 0.75)
    store.expand(pages[2].id, [(pages[1].id, 0.625)])
    assert store.shelf_top() == (pages[1].id, pages[1].url, 0.625)


def check_what_was_learned_is_replayed(stores: Stores) -> None:
    """Samples come back in commit order, from the latest snapshot on, also after a crash."""
    store = started(stores, seed(), seed(f"{HOME}b", 0.5), seed(f"{HOME}c", 0.25))
    first, second, third = top(store)
    assert store.restore() == (None, [])
    batch = [outcome(first, shelf=1.0), outcome(second)]
    batch[0].sample, batch[1].sample = b"one", b"two"
    store.commit(batch)
    store.expand(first.id, sample=b"three")
    assert store.restore() == (None, [b"one", b"two", b"three"])
    for n in range(5):
        store.snapshot(b"state %d" % n)
    assert store.restore() == (b"state 4", [])
    last = outcome(third)
    last.sample = b"four"
    store.commit([last])
    assert stores.again(store).restore() == (b"state 4", [b"four"])


def check_everything_survives_a_crash(stores: Stores) -> None:
    """Another process finds the queue, the shelf and the barrier as they were committed."""
    store = started(stores, seed(), seed(f"{HOME}b", 0.5))
    one, two = top(store)
    store.commit([outcome(one, link(f"{HOME}held", 2.0, held=True), content=7, shelf=0.5)])
    store.commit([outcome(two, *(link(f"{HOME}{n}", n / 100, two.url) for n in range(100)))])
    store.expand(one.id)
    slow = top(store)[1]
    store.commit([Outcome(slow, NOW, reason=Reason.DNS, retry_at=NOW + 5)])
    before = top(store, now=NOW + 5)
    store = stores.again(store)
    store.acquire(range(SHARDS), "second")
    assert top(store, now=NOW + 5) == before
    assert (len(before), store.barrier(), store.content_seen(7)) == (101, 1, HOME)
    links = [link(url, 9.0) for url in (HOME, f"{HOME}5", f"{HOME}new")]
    found = store.commit([outcome(before[0], *links)])
    assert (sorted(urls(found.added)), found.new) == ([f"{HOME}5", f"{HOME}new"], 1)
    assert store.barrier() == 0


def check_stale_epochs_are_refused(stores: Stores) -> None:
    """Whoever has lost a shard cannot commit to it, and whoever holds it can."""
    store = started(stores)
    lease = top(store)[0]
    other = stores.beside(store)
    epochs = other.acquire(range(SHARDS), "second")
    assert set(epochs.values()) == {2}
    for act in (
        lambda: store.commit([outcome(lease)]),
        lambda: store.snapshot(b"state"),
        lambda: store.rerank([(1, 1.0)]),
        lambda: store.rescore([(lease.id, 1.0, [])]),
    ):
        assert raises(StaleEpoch, act), "a worker that lost its shards could still write"
    assert other.commit([outcome(lease, link(f"{HOME}b"))]).new == 1


def check_only_held_shards_are_served(stores: Stores) -> None:
    """Hosts of other shards are stored, but neither named nor offered."""
    store = stores.new()
    store.acquire([], "nobody")
    found = store.add_seeds([seed()])
    assert (found.added, found.new, list(store.hosts())) == ([], 1, [])
    store.acquire(range(SHARDS), "first")
    assert list(store.hosts()) == ["a.example"]


def check_odd_text_is_kept(stores: Stores) -> None:
    """Whatever a page says, the commit succeeds."""
    store = started(stores)
    odd = "lone \ud800 surrogate, NUL \0, 鳥, \x1b[31m"
    for url, shelf in ((HOME, None), (f"{HOME}b", 0.5)):
        found = link(f"{url}b", parent=url, held=shelf is not None)
        found.anchor = odd
        [lease] = top(store)
        strange = outcome(lease, found, shelf=shelf)
        assert strange.page is not None
        assert strange.judgement is not None
        strange.page.title = strange.page.text = strange.page.language = strange.detail = odd
        strange.near_duplicate_of = strange.content_type = strange.etag = odd
        strange.judgement.parts = {odd: 0.5}
        store.commit([strange])
    store.expand(lease.id)
    [last] = top(store)
    assert (last.url, last.anchor) == (f"{HOME}bb", odd.replace("\ud800", "?"))


STORE_CHECKS: tuple[StoreCheck, ...] = (
    check_seeds_are_queued_once,
    check_links_come_best_first,
    check_leases_carry_their_discovery,
    check_rediscovery_raises_and_never_lowers,
    check_a_concluded_url_is_done,
    check_retries_wait,
    check_scores_can_be_changed,
    check_commits_are_all_or_nothing,
    check_a_batch_settles_its_own_links,
    check_content_belongs_to_its_first_page,
    check_held_links_wait_for_their_page,
    check_held_links_found_elsewhere_are_queued,
    check_ranks_order_the_shelf,
    check_what_was_learned_is_replayed,
    check_everything_survives_a_crash,
    check_stale_epochs_are_refused,
    check_only_held_shards_are_served,
    check_odd_text_is_kept,
)
