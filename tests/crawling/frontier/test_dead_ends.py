"""Dead ends: hosts that give nothing wait until others run dry."""

from __future__ import annotations

from lagotto.base.records import SEED_SCORE
from lagotto.crawling.frontier.dead_ends import FREE, LATER, LEAST_PAUSE, PAUSE, SHARE, TRIALS, DeadEnds

PLACE = (-1.0, 7)


def waits(ends: DeadEnds, host: str) -> bool:
    return ends.place(host, PLACE)[0] > LATER / 2


def test_a_host_that_gives_nothing_waits_after_two_misses() -> None:
    ends = DeadEnds()
    for _ in range(FREE):
        assert not waits(ends, "a")
        ends.miss("a")
    assert waits(ends, "a")
    assert not waits(ends, "b")


def test_it_is_asked_again_once_the_crawl_has_gone_on_and_ever_more_rarely() -> None:
    ends = DeadEnds()
    for _ in range(FREE):
        ends.miss("a")
    for pause in (PAUSE, 2 * PAUSE, 4 * PAUSE):
        for _ in range(pause - 1):
            ends.page("b")
        assert waits(ends, "a")
        assert not ends.take_due()
        ends.page("b")
        assert ends.take_due() == ["a"]
        assert not waits(ends, "a")
        ends.miss("a")


def test_a_host_that_gave_many_pages_is_allowed_more_and_asked_again_soon() -> None:
    ends = DeadEnds()
    for _ in range(100):
        ends.page("a")
    misses = 0
    while not waits(ends, "a"):
        ends.miss("a")
        misses += 1
    assert FREE + 4 < misses < 20
    for _ in range(LEAST_PAUSE):
        ends.page("b")
    assert not waits(ends, "a")


def misses_until_it_waits(ends: DeadEnds, *, relevant: bool) -> int:
    for n in range(100):
        ends.page("a", relevant=relevant)
        ends.page("a", relevant=relevant)
        ends.miss("a")
        if waits(ends, "a"):
            return n
    return 100


def test_a_host_whose_every_third_page_is_missing_waits_unless_its_pages_are_relevant() -> None:
    assert misses_until_it_waits(DeadEnds(), relevant=False) < 10
    assert misses_until_it_waits(DeadEnds(), relevant=True) == 100


def test_hosts_that_were_never_asked_share_an_allowance() -> None:
    ends = DeadEnds()
    for n in range(TRIALS):
        assert not waits(ends, f"h{n}")
        ends.miss(f"h{n}")
    ends.place("worse", (-0.5, 1))
    assert waits(ends, "better")
    assert not ends.take_due()
    for _ in range(round(1 / SHARE) + 1):
        ends.page("known")
    assert ends.take_due() == ["better"]
    assert not waits(ends, "better")
    assert not waits(ends, "known")


def test_seeds_never_wait() -> None:
    ends = DeadEnds()
    for _ in range(9):
        ends.miss("a")
    assert ends.place("a", (-SEED_SCORE, 1)) == (-SEED_SCORE, 1)


def test_when_all_others_have_run_dry_hosts_that_gave_pages_come_first() -> None:
    ends = DeadEnds()
    ends.page("gave")
    for _ in range(4):
        ends.miss("gave")
    for _ in range(TRIALS):
        ends.miss("gave none")
    assert ends.place("gave", PLACE) < ends.place("unknown", PLACE) < ends.place("gave none", PLACE)
