"""Stalls of this process, seen by a late tick."""

from __future__ import annotations

from lagotto.fetch.timing import EVERY, LATE, Stalls


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


async def test_a_request_that_was_stalled_most_of_its_time() -> None:
    clock = Clock()
    stalls = Stalls(clock)
    stalls.watch()
    clock.now += 20
    assert stalls.fill(started=99.0), "seen before the late tick"
    clock.now += 5
    stalls._last = clock.now
    assert stalls.fill(started=101.0)
    assert not stalls.fill(started=120.0), "started after the stall"
    assert not stalls.fill(started=50.0), "only a small part of its time"
    stalls.close()


async def test_short_delays_of_the_event_loop_are_no_stalls() -> None:
    clock = Clock()
    stalls = Stalls(clock)
    stalls.watch()
    clock.now += EVERY + LATE - 0.01
    assert not stalls.fill(started=100.0)
    stalls.close()
