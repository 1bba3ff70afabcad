"""Delays: what a host asks for, and what it teaches us."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.base.errors import InputError
from lagotto.fetch import Delays


def test_the_larger_of_base_and_crawl_delay_counts() -> None:
    delays = Delays(base=1.0)
    assert delays.delay("a.org") == 1.0
    assert delays.delay("a.org", crawl_delay=5.0) == 5.0
    assert delays.delay("a.org", crawl_delay=0.2) == 1.0
    assert delays.not_before("a.org") == 0.0


def test_throttling_doubles_up_to_the_cap_for_that_host_only() -> None:
    delays = Delays(base=1.0, cap=10.0)
    seen = []
    for _ in range(5):
        delays.throttled("a.org", now=0.0)
        seen.append(delays.delay("a.org"))
    assert seen == [2, 4, 8, 10, 10]
    assert delays.delay("b.org") == 1.0


def test_a_host_without_base_delay_is_slowed_down_too() -> None:
    delays = Delays(base=0.0)
    delays.throttled("a.org", now=0.0)
    assert delays.delay("a.org") == 1.0


def test_retry_after_is_honoured_and_never_shortened() -> None:
    delays = Delays(base=1.0)
    delays.throttled("a.org", now=100.0, retry_after=50.0)
    assert delays.not_before("a.org") == 150.0
    delays.throttled("a.org", now=101.0)
    assert delays.not_before("a.org") == 150.0


def test_good_answers_bring_the_host_back_slowly() -> None:
    delays = Delays(base=1.0)
    for _ in range(3):
        delays.throttled("a.org", now=0.0)
    answers = 0
    seen = [delays.delay("a.org")]
    while delays.delay("a.org") > 1.0:
        delays.succeeded("a.org")
        answers += 1
        seen.append(delays.delay("a.org"))
    assert answers == 30
    assert seen == sorted(seen, reverse=True)


def test_one_bad_answer_starts_the_run_of_good_ones_again() -> None:
    delays = Delays(base=1.0)
    delays.throttled("a.org", now=0.0)
    for _ in range(9):
        delays.succeeded("a.org")
    delays.throttled("a.org", now=0.0)
    delays.succeeded("a.org")
    assert delays.delay("a.org") == 4.0


def test_memory_is_bounded() -> None:
    delays = Delays(max_hosts=10)
    for i in range(100):
        delays.throttled(f"{i}.org", now=0.0)
    assert sum(delays.delay(f"{i}.org") > 1 for i in range(100)) == 10
    assert delays.delay("99.org") > 1


@pytest.mark.parametrize("base", [-1.0, float("nan"), float("inf")])
def test_a_delay_that_makes_no_sense_is_an_input_error(base: float) -> None:
    with pytest.raises(InputError):
        Delays(base=base)


@given(st.floats(0, 60), st.lists(st.booleans(), max_size=200), st.floats(0, 60))
def test_a_delay_is_never_below_what_was_asked_for(base: float, good: list[bool], crawl_delay: float) -> None:
    delays = Delays(base=base, cap=100.0)
    for answer in good:
        if answer:
            delays.succeeded("a.org")
        else:
            delays.throttled("a.org", now=0.0)
        assert max(base, crawl_delay) <= delays.delay("a.org", crawl_delay) <= max(100.0, base, crawl_delay)
