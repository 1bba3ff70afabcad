"""Arrays that grow row by row."""

from __future__ import annotations

import numpy as np


class Column:
    """A numpy array with room at its end."""

    def __init__(self, dtype: type[np.generic], width: int = 0) -> None:
        self._shape: tuple[int, ...] = (width,) if width else ()
        self._room = np.zeros((64, *self._shape), dtype)
        self._length = 0

    def __len__(self) -> int:
        return self._length

    @property
    def rows(self) -> np.ndarray:
        """All rows, to be read or written in place."""
        return self._room[: self._length]

    def extend(self, rows: np.ndarray) -> None:
        """Add rows at the end."""
        end = self._length + len(rows)
        if end > len(self._room):
            grown = np.zeros((max(end, 2 * len(self._room)), *self._shape), self._room.dtype)
            grown[: self._length] = self.rows
            self._room = grown
        self._room[self._length : end] = rows
        self._length = end

    def set(self, rows: np.ndarray) -> None:
        """Replace all rows."""
        self._room = np.array(rows, self._room.dtype).reshape((len(rows), *self._shape))
        self._length = len(rows)


class Numbers(dict[int, int]):
    """Key -> small number, given in order of first appearance."""

    def __missing__(self, key: int) -> int:
        self[key] = number = len(self)
        return number
