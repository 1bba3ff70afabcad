"""When a host, and the address behind it, may be asked again.

All times are monotonic seconds, given by the caller. A delay is the time between the starts of two
requests, so slow answers do not make a crawl slower than politeness requires.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from math import inf

MARGIN = 0.01
"""Seconds added to every delay, because requests take slightly different times to arrive."""
LOOK_AGAIN = 0.25
"""Seconds after which to look again whether an address is still being asked by another host."""
_FEW = 1000


class Turns:
    """Turns of hosts and of addresses; before `quiet_until` no host has one."""

    def __init__(
        self,
        *,
        connections_per_host: int = 1,
        ip_delay: float = 0.0,
        quiet_until: float = 0.0,
        quiet_of: Callable[[str], float] | None = None,
    ) -> None:
        """`quiet_of` says before which time a host has no turn, beyond what is known here."""
        self.connections_per_host = connections_per_host
        self.ip_delay = ip_delay
        self.quiet_until = quiet_until
        self.quiet_of = quiet_of
        self._busy: dict[str, int] = {}
        self._soonest: dict[str, float] = {}
        """Host that is being asked -> time before which it will not be asked again; 0 without delay."""
        self._yielding: set[str] = set()
        self._single: set[str] = set()
        self._host_ready: dict[str, float] = {}
        self._swept_size = _FEW
        self._address: dict[str, str] = {}
        self._address_ready: OrderedDict[str, float] = OrderedDict()
        self._asking: dict[str, str] = {}
        """Host -> address that a request of it is on its way to."""
        self._asked: Counter[str] = Counter()

    def ready_at(self, host: str, now: float) -> float:
        """Earliest time of the host's next request; infinite while its connections are in use."""
        ready = self.free_at(host, now)
        # Long enough for the other request to ask for its turn twice.
        return ready + 2 * LOOK_AGAIN if host in self._yielding else ready

    def yield_next(self, host: str) -> None:
        """Let a request that belongs to no link go before the host's links next time."""
        self._yielding.add(host)

    def free_at(self, host: str, now: float) -> float:
        """Like `ready_at`, without the pause of `yield_next`."""
        if self._busy.get(host, 0) >= self._connections(host):
            return inf
        ready = max(self.quiet_until, self._host_ready.get(host, 0.0))
        if self.quiet_of is not None:
            ready = max(ready, self.quiet_of(host))
        if self.ip_delay and host in self._address:
            address = self._address[host]
            ready = max(ready, self._address_ready.get(address, 0.0))
            # The request under way may not have left yet, so its delay has not started.
            if address in self._asked:
                ready = max(ready, now + LOOK_AGAIN)
        return ready

    def being_asked(self, until: float) -> Iterator[str]:
        """Hosts whose connections are all in use and that may be asked again by `until`."""
        for host, asked in self._busy.items():
            if asked >= self._connections(host) and self._soonest[host] <= until:
                yield host

    def one_at_a_time(self, host: str, on: bool) -> None:
        """Use a single connection to the host: one request is enough to find out that it still fails."""
        if on:
            self._single.add(host)
        else:
            self._single.discard(host)

    def pause(self, until: float) -> None:
        """Give no host a turn before that time."""
        self.quiet_until = max(self.quiet_until, until)

    def knows_address(self, host: str) -> bool:
        """Whether the per-address rule can be applied to the host."""
        return not self.ip_delay or host in self._address

    def set_address(self, host: str, address: str) -> None:
        """Remember which address the host's requests go to."""
        if address and self.ip_delay:
            self._address[host] = address

    def start(self, host: str, delay: float, now: float) -> None:
        """A request to the host is about to leave."""
        self._busy[host] = self._busy.get(host, 0) + 1
        longest = max(delay, self.ip_delay)
        self._soonest[host] = now + longest if longest else 0.0
        self._yielding.discard(host)
        if delay and self.connections_per_host > 1:
            self.hold(host, now + delay + MARGIN)
        if host in self._address and host not in self._asking:
            self._asking[host] = self._address[host]
            self._asked[self._address[host]] += 1
        self._sweep(now)

    def done(self, host: str, sent_at: float, delay: float) -> None:
        """The request is over; `sent_at` is when it left, 0 if it never did."""
        busy = self._busy.get(host, 1) - 1
        if busy > 0:
            self._busy[host] = busy
        else:
            self._busy.pop(host, None)
            self._soonest.pop(host, None)
            self._release_address(host)
        if sent_at:
            if delay:
                self.hold(host, sent_at + delay + MARGIN)
            self._hold_address(host, sent_at)

    def waiting(self, after: float) -> Iterator[tuple[str, float]]:
        """Hosts that must be left alone beyond a time, and until when."""
        return ((host, until) for host, until in self._host_ready.items() if until > after)

    def hold(self, host: str, until: float) -> None:
        """Leave the host alone until then."""
        self._host_ready[host] = max(self._host_ready.get(host, 0.0), until)

    def forget(self, host: str) -> None:
        """Forget a host that has no links left, except for its current delay."""
        self._address.pop(host, None)
        self._single.discard(host)
        self._yielding.discard(host)

    def _connections(self, host: str) -> int:
        return 1 if host in self._single else self.connections_per_host

    def _release_address(self, host: str) -> None:
        address = self._asking.pop(host, "")
        if address:
            self._asked[address] -= 1
            if not self._asked[address]:
                del self._asked[address]

    def _hold_address(self, host: str, sent_at: float) -> None:
        """Start the delay of the address behind the host."""
        address = self._address.get(host)
        if not address:
            return
        ready = sent_at + self.ip_delay + MARGIN
        self._address_ready[address] = max(self._address_ready.get(address, 0.0), ready)
        self._address_ready.move_to_end(address)
        while next(iter(self._address_ready.values())) < sent_at:
            self._address_ready.popitem(last=False)

    def _sweep(self, now: float) -> None:
        """Forget delays that are over, whenever their number has doubled."""
        if len(self._host_ready) > self._swept_size:
            self._host_ready = {host: until for host, until in self._host_ready.items() if until > now}
            self._swept_size = _FEW + 2 * len(self._host_ready)
