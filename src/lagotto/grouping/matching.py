"""Which old group a new one continues, so that ids and names stay when groups are made again."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

OVERLAP = 0.4
"""Share of the pages of either group that both must have, at least."""


def continued(old: Integers, new: Integers, old_count: int, new_count: int) -> dict[int, int]:
    """New group -> the old one that it continues, given both groups of the same pages; -1 is no group.

    Of all pairs those that share most of their pages are taken first, and each group once.
    """
    known = (old >= 0) & (new >= 0)
    shared = np.zeros((new_count, old_count), np.int64)
    np.add.at(shared, (new[known], old[known]), 1)
    of_new, of_old = shared.sum(axis=1, keepdims=True), shared.sum(axis=0, keepdims=True)
    union = np.maximum(of_new + of_old - shared, 1)
    likeness = np.where(shared >= OVERLAP * np.maximum(np.minimum(of_new, of_old), 1), shared / union, 0.0)
    found: dict[int, int] = {}
    for place in np.argsort(-likeness, axis=None, kind="stable").tolist():
        group, before = divmod(place, old_count)
        if likeness[group, before] <= 0.0:
            break
        if group not in found and before not in found.values():
            found[group] = before
    return found
