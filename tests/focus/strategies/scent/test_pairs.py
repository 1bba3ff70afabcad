from __future__ import annotations

import numpy as np

from lagotto.focus.strategies.scent import evidence as pairs

PAIR = np.dtype([("weight", np.float32), ("square", np.float32)])


def test_both_fields_are_summed() -> None:
    table = np.array([[(1, 10), (2, 20)], [(3, 30), (4, 40)]], PAIR)
    assert pairs.row_sums(table).tolist() == [(3, 30), (7, 70)]
    assert pairs.stretch_sums(table.ravel(), np.array([0, 1])).tolist() == [(1, 10), (9, 90)]
