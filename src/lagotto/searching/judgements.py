"""Relevance and verdict of each page, by its number.

They change more often than texts, and often for all pages at once. So the index keeps them as two arrays in
one document, and ranks by them when it is asked.
"""

from __future__ import annotations

import numpy as np

UNJUDGED = -1


class Judgements:
    """What is known of pages by their number; a page that was never set is not judged."""

    def __init__(self, relevances: bytes = b"", verdicts: bytes = b"") -> None:
        """From what `relevances` and `verdicts` gave."""
        self._relevances = np.frombuffer(relevances, np.float32).copy()
        self._verdicts = np.frombuffer(verdicts, np.int8).copy()

    def set(self, page: int, relevance: float | None, relevant: bool | None) -> bool:
        """Keep what counts now; says whether the verdict is another one than before."""
        if page >= len(self._verdicts):
            more = max(1024, page + 1, 2 * len(self._verdicts)) - len(self._verdicts)
            self._relevances = np.append(self._relevances, np.zeros(more, np.float32))
            self._verdicts = np.append(self._verdicts, np.full(more, UNJUDGED, np.int8))
        verdict = UNJUDGED if relevant is None else int(relevant)
        changed = bool(self._verdicts[page] != verdict)
        self._relevances[page] = relevance or 0.0
        self._verdicts[page] = verdict
        return changed

    def of(self, pages: np.ndarray) -> np.ndarray:
        """Relevances of pages, 0 for those that were not judged."""
        known = pages < len(self._relevances)
        found = np.zeros(len(pages), np.float32)
        found[known] = self._relevances[pages[known]]
        return found

    @property
    def relevances(self) -> bytes:
        """All relevances, to be stored."""
        return self._relevances.tobytes()

    @property
    def verdicts(self) -> bytes:
        """All verdicts, to be stored."""
        return self._verdicts.tobytes()
