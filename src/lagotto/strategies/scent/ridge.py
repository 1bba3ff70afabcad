"""Ridge regression on sparse terms and links, solved in its dual form by conjugate gradients."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

STEPS = 20
ENOUGH = 1e-2
"""Root mean square residual at which the solution is good enough to rank by."""


class Solution(NamedTuple):
    """The regression's weights, and what they say of the rows they were found on."""

    dual: np.ndarray
    predicted: np.ndarray
    term_weights: np.ndarray
    node_weights: np.ndarray


def rows(columns: np.ndarray, values: np.ndarray, lengths: np.ndarray, width: int) -> csr_matrix:
    """A sparse matrix of rows that lie end to end."""
    starts = np.zeros(len(lengths) + 1, np.int32)
    lengths.cumsum(out=starts[1:])
    return csr_matrix((values, columns, starts), shape=(len(lengths), width))


def graph(children: np.ndarray, parents: np.ndarray, size: int, scale: float) -> csr_matrix:
    """A row for each page over its parents and itself, of length `scale`."""
    nodes = np.arange(size)
    row, column = np.concatenate([children, nodes]), np.concatenate([parents, nodes])
    linked = csr_matrix((np.ones(len(row), np.float32), (row, column)), shape=(size, size))
    degrees = np.diff(linked.indptr)
    linked.data = np.repeat((scale / np.sqrt(degrees)).astype(np.float32), degrees)
    return linked


class Regression:
    """Learns what is wanted of rows T of terms and L of linking pages.

    It solves (T·Tᵀ + L·Lᵀ + ridge·I)·a = wanted; the weights are Tᵀ·a of terms and Lᵀ·a of linking pages.
    """

    def __init__(self, texts: csr_matrix, links: csr_matrix, ridge: float) -> None:
        self._texts, self._links = texts, links
        self._texts_t, self._links_t = texts.T, links.T
        self._ridge = ridge

    def start(self, dual: np.ndarray) -> Solution:
        """An earlier solution for the first rows: a fit that only adds pages needs few steps."""
        n = self._texts.shape[0]
        return self._solution(np.append(dual[:n], np.zeros(max(0, n - len(dual)))).astype(np.float32))

    def solve(self, wanted: np.ndarray, start: Solution) -> Solution:
        """The solution, from one that was wanted before."""
        n = len(wanted)
        a = start.dual
        residual = wanted.astype(np.float32) - start.predicted - self._ridge * a
        direction, size = residual, float(residual @ residual)
        for _ in range(STEPS):
            if size < ENOUGH**2 * n:
                break
            image = self._solution(direction).predicted + self._ridge * direction
            step = size / float(direction @ image)
            a = a + step * direction
            residual = residual - step * image
            before, size = size, float(residual @ residual)
            direction = residual + size / before * direction
        return self._solution(a)

    def _solution(self, dual: np.ndarray) -> Solution:
        term_weights, node_weights = self._texts_t @ dual, self._links_t @ dual
        predicted = self._texts @ term_weights + self._links @ node_weights
        return Solution(dual, predicted, term_weights, node_weights)
