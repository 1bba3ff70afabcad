"""Leases are over by the clock of the one that watches; the clock of the database may jump."""

from __future__ import annotations

import time

import pytest

from lagotto.base.urls import SHARDS
from lagotto.store.postgres.store import PostgresStore
from lagotto.store.postgres.workers import Watch
from tests.store.postgres.conftest import PostgresStores

LEASE = 20.0


class Now:
    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


def test_a_worker_is_silent_once_it_had_the_same_stamp_for_a_lease() -> None:
    now = Now()
    watch = Watch(now)
    assert not watch.silent("a", 1.0, LEASE), "it was never seen"
    watch.look({"a": 1.0, "b": 1.0})
    now.time += LEASE - 1
    watch.look({"a": 1.0, "b": 2.0})
    now.time += 1
    assert watch.silent("a", 1.0, LEASE)
    assert not watch.silent("b", 2.0, LEASE)
    assert not watch.silent("a", 3.0, LEASE), "it has spoken since the last look"
    watch.look({"b": 2.0})
    watch.look({"a": 1.0, "b": 2.0})
    assert not watch.silent("a", 1.0, LEASE), "it had left, and came back"


async def two(stores: PostgresStores, now: Now) -> tuple[PostgresStore, PostgresStore]:
    storage = stores.place()
    first, second = await storage.create(b""), await storage.open()
    for name, store in (("first", first), ("second", second)):
        store._shards.watch.now = now
        await store.acquire([], name, LEASE)
    assert len(await first.take_free(SHARDS)) == SHARDS
    await second.beat(None)
    return first, second


@pytest.mark.parametrize("jump", [-7 * 3600, 3 * 3600])
async def test_a_jump_of_the_databases_clock_costs_no_shard(stores: PostgresStores, jump: int) -> None:
    """The stamps that are there are as a clock that has just jumped by so much makes them look."""
    now = Now()
    first, second = await two(stores, now)
    await second._run(lambda: second.db.execute("UPDATE owners SET until = until - ?", (jump,)))
    await second._run(lambda: second.db.execute("UPDATE shards SET until = until - ?", (jump,)))
    census = await second.beat(second.read_ahead)
    assert (census.workers, census.free, census.over) == ({"first": SHARDS, "second": 0}, 0, False)
    assert await second.take_free(SHARDS) == {}
    now.time += LEASE
    assert not (await first.beat(None)).free
    assert await second.take_free(SHARDS) == {}, "the first has just said that it lives"
    assert set((await second.beat(None)).workers) == {"first", "second"}
    now.time += LEASE
    await first.beat(None)
    await second.beat(None)
    now.time += LEASE
    census = await second.beat(None)
    assert (census.workers, census.free) == ({"second": 0}, SHARDS), "the first was silent for a lease"
    assert len(await second.take_free(SHARDS)) == SHARDS


async def test_an_offer_from_the_future_is_not_believed(stores: PostgresStores) -> None:
    first, second = await two(stores, Now())
    await first.offer((-0.9, 1))
    assert await second.offer((-0.1, 2)) == (-0.9, 1)
    later = time.time() + 3600
    await second._run(lambda: second.db.execute("UPDATE owners SET offered_at = ?", (later,)))
    assert await second.offer((-0.1, 2)) is None


async def test_an_offer_of_a_worker_whose_lease_is_over_does_not_count(stores: PostgresStores) -> None:
    now = Now()
    first, second = await two(stores, now)
    await first.offer((-0.9, 1))
    now.time += LEASE - 1
    await second.beat(None)
    assert await second.offer(None) == (-0.9, 1), "it may only be slow"
    now.time += 1
    await second.beat(None)
    assert await second.offer(None) is None
    await first.offer((-0.9, 1))
    assert await second.offer(None) is None, "it woke up, but has given no sign of life"
    await first.beat(None)
    assert await second.offer(None) == (-0.9, 1)
