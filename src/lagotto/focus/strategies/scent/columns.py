"""Arrays that grow row by row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


class Column:
    """A numpy array with spare room at its end."""

    def __init__(self, dtype: type[np.generic], width: int = 0, empty: float = 0) -> None:
        self._shape: tuple[int, ...] = (width,) if width else ()
        self.empty = empty
        """Value of rows that were not written to."""
        self._room = np.full((64, *self._shape), empty, dtype)
        self._length = 0
        self._appended: list[float | np.ndarray] = []
        """Appended rows that are not in the array yet; they are copied together when needed."""

    def __len__(self) -> int:
        return self._length + len(self._appended)

    @property
    def rows(self) -> np.ndarray:
        """All rows, to be read or written in place."""
        if self._appended:
            self._take_appended()
        return self._room[: self._length]

    @property
    def and_none(self) -> np.ndarray:
        """All rows and at least one empty row after them, so that index -1 gives an empty row."""
        if self._appended:
            self._take_appended()
        return self._room

    def extend(self, rows: np.ndarray) -> None:
        """Add rows at the end."""
        if self._appended:
            self._take_appended()
        end = self._length + len(rows)
        self._make_room(end)
        self._room[self._length : end] = rows
        self._length = end

    def append(self, row: float | np.ndarray) -> None:
        """Add one row at the end."""
        self._appended.append(row)

    def append_all(self, rows: list[int]) -> None:
        """Add a few rows at the end."""
        self._appended.extend(rows)

    def set(self, rows: np.ndarray) -> None:
        """Replace all rows."""
        self._appended = []
        self._room = np.full((len(rows) + 1, *self._shape), self.empty, self._room.dtype)
        self._room[:-1] = rows.reshape((len(rows), *self._shape))
        self._length = len(rows)

    def _take_appended(self) -> None:
        appended, self._appended = self._appended, []
        self.extend(np.array(appended, self._room.dtype))

    def _make_room(self, length: int) -> None:
        if length >= len(self._room):
            size = max(length + 1, 2 * len(self._room))
            # Zeros that are never written to take no memory.
            grown = np.zeros((size, *self._shape), self._room.dtype)
            if self.empty:
                grown[self._length :] = self.empty
            grown[: self._length] = self._room[: self._length]
            self._room = grown


class Columns(dict[str, Column]):
    """Columns of the same length that grow together."""

    def grow(self, length: int) -> None:
        """Add empty rows at the end of each, up to this length."""
        for column in self.values():
            if length >= len(column._room):
                column._make_room(length)
            column._length = length


class Ring(Column):
    """A column that keeps its newest rows; row number n is at index n % most."""

    def __init__(self, dtype: type[np.generic], most: int, width: int = 0) -> None:
        super().__init__(dtype, width)
        self.most = most
        self.total = 0
        """Number of rows ever added."""

    def extend(self, rows: np.ndarray) -> None:
        """Add rows; beyond `most` they overwrite the oldest ones."""
        start = self.total
        self.total += len(rows)
        if self.total <= self.most:
            super().extend(rows)
            return
        if self._length < self.most:
            super().extend(np.zeros((self.most - self._length, *self._shape), self._room.dtype))
        self._room[np.arange(start, self.total) % self.most] = rows

    @property
    def oldest(self) -> int:
        """Number of the oldest row kept."""
        return max(0, self.total - self.most)

    def at(self, numbers: np.ndarray) -> np.ndarray:
        """Indices of the rows with these numbers."""
        return np.asarray(numbers % self.most)

    def numbers(self, at: np.ndarray) -> np.ndarray:
        """Numbers of the rows at these indices."""
        newest = (self.total - 1) % self.most
        return np.asarray(at + (self.total - 1 - newest) - self.most * (at > newest))

    def restore(self, rows: np.ndarray, total: int) -> None:
        """Replace all rows by those of a ring to which `total` rows had been added."""
        self.set(rows)
        self.total = total


class Rings(dict[str, Ring]):
    """Rings of the same length that grow together."""

    def extend(self, n: int, columns: Sequence[np.ndarray | int]) -> None:
        """Add n rows to each ring, in the rings' order; a single number is repeated n times."""
        start = next(iter(self.values())).total
        end = start + n
        for ring, rows in zip(self.values(), columns, strict=True):
            if end > ring.most:
                ring.extend(rows if isinstance(rows, np.ndarray) else np.full(n, rows))
                continue
            if end >= len(ring._room):
                ring._make_room(end)
            ring._room[start:end] = rows
            ring._length = ring.total = end
