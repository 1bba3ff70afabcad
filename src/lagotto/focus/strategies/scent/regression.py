"""Ridge regression on sparse terms and links, solved in its dual form by conjugate gradients."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lagotto.base.sparse import SparseRows
from lagotto.focus.strategies.scent.split import sigmoid

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


RIDGE_STEPS = 20
CLOSE_ENOUGH = 1e-2
"""Root mean square residual at which the solution is good enough to rank by."""


def graph(children: np.ndarray, parents: np.ndarray, size: int, scale: float) -> SparseRows:
    """A row of length `scale` for each page, over its parents and the page itself."""
    nodes = np.arange(size)
    row, column = np.concatenate([children, nodes]), np.concatenate([parents, nodes])
    # Child and parent in one number, to sort by both and to drop links that come twice.
    links = np.sort(row << 32 | column)
    links = links[np.append(True, links[1:] != links[:-1])]
    degrees = np.bincount(links >> 32, minlength=size)
    values = (scale / np.sqrt(degrees)).astype(np.float32).repeat(degrees)
    return SparseRows(links & 0xFFFFFFFF, values, degrees, size)


class Solution(NamedTuple):
    """The regression's weights, and its predictions for the rows it was fitted to."""

    dual: np.ndarray
    predicted: np.ndarray
    term_weights: np.ndarray
    node_weights: np.ndarray


class Regression:
    """Predicts a value for each page from its row of terms, T, and its row of linking pages, L.

    It solves (T·Tᵀ + L·Lᵀ + ridge·I)·a = wanted. Terms get the weights Tᵀ·a, linking pages the weights Lᵀ·a.
    """

    def __init__(self, texts: SparseRows, links: SparseRows, ridge: float) -> None:
        self._texts, self._links = texts, links
        self._ridge = ridge

    def start(self, dual: np.ndarray) -> Solution:
        """Start from an earlier solution for the first rows, which saves steps when only pages were added."""
        n = len(self._texts)
        return self._solution(np.append(dual[:n], np.zeros(max(0, n - len(dual)))).astype(np.float32))

    def solve(self, wanted: np.ndarray, start: Solution) -> Solution:
        """Fit the wanted values, starting from another solution."""
        found = start
        residual = wanted.astype(np.float32) - found.predicted - self._ridge * found.dual
        direction, size = residual, float(residual @ residual)
        for _ in range(RIDGE_STEPS):
            if size < CLOSE_ENOUGH**2 * len(wanted):
                break
            along = self._solution(direction)
            image = along.predicted + self._ridge * direction
            step = size / float(direction @ image)
            # All parts of a solution are linear in its dual.
            found = Solution(*(part + step * change for part, change in zip(found, along, strict=True)))
            residual = residual - step * image
            before, size = size, float(residual @ residual)
            direction = residual + size / before * direction
        return found

    def _solution(self, dual: np.ndarray) -> Solution:
        term_weights, node_weights = self._texts.transposed_times(dual), self._links.transposed_times(dual)
        predicted = self._texts.times(term_weights) + self._links.times(node_weights)
        return Solution(dual, predicted, term_weights, node_weights)
