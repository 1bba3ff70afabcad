"""When one more worker would help."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

BUSY = 0.7
"""Share of a core from which on a worker is busy."""
LOOKS = 3
"""Looks in a row at which all workers must be at their limit before one is added."""


class Load(Struct, frozen=True):
    """How much a worker has to do."""

    hosts: int
    """Hosts with links that wait."""
    in_flight: int
    concurrency: int
    cpu: float
    """Cores that it has used since the last look."""

    @property
    def at_limit(self) -> bool:
        """Whether hosts wait that it cannot ask: it has too many requests under way, or no CPU left."""
        return self.hosts > 1 and (self.in_flight >= self.concurrency or self.cpu >= BUSY)


class Demand:
    """Decides by the loads of all workers whether to add one."""

    def __init__(self, most: int) -> None:
        self.most = most
        """Workers at most."""
        self._looks = 0

    def one_more(self, loads: Sequence[Load], workers: int, free_cpus: float) -> bool:
        """Whether to add a worker now; `loads` are those of the workers that have answered."""
        wanted = len(loads) == workers and all(load.at_limit for load in loads)
        self._looks = self._looks + 1 if wanted else 0
        if self._looks < LOOKS or workers >= self.most or free_cpus < 1:
            return False
        self._looks = 0
        return True
