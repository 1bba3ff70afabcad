from __future__ import annotations

import numpy as np
import pytest

from lagotto.focus.judging import similarity
from lagotto.focus.judging.similarity import centred, latent, nearest, unit


def grouped(groups: int, each: int, width: int = 12) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    group = np.repeat(np.arange(groups), each)
    centres = random.normal(size=(groups, width))
    return unit(centres[group] + random.normal(0, 0.2, (len(group), width))), group


def test_pages_with_the_same_terms_lie_together() -> None:
    random = np.random.default_rng(0)
    subject = np.repeat([0, 1, 2], 20)
    terms = subject[:, np.newaxis] * 100 + random.integers(0, 30, (60, 12))
    vectors = latent(terms.ravel(), np.ones(terms.size, np.float32), np.full(60, 12))
    likeness = vectors @ vectors.T
    same = subject[:, np.newaxis] == subject
    assert likeness[same].mean() > likeness[~same].mean() + 0.3


def test_pages_without_terms_have_no_direction_of_their_own() -> None:
    vectors = latent(np.array([1, 2, 1, 2]), np.ones(4, np.float32), np.array([2, 2, 0]))
    assert vectors.shape[0] == 3
    assert np.isfinite(vectors).all()


def test_nearest_pages_are_of_the_same_group_and_never_the_page_itself() -> None:
    vectors, group = grouped(6, 30)
    found = nearest(vectors)
    assert not (found.rows == np.arange(len(vectors))[:, np.newaxis]).any()
    assert (group[found.rows] == group[:, np.newaxis]).mean() > 0.99
    assert found.weights.sum(axis=1) == pytest.approx(np.ones(len(vectors)))


def test_cells_find_what_comparing_all_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors, _ = grouped(20, 40)
    exact = nearest(vectors)
    monkeypatch.setattr(similarity, "EXACT", 10)
    by_cells = nearest(vectors)
    shared = [len(set(a) & set(b)) for a, b in zip(exact.rows.tolist(), by_cells.rows.tolist(), strict=True)]
    assert np.mean(shared) > 8.5
    assert not (by_cells.rows == np.arange(len(vectors))[:, np.newaxis]).any()


def test_mean_of_neighbours_is_weighted() -> None:
    vectors = unit(np.array([[1.0, 0.0], [1.0, 0.1], [0.0, 1.0]]))
    found = nearest(vectors, 2)
    means = found.mean(np.array([0.0, 1.0, 5.0]))
    # The third page is at a right angle to the first, so that only the second counts there.
    assert means[0] == pytest.approx(1.0, abs=0.01)


def test_centring_takes_away_what_all_have() -> None:
    rows = unit(np.array([[5.0, 1.0], [5.0, -1.0]]))
    assert centred(rows) == pytest.approx(np.array([[0.0, 1.0], [0.0, -1.0]]), abs=1e-5)
