from __future__ import annotations

import numpy as np
import pytest

from lagotto.focus.judging.similarity import Neighbours, correlation, over_links, ramp, smooth, standard


def test_unknown_values_are_average() -> None:
    found = standard(np.array([1.0, np.nan, 3.0]))
    assert found.tolist() == [-1.0, 0.0, 1.0]
    assert standard(np.array([np.nan, np.nan])).tolist() == [0.0, 0.0]


def test_correlation_without_variation_is_none() -> None:
    assert correlation(np.array([1.0, 1.0]), np.array([0.0, 1.0])) == 0.0
    assert correlation(np.arange(5.0), 2 * np.arange(5.0) + 1) == pytest.approx(1.0)


def test_ramp() -> None:
    assert [ramp(value, 0.4, 0.8) for value in (0.0, 0.4, 0.6, 0.8, 1.0)] == pytest.approx([0, 0, 0.5, 1, 1])


def test_smoothing_moves_a_page_towards_its_neighbours_and_share_0_leaves_it() -> None:
    neighbours = Neighbours(np.array([[1], [0]]), np.ones((2, 1), np.float32))
    values = np.array([0.0, 1.0])
    assert smooth(values, neighbours, 0.0).tolist() == [0.0, 1.0]
    moved = smooth(values, neighbours, 0.5)
    assert 0.0 < moved[0] < moved[1] < 1.0


def test_a_page_without_links_to_it_keeps_its_value() -> None:
    children, parents = np.array([0, 0]), np.array([1, 2])
    assert over_links(np.array([9.0, 1.0, 3.0]), children, parents).tolist() == [2.0, 1.0, 3.0]
