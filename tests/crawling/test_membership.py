"""The share of one worker among others."""

from __future__ import annotations

from collections.abc import Mapping

from lagotto.base.batch import Census
from lagotto.base.urls import SHARDS, shard_of
from lagotto.crawling.cluster.membership import BEAT, MARGIN, Membership, worker_name


class Shards:
    """A store that many share, as far as membership needs it: who holds which shard."""

    def __init__(self) -> None:
        self.owner_of: dict[int, str] = {}
        self.epochs = dict.fromkeys(range(SHARDS), 0)
        self.workers: set[str] = set()
        self.wall = 5000.0


class FakeStore:
    """One worker's view of `Shards`."""

    def __init__(self, shards: Shards) -> None:
        self.shards = shards
        self.owner = ""

    async def acquire(self, _: list[int], owner: str, lease: float) -> dict[int, int]:
        self.owner = owner
        self.shards.workers.add(owner)
        return {}

    async def beat(self, idle_at: int | None) -> Census:
        held: Mapping[str, int] = {
            name: sum(owner == name for owner in self.shards.owner_of.values())
            for name in self.shards.workers
        }
        free = SHARDS - len(self.shards.owner_of)
        return Census(workers=dict(held), free=free, time=self.shards.wall)

    async def prune(self) -> None:
        """There is nothing to remove."""

    async def take_free(self, most: int) -> dict[int, int]:
        free = [shard for shard in range(SHARDS) if shard not in self.shards.owner_of][:most]
        for shard in free:
            self.shards.owner_of[shard] = self.owner
            self.shards.epochs[shard] += 1
        return {shard: self.shards.epochs[shard] for shard in free}

    async def release(self, shards: set[int]) -> None:
        for shard in shards:
            del self.shards.owner_of[shard]

    async def leave(self) -> None:
        self.shards.workers.discard(self.owner)
        self.shards.owner_of = {s: o for s, o in self.shards.owner_of.items() if o != self.owner}


class Now:
    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


def member(shards: Shards, name: str, now: Now) -> Membership:
    return Membership(FakeStore(shards), name, now, lease=20.0)  # type: ignore[arg-type]


async def test_shards_are_divided_as_workers_come_and_go() -> None:
    shards, now = Shards(), Now()
    a, b, c = (member(shards, name, now) for name in "abc")
    await a.join(1.0)
    assert (len(a.held), a.leads, a.alone) == (SHARDS, True, True)
    await b.join(1.0)
    assert (len(b.held), b.leads) == (0, False)
    await a.beat(None)
    assert len(a.leaving) == SHARDS // 2
    assert 0 not in a.leaving, "who leads goes on leading"
    assert not any(a.may_ask(host) for host in hosts_in(a.leaving))
    await a.give_up()
    assert await b.beat(None)
    assert (len(a.held), len(b.held)) == (128, 128)
    await c.join(1.0)
    for each in (a, b):
        await each.beat(None)
        await each.give_up()
    await c.beat(None)
    assert sorted(map(len, (a.held, b.held, c.held))) == [85, 85, 86]
    await b.leave()
    await a.beat(None)
    await c.beat(None)
    assert (len(a.held), len(c.held)) == (128, 128)
    assert set(a.held) | set(c.held) == set(range(SHARDS))


async def test_hosts_of_other_workers_are_left_alone_for_one_delay() -> None:
    shards, now = Shards(), Now()
    a, b = member(shards, "a", now), member(shards, "b", now)
    await a.join(3.0)
    host = "www.example.org"
    assert a.quiet_until(host) == 0.0, "nobody had asked it"
    await a.leave()
    await b.join(3.0)
    assert b.quiet_until(host) == now.time + 3.0
    now.time += 3.5
    await b.beat(None)
    assert b.quiet_until(host) == 0.0


async def test_nobody_is_asked_when_the_lease_may_be_over() -> None:
    now = Now()
    a = member(Shards(), "a", now)
    assert not a.safe
    await a.join(0.0)
    assert (a.safe, a.due) == (True, now.time + BEAT)
    now.time += 20.0 - MARGIN - 0.1
    assert a.safe
    now.time += 0.2
    assert not a.safe, "whoever slept for longer than its lease must not ask"
    await a.beat(None)
    assert a.safe


async def test_shards_that_need_not_be_given_up_after_all_come_back() -> None:
    """The worker that was to take them died: their hosts must be taken in again."""
    shards, now = Shards(), Now()
    a, b = member(shards, "a", now), member(shards, "b", now)
    await a.join(0.0)
    await b.join(0.0)
    assert not await a.beat(None)
    assert a.leaving
    shards.workers.discard("b")
    assert await a.beat(None), "hosts have come back"
    assert not a.leaving
    assert not await a.beat(None)


async def test_lost_shards_are_forgotten() -> None:
    shards, now = Shards(), Now()
    a = member(shards, "a", now)
    await a.join(0.0)
    lost = shard_of("www.example.org")
    await a.lose((lost,))
    assert not a.may_ask("www.example.org")
    assert (len(a.held), a.due) == (SHARDS - 1, 0.0)


def test_no_two_workers_have_one_name() -> None:
    names = {worker_name() for _ in range(100)}
    assert len(names) == 100
    assert all(name.replace("-", "").isalnum() for name in names)


def hosts_in(shards: set[int]) -> list[str]:
    found = [f"h{n}.example" for n in range(500)]
    return [host for host in found if shard_of(host) in shards]


async def test_the_wall_clock_of_all_workers_is_the_stores_when_they_came() -> None:
    shards, now = Shards(), Now()
    a = member(shards, "a", now)
    await a.join(0.0)
    assert a.wall() == 5000.0
    now.time += 7.0
    shards.wall += 7.0 + 3600.0
    await a.beat(None)
    assert a.wall() == 5007.0, "a clock that was set changes nothing for those that are there"
    b = member(shards, "b", now)
    await b.join(0.0)
    assert b.wall() == 8607.0
