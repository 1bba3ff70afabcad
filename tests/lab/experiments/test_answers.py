from __future__ import annotations

import numpy as np
import pytest

from lagotto.lab.experiments.truth import answered

TRUTH = np.arange(50) % 3 == 0


@pytest.mark.parametrize(("right", "wrong"), [(1.0, 0), (0.9, 5), (0.8, 10), (0.0, 50)])
def test_as_many_answers_are_wrong_as_were_asked_for(right: float, wrong: int) -> None:
    assert int((answered(TRUTH, right) != TRUTH).sum()) == wrong


def test_the_same_answers_are_wrong_each_time_and_the_truth_stays() -> None:
    before = TRUTH.copy()
    assert (answered(TRUTH, 0.8) == answered(TRUTH, 0.8)).all()
    assert (before == TRUTH).all()
