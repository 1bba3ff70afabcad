"""When a link waits for one of another worker, and when a worker tells of its best link again."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from lagotto.base.batch import Place
from lagotto.crawling.cluster.offers import AGE, STEP, comes_later, is_news

SCORES = st.floats(-1.0, 1.0)
PLACES = st.tuples(st.sampled_from([-0.9, -0.5, 0.0]) | SCORES, st.integers(0, 40))
SHIFTS = st.tuples(st.just(0.0) | st.floats(-0.006, 0.006), st.integers(-AGE, AGE))


def moved(place: Place, shift: tuple[float, int]) -> Place:
    return place[0] * (1.0 + shift[0]), place[1] + shift[1]


def test_a_clearly_worse_link_comes_later_and_an_equal_one_only_if_it_is_much_younger() -> None:
    best = (-0.9, 50)
    assert comes_later((-0.8, 1), best)
    assert not comes_later((-0.9, 50 + AGE), best)
    assert comes_later((-0.9, 51 + AGE), best)
    assert not comes_later((-1.0, 10_000), best)
    assert not comes_later((-0.9 + 0.8 * STEP, 10_000), best), "it is worse by less than a step"


def test_an_offer_is_told_again_once_it_has_moved_by_more_than_half_of_that() -> None:
    told = (-0.9, 50)
    assert not is_news(told, told)
    assert is_news(None, told)
    assert is_news(told, None)
    assert not is_news((-0.9, 50 + AGE // 2), told)
    assert is_news((-0.9, 51 + AGE // 2), told)
    assert is_news((-0.9 + 0.9 * STEP, 50), told)
    assert not is_news((-0.9 + 0.4 * STEP, 900), told)


@given(PLACES, SHIFTS, PLACES, SHIFTS)
def test_no_two_workers_wait_for_each_other(
    a: Place, shift_a: tuple[float, int], b: Place, shift_b: tuple[float, int]
) -> None:
    """Whatever they have told, as long as what they have now is no news."""
    told_a, told_b = moved(a, shift_a), moved(b, shift_b)
    assume(not is_news(a, told_a) and not is_news(b, told_b))
    assert not (comes_later(a, told_b) and comes_later(b, told_a))
