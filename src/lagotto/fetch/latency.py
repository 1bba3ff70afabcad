"""When a request reached its server, as far as we can tell from here.

Politeness is what the server sees, and between our write and its read a request can be held up. The
answer's headers prove that it had arrived; taking off the shortest time that the host has ever
needed to answer gives a moment that is hardly ever too early and costs no speed.
"""

from __future__ import annotations

from collections import OrderedDict


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
        self._shortest: OrderedDict[str, float] = OrderedDict()

    def reached(self, host: str, sent_at: float, answered_at: float) -> float:
        """Estimate for a request that was answered; the first one to a host counts from its answer."""
        taken = answered_at - sent_at
        before = self._shortest.pop(host, None)
        self._shortest[host] = taken if before is None else min(taken, before)
        if len(self._shortest) > self.max_hosts:
            self._shortest.popitem(last=False)
        return answered_at if before is None else answered_at - min(taken, before)
