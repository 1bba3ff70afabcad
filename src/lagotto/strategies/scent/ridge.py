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


def rows(columns: np.ndarray, values: np.ndarray, lengths: list[int], width: int) -> csr_matrix:
    """A sparse matrix of rows that lie end to end."""
    return csr_matrix((values, columns, np.cumsum([0, *lengths])), shape=(len(lengths), width))


def graph(children: np.ndarray, parents: np.ndarray, size: int, scale: float) -> csr_matrix:
    """A row for each page over its parents and itself, of length `scale`."""
    nodes = np.arange(size)
    row, column = np.concatenate([children, nodes]), np.concatenate([parents, nodes])
    linked = csr_matrix((np.ones(len(row)), (row, column)), shape=(size, size))
    linked.sum_duplicates()
    degrees = np.diff(linked.indptr)
    linked.data = np.repeat(scale / np.sqrt(degrees), degrees)
    return linked


def solve(
    texts: csr_matrix, links: csr_matrix, wanted: np.ndarray, ridge: float, start: np.ndarray
) -> Solution:
    """Solve (T·Tᵀ + L·Lᵀ + ridge·I)·a = wanted; the weights are Tᵀ·a of terms and Lᵀ·a of linking pages.

    `start` is an earlier solution for the first rows: a fit that only adds pages needs few steps.
    """
    texts_t, links_t = texts.T, links.T

    def kernel(a: np.ndarray) -> np.ndarray:
        return np.asarray(texts @ (texts_t @ a) + links @ (links_t @ a))

    n = len(wanted)
    a = np.append(start[:n], np.zeros(max(0, n - len(start))))
    residual = wanted - kernel(a) - ridge * a
    direction, size = residual.copy(), float(residual @ residual)
    for _ in range(STEPS):
        if size < ENOUGH**2 * n:
            break
        image = kernel(direction) + ridge * direction
        step = size / float(direction @ image)
        a = a + step * direction
        residual = residual - step * image
        before, size = size, float(residual @ residual)
        direction = residual + size / before * direction
    return Solution(a, kernel(a), np.asarray(texts_t @ a), np.asarray(links_t @ a))
