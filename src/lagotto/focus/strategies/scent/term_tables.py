"""Tables of values by term that take memory for listed terms only.

A term is a bucket, one of 2^20, of which a crawl meets a small part. `TermRows` gives each listed term a row,
and any number of `Table`s keep their values in these rows. All terms that are not listed share one value.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from lagotto.focus.strategies.scent.buckets import BUCKETS
from lagotto.focus.strategies.scent.columns import Column

Array = np.ndarray

_PADDING = 0
"""Row of the bucket that pads texts; its values are 0."""
_NO_ROW = np.int32(2**31 - 1)
"""Row of terms that are not listed: beyond all others, so that it is clipped to a table's last row."""


class TermRows:
    """Rows of the listed terms, in the order of their listing."""

    def __init__(self, listed: Array | None = None) -> None:
        self._row_of = np.full(BUCKETS + 1, _NO_ROW, np.int32)
        self._row_of[BUCKETS] = _PADDING
        self._listed = Column(np.int32)
        if listed is not None:
            self.listing(listed)

    def __len__(self) -> int:
        return len(self._listed)

    @property
    def listed(self) -> Array:
        """Buckets of all listed terms."""
        return self._listed.rows

    def rows(self, buckets: Array) -> Array:
        """Row of each term."""
        return self._row_of.take(buckets)

    def listing(self, buckets: Array) -> Array:
        """Row of each term; those that have none get one."""
        rows = self._row_of.take(buckets)
        if (rows == _NO_ROW).any():
            new = np.unique(buckets[rows == _NO_ROW])
            self._row_of[new] = 1 + len(self) + np.arange(len(new))
            self._listed.extend(new)
            rows = self._row_of.take(buckets)
        return rows


class Table:
    """A value, or a few, for each term; read and written by bucket, as an array of all buckets would be."""

    def __init__(
        self, terms: TermRows, dtype: type[np.generic] | np.dtype, other: Any = 0, width: int = 0
    ) -> None:
        self._terms = terms
        self.other = other
        """Value of terms that were not written to."""
        self._rows = np.full((2, width) if width else 2, other, dtype)
        self._rows[_PADDING] = np.zeros(1, dtype)[0]

    def take(self, buckets: Array) -> Array:
        """Values of terms."""
        return self._rows.take(self._terms.rows(buckets), axis=0, mode="clip")

    def __getitem__(self, buckets: Array) -> Array:
        return self.take(buckets)

    def __setitem__(self, buckets: Array, values: object) -> None:
        rows = self._terms.listing(buckets)
        self._make_room()
        self._rows[rows] = values

    def add(self, buckets: Array, values: Array) -> None:
        """Add to the values of terms, some of which may come several times."""
        rows = self._terms.listing(buckets)
        self._make_room()
        np.add.at(self._rows, rows, values)

    def nonzero(self) -> Array:
        """Buckets of the listed terms whose value is not 0, in ascending order."""
        listed = self._terms.listed
        return np.sort(listed[self.take(listed).nonzero()[0]])

    def copy(self) -> Self:
        """A table of its own with the same values."""
        found = type(self)(self._terms, self._rows.dtype, self.other)
        found._rows = self._rows.copy()
        return found

    def _make_room(self) -> None:
        """Add rows for terms listed since; the last row stays that of terms that are not."""
        length = len(self._terms) + 2
        if length > len(self._rows):
            grown = np.full(
                (length + len(self._terms) // 8, *self._rows.shape[1:]), self.other, self._rows.dtype
            )
            grown[: len(self._rows)] = self._rows
            self._rows = grown
