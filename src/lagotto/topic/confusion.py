"""The four counts of a classifier, and what follows from them.

Trap: the paper of `neural` reports an accuracy of .85 on 475 pages; its own four counts add up to 503 and
give .80. So the measures here are always computed from the counts, and never stored beside them.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct


class Confusion(Struct, frozen=True):
    """How often a verdict was right and wrong, by kind."""

    true_positive: int
    false_positive: int
    false_negative: int
    true_negative: int

    @classmethod
    def of(cls, verdicts: Iterable[tuple[bool, bool]]) -> Confusion:
        """Count pairs of what a page is and what it was judged to be."""
        cells = {(True, True): 0, (False, True): 0, (True, False): 0, (False, False): 0}
        for verdict in verdicts:
            cells[verdict] += 1
        return cls(*cells.values())

    @property
    def total(self) -> int:
        """Pages judged."""
        return self.true_positive + self.false_positive + self.false_negative + self.true_negative

    @property
    def precision(self) -> float:
        """Relevant among those judged relevant; 0 when none was."""
        return _share(self.true_positive, self.true_positive + self.false_positive)

    @property
    def recall(self) -> float:
        """Judged relevant among the relevant; 0 when there are none."""
        return _share(self.true_positive, self.true_positive + self.false_negative)

    @property
    def accuracy(self) -> float:
        """Judged rightly among all."""
        return _share(self.true_positive + self.true_negative, self.total)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
