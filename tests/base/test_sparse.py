from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from lagotto.base.sparse import SparseRows, sums


@given(st.lists(st.lists(st.integers(0, 30), max_size=9), max_size=12), st.integers(0, 99))
def test_products_are_those_of_scipy(rows: list[list[int]], seed: int) -> None:
    columns = np.array([column for row in rows for column in row], np.int32)
    lengths = np.array([len(row) for row in rows], np.int64)
    random = np.random.default_rng(seed)
    values, right, left = (
        random.normal(size=len(columns)),
        random.normal(size=31),
        random.normal(size=len(rows)),
    )
    starts = np.concatenate([[0], lengths.cumsum()]).astype(np.int32)
    reference = csr_matrix((values, columns, starts), shape=(len(rows), 31))
    matrix = SparseRows(columns, values, lengths, 31)
    assert len(matrix) == len(rows)
    assert matrix.times(right) == pytest.approx(reference @ right)
    assert matrix.transposed_times(left) == pytest.approx(reference.T @ left)


def test_sums_of_stretches_some_of_them_empty() -> None:
    assert sums(np.array([1.0, 2.0, 4.0]), np.array([0, 2, 0, 1, 0])).tolist() == [0, 3, 0, 4, 0]
    assert sums(np.zeros(0), np.array([0, 0])).tolist() == [0, 0]
