"""From numbers to numbers, many to many, in two flat arrays."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np


class Relation(NamedTuple):
    """The members of number n stand between `starts[n]` and `starts[n + 1]`."""

    starts: np.ndarray
    members: np.ndarray

    @classmethod
    def of(cls, numbers: np.ndarray, members: np.ndarray, size: int) -> Self:
        """Each number with the member beside it; numbers are below `size`."""
        order = np.argsort(numbers, kind="stable")
        starts = np.searchsorted(numbers[order], np.arange(size + 1))
        return cls(starts, members[order])

    def counts(self, numbers: np.ndarray) -> np.ndarray:
        """How many members each of these numbers has."""
        return np.asarray(self.starts[numbers + 1] - self.starts[numbers])

    def among(self, numbers: np.ndarray) -> np.ndarray:
        """All members of these numbers, number by number."""
        counts = self.counts(numbers)
        skipped = np.repeat(np.cumsum(counts) - counts, counts)
        places = np.arange(len(skipped)) - skipped + np.repeat(self.starts[numbers], counts)
        return np.asarray(self.members[places])

    def closure(self, number: int) -> np.ndarray:
        """The number, its members, theirs, and so forth, each once."""
        new = found = np.array([number])
        while len(new):
            new = np.setdiff1d(self.among(new), found)
            found = np.union1d(found, new)
        return found
