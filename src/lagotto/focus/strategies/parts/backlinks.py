"""Who links to what, in twelve bytes a link.

Links are kept in runs sorted by target. A page's links are a new run; two runs of about the same size become
one, so there are never more runs than the logarithm of the number of links, and adding a link costs as much.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct, msgpack


class Backlinks:
    """Numbers of pages by the 64-bit id of what they link to."""

    def __init__(self) -> None:
        self._runs: list[tuple[np.ndarray, np.ndarray]] = []
        """Sorted targets and the pages that link there, largest run first."""

    def __len__(self) -> int:
        return sum(len(targets) for targets, _ in self._runs)

    def add(self, page: int, targets: np.ndarray) -> None:
        """Note that a page, given by its number, links to these targets."""
        run = np.sort(targets), np.full(len(targets), page, np.int32)
        while self._runs and len(self._runs[-1][0]) <= 2 * len(run[0]):
            run = _merged(self._runs.pop(), run)
        if len(run[0]):
            self._runs.append(run)

    def sources(self, target: int) -> list[int]:
        """Pages that link to the target."""
        found: list[int] = []
        for targets, pages in self._runs:
            first = np.searchsorted(targets, target)
            last = np.searchsorted(targets, target, side="right")
            found.extend(pages[first:last].tolist())
        return found

    def save(self) -> bytes:
        """All links."""
        return msgpack.encode([_Run(targets.tobytes(), pages.tobytes()) for targets, pages in self._runs])

    def load(self, saved: bytes) -> None:
        """Take back what `save` gave."""
        runs = msgpack.decode(saved, type=list[_Run])
        self._runs = [
            (np.frombuffer(run.targets, np.int64), np.frombuffer(run.pages, np.int32)) for run in runs
        ]


class _Run(Struct, array_like=True):
    targets: bytes
    pages: bytes


def _merged(
    one: tuple[np.ndarray, np.ndarray], other: tuple[np.ndarray, np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    targets = np.concatenate([one[0], other[0]])
    pages = np.concatenate([one[1], other[1]])
    # Two sorted halves: a stable sort finds them and merges.
    order = np.argsort(targets, kind="stable")
    return targets[order], pages[order]
