from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from lagotto.focus.strategies.scent.split import sigmoid, split


def test_the_split_lies_between_two_groups() -> None:
    scores = np.array([0.1, 0.12, 0.15, 0.11, 0.8, 0.85])
    found = split(scores, shift=0.0, sharpness=6.0)
    assert 0.15 < found.threshold < 0.8
    assert ((sigmoid(found.logits(scores)) > 0.5) == (scores > 0.5)).all()


@given(arrays(np.float64, st.integers(0, 30), elements=st.floats(-5, 5)))
def test_any_scores_can_be_split(scores: np.ndarray) -> None:
    found = split(scores, shift=0.35, sharpness=6.0)
    assert np.isfinite(found.threshold)
    assert found.softness > 0
