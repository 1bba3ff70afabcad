"""How the fetched members of groups of links turned out."""

from __future__ import annotations

import numpy as np

SLOTS = 1 << 18
"""A group's totals are kept under its number modulo this; the few collisions do no harm."""
RELEVANCE, MEMBERS = 0, 1
"""Rows of an array of totals: the sum of the relevance of fetched members, and their number.

Neighbours count by their nearness, so that the number need not be whole.
"""


class Successes:
    """Totals of groups, by number."""

    def __init__(self) -> None:
        # Zeros that are never written to take no memory.
        self._totals = np.zeros((2, SLOTS), np.float32)

    def of(self, groups: np.ndarray) -> np.ndarray:
        """Totals of these groups, a column each."""
        return self._totals.take(groups, axis=1, mode="wrap")

    def add(self, groups: np.ndarray, relevance: np.ndarray, members: np.ndarray | None = None) -> None:
        """Add to the totals of groups, some of which may come several times."""
        slots = groups % SLOTS
        np.add.at(self._totals[RELEVANCE], slots, relevance)
        if members is not None:
            np.add.at(self._totals[MEMBERS], slots, members)

    def clear(self, groups: np.ndarray | int) -> None:
        """Reset groups whose numbers are used again."""
        self._totals[:, groups % SLOTS] = 0.0

    def arrays(self) -> tuple[np.ndarray, np.ndarray]:
        """Numbers and totals of the groups that have any."""
        used = np.flatnonzero(self._totals.any(axis=0))
        return used.astype(np.int32), self._totals[:, used]

    def set_arrays(self, groups: np.ndarray, totals: np.ndarray) -> None:
        """Restore what `arrays` returned."""
        self._totals = np.zeros((2, SLOTS), np.float32)
        self._totals[:, groups] = totals
