"""Sparse matrices in numpy: the few products that clustering and regression need."""

from __future__ import annotations

import numpy as np


class SparseRows:
    """A sparse matrix: the columns and values of its rows lie end to end."""

    def __init__(self, columns: np.ndarray, values: np.ndarray, lengths: np.ndarray, width: int) -> None:
        # numpy converts any other type of index again in every product.
        self._columns = columns.astype(np.intp, copy=False)
        self._values = values
        self._lengths = lengths
        self._width = width

    def __len__(self) -> int:
        return len(self._lengths)

    def times(self, vector: np.ndarray) -> np.ndarray:
        """The matrix times a vector with an entry for each column."""
        return sums(self._values * vector.take(self._columns), self._lengths)

    def transposed_times(self, vector: np.ndarray) -> np.ndarray:
        """The transposed matrix times a vector with an entry for each row."""
        product = np.zeros(self._width, self._values.dtype)
        np.add.at(product, self._columns, self._values * vector.repeat(self._lengths))
        return product


def sums(values: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Sums of consecutive stretches of these lengths; that of an empty stretch is 0."""
    found = np.zeros(len(lengths), values.dtype)
    filled = lengths.nonzero()[0]
    if len(filled):
        found[filled] = np.add.reduceat(values, (lengths.cumsum() - lengths)[filled])
    return found
