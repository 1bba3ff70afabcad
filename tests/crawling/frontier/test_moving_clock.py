"""Time goes on while the frontier works: a host whose turn comes just then must not be placed without end."""

from __future__ import annotations

from itertools import count

import pytest

from lagotto.base.batch import Batch
from lagotto.crawling.frontier import Frontier, Turns
from lagotto.crawling.worker.seeding import seed_lease
from tests.store.blocking import Blocking, run

STEP = 0.001
MOST_LOOKS = 10_000
"""Looks at the clock that are more than enough."""


class MovingClock:
    """A clock that goes on by a step with every look; stops the test if it is looked at without end."""

    def __init__(self) -> None:
        self._looks = count()

    def __call__(self) -> float:
        looks = next(self._looks)
        assert looks < MOST_LOOKS, "the frontier does not come to an end"
        return 1000.0 + STEP * looks


@pytest.mark.parametrize("steps", range(1, 12))
def test_a_host_that_becomes_ready_meanwhile_is_leased_from_in_the_end(steps: int) -> None:
    store, clock = Blocking.memory().hold_all(), MovingClock()
    run(store.store.commit(Batch(seeds=[seed_lease(f"http://a.example/{number}") for number in range(3)])))
    turns = Turns()
    frontier = Frontier(store.store, turns, now=clock, wall=clock, delay_of=lambda _: 0.0)
    run(frontier.load())
    run(frontier.fill())
    turns.hold("a.example", clock() + steps * STEP)
    lease = None
    while lease is None:
        run(frontier.fill())
        lease = frontier.lease()
    assert lease.host == "a.example"
