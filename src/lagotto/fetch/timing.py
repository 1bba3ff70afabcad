"""Notices when this process did not run for a while: stopped, suspended, or starved of CPU.

After such a pause all time limits of requests under way seem to have passed, and servers may have closed
their connections. That says nothing about the servers.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable

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


EVERY = 0.5
"""Seconds between two ticks."""
LATE = 1.0
"""A tick that comes this many seconds late is a stall."""
_KEPT = 16


class Stalls:
    """Ticks on the event loop and keeps the latest stalls; starts ticking at the first `watch`."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._last = 0.0
        self._stalls: deque[tuple[float, float]] = deque(maxlen=_KEPT)
        self._timer: asyncio.TimerHandle | None = None

    def watch(self) -> None:
        """Start ticking, unless it does already."""
        if self._timer is None:
            self._last = self.clock()
            self._timer = asyncio.get_running_loop().call_later(EVERY, self._tick)

    def fill(self, started: float) -> bool:
        """Whether stalls took at least half of the time since `started`."""
        self._notice()
        now = self.clock()
        stalled = sum(end - max(start, started) for start, end in self._stalls if end > started)
        return stalled > 0 and stalled >= (now - started) / 2

    def close(self) -> None:
        """Stop ticking."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _tick(self) -> None:
        self._notice()
        self._timer = asyncio.get_running_loop().call_later(EVERY, self._tick)

    def _notice(self) -> None:
        now = self.clock()
        if now - self._last > EVERY + LATE:
            self._stalls.append((self._last, now))
        self._last = now
