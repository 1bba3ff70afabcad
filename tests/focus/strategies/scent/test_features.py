from __future__ import annotations

import numpy as np
import pytest

from lagotto.focus.strategies.scent.features import NAMES, PRIOR, PRIOR_OF, rates


def test_every_feature_has_a_prior() -> None:
    assert len(NAMES) == len(PRIOR) == len(set(NAMES))
    assert set(PRIOR_OF) <= set(NAMES)


def test_a_group_without_members_has_the_base_rate() -> None:
    assert rates(np.zeros((2, 2)), 2.0, 0.2) == pytest.approx([0.0, 0.0])


def test_a_rate_comes_nearer_to_what_was_found_with_every_member() -> None:
    found = rates(np.array([[1, 10, 0], [1, 10, 10]]), 2.0, 0.2)
    assert 0 < found[0] < found[1] < 0.8
    assert found[2] < 0
