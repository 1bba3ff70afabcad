"""Logistic regression that is pulled towards prior weights."""

from __future__ import annotations

import numpy as np

from lagotto.strategies.scent.split import sigmoid

STEPS = 8
ENOUGH = 1e-3
"""Decrease of the loss below which no further step is made."""


def fit(
    features: np.ndarray,
    labels: np.ndarray,
    prior: np.ndarray,
    ridge: float,
    start: np.ndarray | None = None,
) -> np.ndarray:
    """Weights w that minimise Σ crossentropy(label, sigmoid(w·x)) + ridge/2·|w - prior|², by Newton's method.

    Labels may be anything from 0 to 1; `start` is a guess that saves steps. A step that would raise the
    loss is halved until it does not: on separable labels a full step overshoots.
    """

    def loss(weights: np.ndarray) -> float:
        logits = features @ weights
        misfit = np.logaddexp(0.0, logits) - labels * logits
        return float(misfit.sum() + ridge / 2 * ((weights - prior) ** 2).sum())

    weights = prior if start is None else start
    current = loss(weights)
    for _ in range(STEPS):
        expected = sigmoid(features @ weights)
        gradient = features.T @ (expected - labels) + ridge * (weights - prior)
        curvature = (features * (expected * (1 - expected))[:, np.newaxis]).T @ features
        curvature.flat[:: len(curvature) + 1] += ridge
        step = np.linalg.solve(curvature, gradient)
        for _ in range(5):
            lower = loss(weights - step)
            if lower <= current:
                break
            step /= 2
        else:
            break
        weights = weights - step
        if current - lower < ENOUGH:
            break
        current = lower
    return weights
