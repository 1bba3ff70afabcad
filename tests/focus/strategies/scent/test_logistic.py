from __future__ import annotations

import numpy as np
import pytest

from lagotto.focus.strategies.scent.regression import fit
from lagotto.focus.strategies.scent.split import sigmoid


def test_weights_stay_at_the_prior_without_evidence() -> None:
    prior = np.array([1.0, -2.0])
    assert fit(np.zeros((3, 2)), np.full(3, 0.5), prior, 1.0) == pytest.approx(prior)


def test_weights_solve_their_equation() -> None:
    random = np.random.default_rng(1)
    features, prior = random.normal(size=(200, 4)), np.zeros(4)
    labels = sigmoid(features @ np.array([2.0, -1.0, 0.5, 0.0]))
    weights = fit(features, labels, prior, 0.5)
    gradient = features.T @ (sigmoid(features @ weights) - labels) + 0.5 * weights
    assert np.abs(gradient).max() < 0.5


def test_where_it_starts_makes_no_difference() -> None:
    random = np.random.default_rng(2)
    features, prior = random.normal(size=(200, 4)), np.zeros(4)
    labels = sigmoid(features @ np.array([1.0, -1.0, 0.5, 0.0]))
    here = fit(features, labels, prior, 1.0)
    there = fit(features, labels, prior, 1.0, np.array([3.0, 3.0, 3.0, 3.0]))
    assert here == pytest.approx(there, abs=0.02)


def test_separable_labels_do_not_blow_the_weights_up() -> None:
    features = np.stack([np.ones(40), np.r_[np.full(20, -50.0), np.full(20, 50.0)]], axis=1)
    weights = fit(features, np.r_[np.zeros(20), np.ones(20)], np.array([-3.5, 2.0]), 1.0)
    assert np.abs(weights).max() < 20
