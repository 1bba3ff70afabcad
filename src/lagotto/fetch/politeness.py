"""The delay between two requests to a host; the frontier does the waiting.

It is the largest of the base delay, the Crawl-delay of robots.txt, and a learned delay: each answer of
429 or 503 doubles that one up to a cap, and ten good answers in a row halve it, down to the base.
"""

from __future__ import annotations

from cachetools import LRUCache
from msgspec import Struct

from lagotto.base.errors import InputError

_RECOVER_AFTER = 10
"""Good answers in a row that halve a learned delay."""
_LEAST_LEARNED = 1.0


class _Host(Struct):
    learned: float = 0.0
    good: int = 0
    until: float = 0.0


class Delays:
    """Delay of every host that is not at its base, for at most `max_hosts` of them.

    >>> delays = Delays(base=1.0)
    >>> delays.throttled("a.org", now=100.0, retry_after=0.0)
    >>> delays.delay("a.org", crawl_delay=0.0)
    2.0
    """

    def __init__(self, base: float = 1.0, *, cap: float = 300.0, max_hosts: int = 100_000) -> None:
        self._cap = cap
        self.set_base(base)
        self.max_hosts = max_hosts
        self._hosts: LRUCache[str, _Host] = LRUCache(max_hosts)

    def set_base(self, base: float) -> None:
        """Leave every host alone for at least so long from now on."""
        if not 0 <= base < float("inf"):
            raise InputError(f"a delay of {base} s makes no sense; give seconds from 0 up")
        self.base = base
        self.cap = max(self._cap, base)

    def delay(self, host: str, crawl_delay: float = 0.0) -> float:
        """Seconds between the starts of two requests to the host."""
        known = self._hosts.get(host)
        return max(self.base, crawl_delay, known.learned if known else 0.0)

    def not_before(self, host: str) -> float:
        """Monotonic time before which the host asked not to be asked at all; 0 if it did not."""
        known = self._hosts.get(host)
        return known.until if known else 0.0

    def throttled(self, host: str, now: float, retry_after: float = 0.0) -> None:
        """The host answered 429 or 503: slow down, and stay away for as long as it asked."""
        known = self._hosts.setdefault(host, _Host())
        known.learned = min(max(2 * known.learned, 2 * self.base, _LEAST_LEARNED), self.cap)
        known.good = 0
        known.until = max(known.until, now + max(retry_after, known.learned))

    def succeeded(self, host: str) -> None:
        """The host answered well."""
        known = self._hosts.get(host)
        if known is None:
            return
        known.good += 1
        if known.good < _RECOVER_AFTER:
            return
        known.good = 0
        known.learned /= 2
        if known.learned <= max(self.base, _LEAST_LEARNED / 2):
            del self._hosts[host]
