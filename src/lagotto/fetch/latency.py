"""Estimates when a request reached its server, from where the delay of the host counts.

A request can be held up between our write and the server's read. The time of the answer, minus the
shortest time in which the host has ever answered, is hardly ever too early.
"""

from __future__ import annotations

from cachetools import LRUCache


class Latencies:
    """Shortest time to answer of each host, for at most `max_hosts` of them.

    >>> latencies = Latencies()
    >>> latencies.reached("a.org", sent_at=10.0, answered_at=10.5)
    10.5
    >>> latencies.reached("a.org", sent_at=20.0, answered_at=20.75)
    20.25
    """

    def __init__(self, max_hosts: int = 50_000) -> None:
        self.max_hosts = max_hosts
        self._shortest: LRUCache[str, float] = LRUCache(max_hosts)

    def reached(self, host: str, sent_at: float, answered_at: float) -> float:
        """Estimate for a request that was answered; the first one to a host counts from its answer."""
        taken = answered_at - sent_at
        before = self._shortest.get(host)
        self._shortest[host] = taken if before is None else min(taken, before)
        return answered_at if before is None else answered_at - min(taken, before)
