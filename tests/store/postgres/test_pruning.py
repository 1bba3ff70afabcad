"""Tables that only workers need stay small while a crawl runs, and nobody misses what was removed."""

from __future__ import annotations

import pytest

from lagotto.base.batch import Batch, Snapshot
from lagotto.base.urls import SHARDS, shard_of
from lagotto.lab.checks.store_calls import commit, link, outcome, queue, seed, top
from lagotto.store.postgres import pruning
from lagotto.store.postgres.store import PostgresStore
from tests.store.postgres.conftest import PostgresStores

LEASE = 20.0
KEPT = 10
HERE, THERE = "http://a.example/", "http://b.example/"


@pytest.fixture(autouse=True)
def few_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep but a few arrivals."""
    monkeypatch.setattr(pruning, "KEPT_ARRIVALS", KEPT)


async def rows(store: PostgresStore, table: str) -> int:
    def count() -> int:
        found = store.db.execute(f"SELECT count(*) FROM {table}").fetchone()
        assert found is not None
        number: int = found[0]
        return number

    return await store._run(count)


async def two(stores: PostgresStores) -> tuple[PostgresStore, PostgresStore]:
    """Two workers, of which the second holds the shard of one host alone."""
    storage = stores.place()
    first, second = await storage.create(b""), await storage.open()
    there = shard_of("b.example")
    await first.acquire(set(range(SHARDS)) - {there}, "first", LEASE)
    await second.acquire({there}, "second", LEASE)
    await queue(first, [seed(HERE)])
    return first, second


async def bring(first: PostgresStore, pages: int, start: int = 0) -> None:
    """Commit pages that link to a host of the second worker."""
    for number in range(start, start + pages):
        [lease, *_] = await top(first)
        links = (link(f"{HERE}{number}", parent=lease.url), link(f"{THERE}{number}", parent=lease.url))
        await commit(first, [outcome(lease, *links)])


async def test_arrivals_are_bounded_and_a_worker_that_lags_is_told(stores: PostgresStores) -> None:
    first, second = await two(stores)
    begin = (await second.arrivals(None)).last
    await bring(first, 5)
    in_step = await second.arrivals(begin)
    assert (len(in_step.links), in_step.complete) == (5, True)
    for start in range(5, 45, 10):
        await bring(first, 10, start)
        await first.prune()
        assert await rows(first, "arrivals") == KEPT
    late = await second.arrivals(in_step.last)
    assert not late.complete
    assert late.last == (await second.arrivals(None)).last
    assert len(await top(second, "b.example")) == 45, "the queue itself has all"
    await bring(first, 3, 45)
    after = await second.arrivals(late.last)
    assert (len(after.links), after.complete) == (3, True)


async def test_a_worker_whose_row_was_removed_wakes_up_as_one_of_the_crew(stores: PostgresStores) -> None:
    first, second = await two(stores)
    await second.leave()
    await first.prune()
    assert await rows(first, "owners") == 2, "the first, and those that are gone"
    assert (await second.beat(None)).workers.keys() == {"first", "second"}
    assert (await first.beat(None)).workers.keys() == {"first", "second"}


async def test_many_workers_come_and_go_and_leave_only_what_they_used(stores: PostgresStores) -> None:
    storage = stores.place()
    store = await storage.create(b"")
    for number in range(12):
        await store.acquire(range(SHARDS), f"worker-{number}", LEASE)
        await queue(store, [seed(f"{HERE}{number}")])
        [lease] = await top(store)
        batch = Batch(outcomes=[outcome(lease)], samples=[b"sample"], seconds=1.5)
        await store.commit(batch)
        await store.commit(Batch(snapshot=Snapshot(b"state %d" % number)))
        await store.beat(None)
        await store.prune()
        assert max([await rows(store, table) for table in ("snapshots", "pieces")]) <= 2
        assert await rows(store, "owners") <= 3
        await store.leave()
    await store.acquire([], "last", LEASE)
    await store.prune()
    spent = await store.spent()
    assert (spent.pages, spent.seconds) == (12, 18.0)
    assert [await rows(store, table) for table in ("owners", "snapshots", "pieces")] == [2, 1, 1]
    assert store.reader().learned().state == b"state 11"
    assert (await store.beat(None)).workers == {"last": 0}


async def test_a_dead_workers_row_stays_until_its_shards_are_taken(stores: PostgresStores) -> None:
    """As long as it is there, a worker that sends a commit again learns that it has arrived."""
    first, second = await two(stores)
    await second._run(lambda: second.db.execute("UPDATE owners SET until = 0 WHERE owner = 'second'"))
    await first.prune()
    assert await rows(first, "owners") == 2
    await first.take_free(SHARDS)
    await first.prune()
    assert (await first.beat(None)).workers == {"first": SHARDS}
