"""When questions are asked."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lagotto.focus.teaching.during import FIRST_PAGE, Schedule


def test_questions_fall_into_the_first_two_fifths_of_a_budget() -> None:
    schedule = Schedule(50, max_pages=500)
    assert schedule.due(FIRST_PAGE - 1) == 0
    assert schedule.due(FIRST_PAGE) == 1
    assert 20 <= schedule.due(100) <= 30
    assert schedule.due(200) == 50


def test_without_a_budget_they_come_every_twenty_pages() -> None:
    schedule = Schedule(10)
    assert schedule.due(FIRST_PAGE + 100) == 5
    assert schedule.due(10_000) == 10


@given(st.integers(0, 100), st.integers(0, 3000), st.integers(0, 3000))
def test_due_never_falls_nor_exceeds_the_number(questions: int, max_pages: int, pages: int) -> None:
    schedule = Schedule(questions, max_pages)
    assert schedule.due(pages) <= schedule.due(pages + 1) <= questions
