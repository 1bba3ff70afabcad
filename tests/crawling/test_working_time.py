"""The stopwatch behind `--max-time`."""

from __future__ import annotations

from lagotto.crawling.worker.statistics import WorkingTime


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_pauses_do_not_count() -> None:
    clock = Clock()
    watch = WorkingTime(clock)
    clock.now += 5
    assert watch.seconds == 0
    watch.start()
    clock.now += 2
    watch.pause()
    watch.pause()
    clock.now += 1000
    assert watch.paused
    assert watch.seconds == 2
    watch.go_on()
    watch.go_on()
    clock.now += 3
    assert watch.seconds == 5


def test_a_crawl_that_begins_paused_has_not_worked() -> None:
    clock = Clock()
    watch = WorkingTime(clock)
    watch.pause()
    watch.start()
    clock.now += 50
    assert watch.seconds == 0
    watch.go_on()
    clock.now += 1
    assert watch.seconds == 1
