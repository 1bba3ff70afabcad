"""Which groups go on."""

from __future__ import annotations

import numpy as np

from lagotto.harvest.subtopics.saved import continued


def test_groups_go_on_by_the_pages_that_they_share() -> None:
    old = np.array([0, 0, 0, 0, 1, 1, 1, 1, -1, -1])
    new = np.array([2, 2, 2, 0, 0, 0, 0, 0, 1, 1])
    assert continued(old, new, 2, 3) == {2: 0, 0: 1}


def test_a_group_goes_on_once_in_its_largest_part() -> None:
    old = np.zeros(10, np.int64)
    assert continued(old, np.array([0] * 7 + [1] * 3), 1, 2) == {0: 0}


def test_nothing_goes_on_where_nothing_is_shared() -> None:
    assert continued(np.array([-1, -1]), np.array([0, 1]), 3, 2) == {}
    assert continued(np.zeros(0, np.int64), np.zeros(0, np.int64), 0, 0) == {}
