"""Patient leases: when a host that cannot be asked yet is waited for."""

from __future__ import annotations

from math import inf

import pytest

from lagotto.base.records import Lease
from lagotto.base.urls import checksum
from lagotto.crawling.frontier import Frontier, Turns
from lagotto.crawling.frontier.frontier import SOON
from tests.store.blocking import Blocking, run


class Clock:
    """Time that passes when told to."""

    time = 100.0

    def __call__(self) -> float:
        return self.time


def frontier_of(
    links: dict[str, float], clock: Clock, *, delay: float, clearly_better: float = 1.0
) -> Frontier:
    store = Blocking.memory().hold_all()
    urls = {f"http://{name}": score for name, score in links.items()}
    store.add_seeds([Lease(checksum(url), url, url.split("/")[2], score) for url, score in urls.items()])
    frontier = Frontier(
        store.store,
        Turns(),
        now=clock,
        wall=clock,
        delay_of=lambda _: delay,
        clearly_better=clearly_better,
    )
    run(frontier.load())
    return frontier


def next_lease(frontier: Frontier, *, patient: bool = False) -> Lease | None:
    run(frontier.fill())
    return frontier.lease(patient=patient)


def leased(frontier: Frontier, *, patient: bool = True) -> str | None:
    lease = next_lease(frontier, patient=patient)
    return lease.url.removeprefix("http://") if lease else None


def test_a_host_that_is_free_in_a_moment_is_waited_for_if_it_has_any_better_link() -> None:
    frontier = frontier_of({"a/1": 3.0, "a/2": 2.5, "b/1": 2.4}, Clock(), delay=0.0, clearly_better=inf)
    first = next_lease(frontier, patient=True)
    assert first is not None
    assert leased(frontier) is None
    frontier.asked(first, 100.0)
    assert leased(frontier) == "a/2"
    assert leased(frontier) == "b/1"  # The host being asked has nothing left.


def test_who_is_not_patient_takes_what_there_is() -> None:
    frontier = frontier_of({"a/1": 3.0, "a/2": 2.5, "b/1": 0.0}, Clock(), delay=1.0)
    assert [leased(frontier, patient=False) for _ in range(3)] == ["a/1", "b/1", None]


def test_the_turn_of_a_host_is_waited_for_if_its_link_is_clearly_better() -> None:
    clock = Clock()
    frontier = frontier_of({"a/1": 3.0, "a/2": 2.5, "b/1": 1.5}, clock, delay=1.0)
    first = next_lease(frontier, patient=True)
    assert first is not None
    assert leased(frontier) is None
    frontier.asked(first, 100.0)
    assert leased(frontier) is None
    assert frontier.wait() == 0.0
    assert frontier.next_turn() == pytest.approx(1.0, abs=0.1)
    clock.time += 1.1
    assert [leased(frontier), leased(frontier)] == ["a/2", "b/1"]


def test_a_link_that_is_hardly_worse_is_not_held_back() -> None:
    frontier = frontier_of({"a/1": 3.0, "a/2": 2.5, "b/1": 1.6}, Clock(), delay=1.0)
    assert [leased(frontier), leased(frontier)] == ["a/1", "b/1"]


@pytest.mark.parametrize(("delay", "clearly_better"), [(SOON + 1.0, 1.0), (1.0, inf)])
def test_nobody_waits_for_a_turn_that_comes_late_or_is_not_worth_it(
    delay: float, clearly_better: float
) -> None:
    frontier = frontier_of(
        {"a/1": 3.0, "a/2": 2.5, "b/1": 0.0}, Clock(), delay=delay, clearly_better=clearly_better
    )
    assert [leased(frontier), leased(frontier)] == ["a/1", "b/1"]


def test_a_host_that_hangs_longer_than_its_delay_is_not_waited_for() -> None:
    clock = Clock()
    frontier = frontier_of({"a/1": 3.0, "a/2": 2.9, "b/1": 2.8}, clock, delay=1.0)
    assert leased(frontier) == "a/1"
    clock.time += 5.0
    assert leased(frontier) == "b/1"


def test_whoever_asks_a_busy_host_for_something_else_has_its_next_turn() -> None:
    clock = Clock()
    frontier = frontier_of({"a/1": 3.0, "a/2": 2.0, "a/3": 1.0}, clock, delay=1.0)
    first = next_lease(frontier)
    assert first is not None
    assert not frontier.take_turn("a", 1.0)
    frontier.asked(first, 100.0)
    clock.time += 1.1
    assert leased(frontier) is None
    assert frontier.take_turn("a", 1.0)
    frontier.end_turn("a", clock.time, 1.0)
    clock.time += 1.1
    assert leased(frontier) == "a/2"


def test_a_turn_that_nobody_comes_for_is_not_lost() -> None:
    clock = Clock()
    frontier = frontier_of({"a/1": 3.0, "a/2": 2.0}, clock, delay=1.0)
    first = next_lease(frontier)
    assert first is not None
    assert not frontier.take_turn("a", 1.0)
    frontier.asked(first, 100.0)
    clock.time += 2.0
    assert leased(frontier) == "a/2"
