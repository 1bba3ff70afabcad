"""When a host, and the address behind it, may be asked again.

All times are monotonic seconds passed in by the caller. Delays count from the moment a request
left to the moment the next one leaves, so a slow answer does not lower the rate that politeness
allows.
"""

from __future__ import annotations

from collections import OrderedDict
from math import inf

MARGIN = 0.01
"""Seconds added to every delay: two requests may cross the wire at slightly different speeds."""
CONNECTING = 0.25
"""Seconds that a request is expected to need at most before it leaves."""


class Turns:
    """Turns of hosts and of addresses."""

    def __init__(self, *, connections_per_host: int = 1, ip_delay: float = 0.0) -> None:
        self.connections_per_host = connections_per_host
        self.ip_delay = ip_delay
        self._busy: dict[str, int] = {}
        self._host_ready: dict[str, float] = {}
        self._address: dict[str, str] = {}
        self._address_ready: OrderedDict[str, float] = OrderedDict()

    def ready_at(self, host: str) -> float:
        """Earliest time of the host's next request; infinite while its connections are in use."""
        if self._busy.get(host, 0) >= self.connections_per_host:
            return inf
        ready = self._host_ready.get(host, 0.0)
        if self.ip_delay and host in self._address:
            ready = max(ready, self._address_ready.get(self._address[host], 0.0))
        return ready

    def knows_address(self, host: str) -> bool:
        """Whether the per-address rule can be applied to the host."""
        return not self.ip_delay or host in self._address

    def set_address(self, host: str, address: str) -> None:
        """Remember which address the host's requests go to."""
        if address:
            self._address[host] = address

    def start(self, host: str, delay: float, now: float) -> None:
        """A request to the host is about to leave."""
        self._busy[host] = self._busy.get(host, 0) + 1
        if delay and self.connections_per_host > 1:
            self.hold(host, now + delay + MARGIN)
        self._hold_address(host, now + CONNECTING)

    def done(self, host: str, sent_at: float, delay: float) -> None:
        """The request is over; `sent_at` is when it left, 0 if it never did."""
        busy = self._busy.get(host, 1) - 1
        if busy > 0:
            self._busy[host] = busy
        else:
            self._busy.pop(host, None)
        if sent_at:
            if delay:
                self.hold(host, sent_at + delay + MARGIN)
            self._hold_address(host, sent_at)

    def hold(self, host: str, until: float) -> None:
        """Leave the host alone until then."""
        self._host_ready[host] = max(self._host_ready.get(host, 0.0), until)

    def forget(self, host: str, now: float) -> None:
        """Drop what is known of a host that has no links left, once its delay is over."""
        if host not in self._busy and self._host_ready.get(host, 0.0) <= now:
            self._host_ready.pop(host, None)
            self._address.pop(host, None)

    def _hold_address(self, host: str, sent_at: float) -> None:
        """The address behind the host gets, or is about to get, a request."""
        address = self._address.get(host)
        if not self.ip_delay or not address:
            return
        ready = sent_at + self.ip_delay + MARGIN
        self._address_ready[address] = max(self._address_ready.get(address, 0.0), ready)
        self._address_ready.move_to_end(address)
        while next(iter(self._address_ready.values())) < sent_at:
            self._address_ready.popitem(last=False)
