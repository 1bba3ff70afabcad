"""Ridge regression on sparse terms and links, solved in its dual form by conjugate gradients."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lagotto.sparse import SparseRows

STEPS = 20
ENOUGH = 1e-2
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
        for _ in range(STEPS):
            if size < ENOUGH**2 * len(wanted):
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
