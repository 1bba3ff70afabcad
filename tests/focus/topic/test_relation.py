from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.focus.topic.thesaurus import Relation

PAIRS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=30)


def relation(pairs: list[tuple[int, int]]) -> Relation:
    numbers, members = np.array(pairs, np.int64).reshape(-1, 2).T
    return Relation.of(numbers, members, 10)


@given(PAIRS, st.lists(st.integers(0, 9)))
def test_members_come_number_by_number(pairs: list[tuple[int, int]], asked: list[int]) -> None:
    found = relation(pairs)
    expected = [member for wanted in asked for number, member in pairs if number == wanted]
    assert found.among(np.array(asked, np.int64)).tolist() == expected
    assert found.counts(np.array(asked, np.int64)).sum() == len(expected)


@given(PAIRS, st.integers(0, 9))
def test_a_closure_holds_all_that_can_be_reached(pairs: list[tuple[int, int]], start: int) -> None:
    reached = {start}
    while more := {member for number, member in pairs if number in reached} - reached:
        reached |= more
    assert relation(pairs).closure(start).tolist() == sorted(reached)


def test_numbers_are_bounded() -> None:
    with pytest.raises(IndexError):
        relation([]).among(np.array([10]))
