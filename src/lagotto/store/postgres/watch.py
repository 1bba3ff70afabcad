"""Which workers have fallen silent, by the clock of the one that watches them.

Every sign of life leaves another stamp in the database. Whoever has seen the same stamp for a whole lease, by
its own monotonic clock, knows that the worker's lease is over, since the worker began to count it earlier. No
wall clock has a say in this, so that none can do harm when it is set.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from msgspec import Struct


class _Seen(Struct):
    stamp: float
    since: float


class Watch:
    """Remembers when the stamps of other workers were first seen."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        self._seen: dict[str, _Seen] = {}

    def look(self, stamps: Mapping[str, float]) -> None:
        """Take note of the latest stamp of every worker."""
        now, before = self.now(), self._seen
        self._seen = {
            owner: before[owner] if owner in before and before[owner].stamp == stamp else _Seen(stamp, now)
            for owner, stamp in stamps.items()
        }

    def silent(self, owner: str, stamp: float, lease: float) -> bool:
        """Whether a worker has had this stamp for so many seconds."""
        seen = self._seen.get(owner)
        return seen is not None and seen.stamp == stamp and self.now() - seen.since >= lease
