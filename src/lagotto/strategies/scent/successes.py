"""How the fetched members of groups of links turned out."""

from __future__ import annotations

import numpy as np

SLOTS = 1 << 18
"""Groups are told apart by a number below this; what few collisions there are do no harm."""


class Successes:
    """Totals of groups: the sum of relevance, and as imaginary part the number of fetched members.

    As one complex number they are added and read in one pass.
    """

    def __init__(self) -> None:
        # What is never written to takes no memory.
        self._totals = np.zeros(SLOTS, np.complex64)

    def of(self, groups: np.ndarray) -> np.ndarray:
        """Totals of groups of these numbers."""
        return self._totals.take(groups, mode="wrap")

    def add(self, groups: np.ndarray, amounts: np.ndarray) -> None:
        """Add to totals; a group may come several times."""
        np.add.at(self._totals, groups % SLOTS, amounts)

    def clear(self, groups: np.ndarray | int) -> None:
        """Start anew with groups whose numbers come to be used again."""
        self._totals[groups % SLOTS] = 0.0

    def arrays(self) -> tuple[np.ndarray, np.ndarray]:
        """Numbers and totals of the groups that have any."""
        # As whole numbers, eight bytes each, they are told from nothing much faster.
        used = np.flatnonzero(self._totals.view(np.uint64))
        return used.astype(np.int32), self._totals[used]

    def set_arrays(self, groups: np.ndarray, totals: np.ndarray) -> None:
        """Take back what `arrays` gave."""
        self._totals = np.zeros(SLOTS, np.complex64)
        self._totals[groups] = totals
