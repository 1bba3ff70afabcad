from __future__ import annotations

import numpy as np

from lagotto.focus.strategies.scent.evidence import SLOTS, Successes

ONES = np.ones(3, np.float32)


def test_a_group_that_comes_twice_is_added_twice() -> None:
    groups = Successes()
    groups.add(np.array([3, 3, 5]), np.array([0.5, 0.25, 1.0], np.float32), ONES)
    assert groups.of(np.array([3, 5, 7])).tolist() == [[0.75, 1, 0], [2, 1, 0]]
    groups.add(np.array([5]), np.array([-0.5], np.float32))
    assert groups.of(np.array([5])).tolist() == [[0.5], [1]]


def test_numbers_go_round() -> None:
    groups = Successes()
    groups.add(np.array([SLOTS + 3]), ONES[:1], ONES[:1])
    assert groups.of(np.array([3])).tolist() == [[1], [1]]
    groups.clear(3)
    assert groups.of(np.array([SLOTS + 3])).tolist() == [[0], [0]]


def test_is_the_same_after_a_restart() -> None:
    groups, restored = Successes(), Successes()
    groups.add(np.array([1, 900]), np.array([0.1, 0.2], np.float32), np.array([1, 2], np.float32))
    restored.set_arrays(*groups.arrays())
    assert restored.of(np.arange(1000)).tolist() == groups.of(np.arange(1000)).tolist()
