"""The words that `scent` shows."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lagotto.focus.strategies.scent.buckets import BUCKETS, buckets
from lagotto.focus.strategies.scent.words import _heaviest, shown_table


@given(st.lists(st.sampled_from([-1.0, 0.0, 0.25, 0.5, 2.0])), st.integers(1, 20))
def test_the_heaviest_come_first_and_equal_ones_in_their_order(values: list[float], most: int) -> None:
    in_order = sorted((at for at, value in enumerate(values) if value > 0), key=lambda at: -values[at])
    assert _heaviest(np.array(values), most).tolist() == in_order[:most]


def test_words_are_shown_by_weight_with_the_largest_as_one() -> None:
    weights = np.zeros(BUCKETS, np.float32)
    weights[buckets(["ocean", "zzyzx"])] = 1.0, 4.0
    table = shown_table(weights, ["zzyzx"], "en", 3)
    assert list(table.weights.items()) == [("zzyzx", 1.0), ("ocean", 0.25)]
    assert table.version == 3
