from __future__ import annotations

import numpy as np
import pytest

from lagotto.base.sparse import SparseRows
from lagotto.focus.strategies.scent import regression as ridge


def dense(matrix: SparseRows, width: int) -> np.ndarray:
    return np.column_stack([matrix.times(column) for column in np.eye(width, dtype=np.float32)])


def test_the_graph_counts_a_link_once_and_a_page_as_its_own_parent() -> None:
    links = ridge.graph(np.array([1, 1, 2, 2]), np.array([0, 0, 0, 1]), 3, 0.5)
    two, three = 0.5 / np.sqrt(2), 0.5 / np.sqrt(3)
    expected = np.array([[0.5, 0, 0], [two, two, 0], [three, three, three]])
    assert dense(links, 3) == pytest.approx(expected)


def test_ridge_finds_what_a_dense_solver_finds() -> None:
    random = np.random.default_rng(2)
    columns = [np.sort(random.choice(50, 8, replace=False)) for _ in range(20)]
    values = random.random(160).astype(np.float32)
    texts = SparseRows(np.concatenate(columns), values, np.full(20, 8), 50)
    links = ridge.graph(np.array([1, 2, 3]), np.array([0, 0, 1]), 20, 0.5)
    wanted = random.normal(size=20)
    regression = ridge.Regression(texts, links, 1.0)
    found = regression.solve(wanted, regression.start(np.zeros(0)))
    rows = np.hstack([dense(texts, 50), dense(links, 20)])
    kernel = rows @ rows.T
    exact = kernel @ np.linalg.solve(kernel + np.eye(20), wanted)
    assert found.predicted == pytest.approx(exact, abs=0.1)
    weights = np.concatenate([found.term_weights, found.node_weights])
    assert rows @ weights == pytest.approx(found.predicted, abs=1e-5)
    again = regression.start(found.dual)
    assert again.predicted == pytest.approx(found.predicted, abs=1e-5)
