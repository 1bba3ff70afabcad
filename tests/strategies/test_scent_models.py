from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from lagotto.strategies.scent import ridge
from lagotto.strategies.scent.split import sigmoid, split


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


def test_ridge_finds_what_a_dense_solver_finds() -> None:
    random = np.random.default_rng(2)
    columns = [np.sort(random.choice(50, 8, replace=False)) for _ in range(20)]
    values = [random.random(8) for _ in range(20)]
    texts = ridge.rows(np.concatenate(columns), np.concatenate(values), np.full(20, 8), 50)
    links = ridge.graph(np.array([1, 2, 3]), np.array([0, 0, 1]), 20, 0.5)
    wanted = random.normal(size=20)
    regression = ridge.Regression(texts, links, 1.0)
    found = regression.solve(wanted, regression.start(np.zeros(0)))
    kernel = (texts @ texts.T + links @ links.T).toarray()
    exact = kernel @ np.linalg.solve(kernel + np.eye(20), wanted)
    assert found.predicted == pytest.approx(exact, abs=0.1)
    assert texts @ found.term_weights + links @ found.node_weights == pytest.approx(found.predicted)
