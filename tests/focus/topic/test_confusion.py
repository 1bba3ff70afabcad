from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.focus.topic.network import Confusion

PAPER = Confusion(true_positive=214, false_positive=9, false_negative=92, true_negative=188)


def test_the_papers_counts_do_not_give_the_papers_numbers() -> None:
    assert PAPER.total == 503  # the paper says 475
    assert round(PAPER.precision, 2) == 0.96
    assert round(PAPER.recall, 2) == 0.70
    assert round(PAPER.accuracy, 2) == 0.80  # the paper says .85


def test_counting_verdicts() -> None:
    verdicts = [(True, True)] * 4 + [(False, True)] * 3 + [(True, False)] * 2 + [(False, False)]
    assert Confusion.of(verdicts) == Confusion(4, 3, 2, 1)


def test_of_nothing_nothing_follows() -> None:
    nothing = Confusion.of([])
    assert (nothing.total, nothing.precision, nothing.recall, nothing.accuracy) == (0, 0.0, 0.0, 0.0)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1))
def test_measures_agree_with_the_verdicts(verdicts: list[tuple[bool, bool]]) -> None:
    counted = Confusion.of(verdicts)
    assert counted.total == len(verdicts)
    assert counted.accuracy == pytest.approx(
        sum(is_so == judged for is_so, judged in verdicts) / len(verdicts)
    )
    assert 0.0 <= counted.precision <= 1.0
    assert 0.0 <= counted.recall <= 1.0
