"""How long to leave a host alone between two requests; only the sums, the waiting is the frontier's.

The delay of a host is the largest of the base delay, what its robots.txt asks for, and what it has
taught us: an answer of 429 or 503 doubles the delay up to a cap, and a run of good answers halves
it again, step by step, down to where it began.
"""

from __future__ import annotations

from collections import OrderedDict

from msgspec import Struct

from lagotto.errors import InputError

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
        if not 0 <= base < float("inf"):
            raise InputError(f"a delay of {base} s makes no sense; give seconds from 0 up")
        self.base = base
        self.cap = max(cap, base)
        self.max_hosts = max_hosts
        self._hosts: OrderedDict[str, _Host] = OrderedDict()

    def delay(self, host: str, crawl_delay: float = 0.0) -> float:
        """Seconds between the starts of two requests to the host."""
        known = self._hosts.get(host)
        return max(self.base, crawl_delay, known.learned if known else 0.0)

    def not_before(self, host: str) -> float:
        """Monotonic time before which the host asked not to be bothered at all; 0 if it did not."""
        known = self._hosts.get(host)
        return known.until if known else 0.0

    def throttled(self, host: str, now: float, retry_after: float = 0.0) -> None:
        """The host answered 429 or 503: slow down, and stay away for as long as it asked."""
        known = self._hosts.setdefault(host, _Host())
        self._hosts.move_to_end(host)
        known.learned = min(max(2 * known.learned, 2 * self.base, _LEAST_LEARNED), self.cap)
        known.good = 0
        known.until = max(known.until, now + max(retry_after, known.learned))
        while len(self._hosts) > self.max_hosts:
            self._hosts.popitem(last=False)

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
