from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.focus.strategies.scent.buckets import BUCKETS
from lagotto.focus.strategies.scent.term_tables import Table, TermRows

SOME = st.lists(st.integers(0, 300), min_size=1, max_size=20).map(lambda found: np.array(found, np.int32))


@given(st.lists(st.tuples(st.booleans(), SOME), max_size=8))
def test_it_is_read_as_an_array_of_all_terms_would_be(writes: list[tuple[bool, np.ndarray]]) -> None:
    rows, whole = TermRows(), np.full(BUCKETS, 0.5, np.float32)
    table, other = Table(rows, np.float32, 0.5), Table(rows, np.int32, -1)
    for number, (adding, terms) in enumerate(writes):
        if adding:
            table.add(terms, np.ones(len(terms)))
            np.add.at(whole, terms, np.ones(len(terms)))
        else:
            other[terms + 100] = number  # Lists terms that `table` has no row for.
            table[terms] = number
            whole[terms] = number
        assert table.take(np.arange(500)).tolist() == whole[:500].tolist()
        assert set(other[np.arange(450, 500)].tolist()) == {-1}


def test_padding_is_0_whatever_other_terms_have() -> None:
    table = Table(TermRows(), np.float64, 7.0, width=2)
    table[np.array([3])] = [1.0, 2.0]
    found = table.take(np.array([BUCKETS, 3, 4]))
    assert found.tolist() == [[0.0, 0.0], [1.0, 2.0], [7.0, 7.0]]


def test_terms_that_have_a_value_come_in_order() -> None:
    table = Table(TermRows(), np.float32)
    table[np.array([9, 2, 5])] = [1.0, 2.0, 0.0]
    assert table.nonzero().tolist() == [2, 9]
    copied = table.copy()
    copied[np.array([2])] = 0.0
    assert (table.nonzero().tolist(), copied.nonzero().tolist()) == ([2, 9], [9])


def test_it_takes_memory_for_what_is_listed() -> None:
    rows = TermRows()
    table = Table(rows, np.float64)
    table[np.arange(1000, dtype=np.int32)] = 1.0
    assert table._rows.nbytes < 10_000
    assert len(rows) == len(rows.listed) == 1000
    assert rows.listing(np.array([0, 999])).tolist() == pytest.approx([1, 1000])
