"""The frontier: which host may be asked now, then which of its links is best.

Two heaps hold hosts, never links: `ready` by the score of the host's best link, `waiting` by the
time of its turn. A host has one current entry, its place; older ones are dropped as they surface.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from math import inf

from lagotto.frontier.heads import Heads
from lagotto.frontier.turns import Turns
from lagotto.records import Lease
from lagotto.seams import Store

HEADS_IN_RAM = 50_000
"""Heads kept over all hosts; a host gets an equal share, at least one and at most 64."""

SOON = 10.0
"""Seconds within which the turn of a host with clearly better links is worth waiting for."""

READ_AT_ONCE = 8
"""Links of a host that are read from disk together: what was learned may soon make them void."""


class Frontier:
    """Leases the best link among hosts whose turn it is."""

    def __init__(
        self,
        store: Store,
        turns: Turns,
        *,
        now: Callable[[], float],
        wall: Callable[[], float],
        delay_of: Callable[[Lease], float],
        pages_left: Callable[[str], float] = lambda _: inf,
        clearly_better: float = inf,
    ) -> None:
        """`clearly_better` is the difference of scores from which a patient lease waits for a host's turn."""
        self.store = store
        self.turns = turns
        self.now = now
        self.wall = wall
        self.delay_of = delay_of
        self.pages_left = pages_left
        self.clearly_better = clearly_better
        self._heads: dict[str, Heads] = {}
        self._leased: dict[int, Lease] = {}
        self._leased_of: Counter[str] = Counter()
        self._ready: list[tuple[float, int, str]] = []
        self._waiting: list[tuple[float, int, str]] = []
        self._place: dict[str, tuple[float, int, str]] = {}
        # Links are read when their host's turn comes: of a hundred thousand hosts few are asked soon.
        for host, first in store.hosts().items():
            self._heads[host] = Heads(first, more=True)
        for host in list(self._heads):
            self._schedule(host)

    @property
    def hosts(self) -> int:
        """Hosts that have links queued."""
        return len(self._heads)

    @property
    def in_flight(self) -> int:
        """Links leased and not settled."""
        return len(self._leased)

    def lease(self, *, patient: bool = False) -> Lease | None:
        """Take the best link of all hosts whose turn it is, or None while every host must wait.

        A patient lease also waits for hosts with better links that will be free in a moment, and for hosts
        with clearly better links whose turn comes soon.
        """
        now = self.now()
        while self._waiting and self._waiting[0][0] <= now:
            entry = heapq.heappop(self._waiting)
            if self._current(entry):
                del self._place[entry[-1]]
                self._schedule(entry[-1])
        while self._ready:
            entry = heapq.heappop(self._ready)
            host = entry[-1]
            if not self._current(entry):
                continue
            if patient and self._better_is_coming(entry, now):
                heapq.heappush(self._ready, entry)
                return None
            del self._place[host]
            if self.turns.ready_at(host, now) > now or not self._read(entry):
                self._schedule(host)
                continue
            lease = self._heads[host].take()
            self._leased[lease.id] = lease
            self._leased_of[host] += 1
            self.turns.start(host, self.delay_of(lease), now)
            self._schedule(host)
            return lease
        return None

    def best(self) -> Lease | None:
        """The best link among hosts whose turn it is, left where it is."""
        while self._ready:
            entry = self._ready[0]
            if self._current(entry) and self._read(entry):
                return self._heads[entry[-1]].best
            heapq.heappop(self._ready)
            if self._current(entry):
                del self._place[entry[-1]]
                self._schedule(entry[-1])
        return None

    def wait(self) -> float | None:
        """Seconds until some host's turn comes; None if no waiting host has links."""
        return 0.0 if self.best() is not None else self.next_turn()

    def next_turn(self) -> float | None:
        """Seconds until the turn of a host that must wait comes; None if no such host has links."""
        while self._waiting and not self._current(self._waiting[0]):
            heapq.heappop(self._waiting)
        return max(0.0, self._waiting[0][0] - self.now()) if self._waiting else None

    def waiting_hosts(self) -> Iterator[str]:
        """Hosts that have links and wait for their turn."""
        return (entry[-1] for entry in self._waiting if self._current(entry))

    def give_back(self, lease: Lease, sent_at: float = 0.0) -> None:
        """The link stays queued: its host had to be asked something else first, or must wait."""
        self._heads.setdefault(lease.host, Heads()).give_back(self._forget_lease(lease))
        self.asked(lease, sent_at)

    def asked(self, lease: Lease, sent_at: float) -> None:
        """The request of a lease is over, so the host's next turn can be set."""
        self.end_turn(lease.host, sent_at, self.delay_of(lease))

    def take_turn(self, host: str, delay: float) -> bool:
        """Take the host's turn for a request that no lease of it is about; False if it must wait.

        Then the host's links will wait for a moment, so that whoever asks again in that time has it.
        """
        now = self.now()
        if self.turns.free_at(host, now) > now:
            self.turns.yield_next(host)
            self._schedule(host)
            return False
        self.turns.start(host, delay, now)
        return True

    def end_turn(self, host: str, sent_at: float, delay: float) -> None:
        """The request that took the turn is over."""
        self.turns.done(host, sent_at, delay)
        self._schedule(host)

    def settle(self, leases: Iterable[Lease], added: Iterable[Lease]) -> None:
        """Outcomes are committed: forget their leases, take in the links they brought."""
        hosts = set()
        for lease in leases:
            self._forget_lease(lease)
            hosts.add(lease.host)
        room = self._room()
        for link in added:
            if link.id in self._leased:
                self._leased[link.id] = link  # Its score rose; this counts if it is given back.
                continue
            if link.host not in self._heads:
                self._heads[link.host] = Heads()
            self._heads[link.host].offer(link, room)
            hosts.add(link.host)
        for host in sorted(hosts):
            self._schedule(host)

    def reload(self, hosts: Iterable[str]) -> None:
        """Scores of queued links changed on disk: read these hosts' heads from there when they are needed."""
        for host in sorted(hosts):
            heads = self._heads.get(host)
            if heads is not None:
                heads.forget(self.store.place(host))
                self._schedule(host)

    def defer(self, lease: Lease) -> None:
        """A committed outcome sent the link back to the queue for later: look at the disk again."""
        heads = self._heads.setdefault(lease.host, Heads())
        heads.more = True
        self._schedule(lease.host)

    def _better_is_coming(self, entry: tuple[float, int, str], now: float) -> bool:
        """Whether another host should be waited for instead of taking the link that the entry stands for."""
        if any(place < entry[:2] for place in self._places(self.turns.being_asked(0.0))):
            return True
        if self.clearly_better == inf:
            return False
        soon = now + SOON
        waiting = (late[-1] for late in _up_to(soon, self._waiting) if self._current(late))
        hosts = chain(self.turns.being_asked(soon), waiting)
        return any(place[0] <= entry[0] - self.clearly_better for place in self._places(hosts))

    def _places(self, hosts: Iterable[str]) -> Iterator[tuple[float, int]]:
        """Where the best links of hosts stand."""
        for host in hosts:
            heads = self._heads.get(host)
            if heads is not None and heads.place is not None:
                yield heads.place

    def _room(self) -> int:
        return max(1, min(64, HEADS_IN_RAM // max(1, len(self._heads))))

    def _forget_lease(self, lease: Lease) -> Lease:
        """The lease is over; returns the link as it is known now."""
        self._leased_of[lease.host] -= 1
        if not self._leased_of[lease.host]:
            del self._leased_of[lease.host]
        return self._leased.pop(lease.id)

    def _current(self, entry: tuple[float, int, str]) -> bool:
        return self._place.get(entry[-1]) is entry

    def _read(self, entry: tuple[float, int, str]) -> bool:
        """Have the host's best link in RAM; False if it does not stand where the entry says."""
        host = entry[-1]
        heads = self._heads[host]
        if heads.first is not None:
            self._refill(host, heads)
        return heads.place == entry[:2]

    def _schedule(self, host: str) -> None:
        """Put the host where it belongs now: ready, waiting, or nowhere."""
        heads = self._heads.get(host)
        if heads is None:
            return
        left = self.pages_left(host)
        if left <= 0:
            heads.fill([], more=False)
        if heads.place is None and heads.more:
            self._refill(host, heads)
        now = self.now()
        ready_at = self.turns.ready_at(host, now) if left > self._leased_of[host] else inf
        place = heads.place
        if place is None:
            ready_at = max(ready_at, self._next_retry(host, heads))
            if not heads.more and host not in self._leased_of:
                del self._heads[host]
                self.turns.forget(host)
        if ready_at == inf:
            self._place.pop(host, None)
        elif place is not None and ready_at <= now:
            self._put(self._ready, (*place, host))
        else:
            self._put(self._waiting, (ready_at, 0, host))

    def _put(self, heap: list[tuple[float, int, str]], entry: tuple[float, int, str]) -> None:
        """Make the entry the host's place, and sweep the heap when most of it is stale."""
        if self._place.get(entry[-1]) == entry:
            return
        self._place[entry[-1]] = entry
        heapq.heappush(heap, entry)
        if len(heap) > 1000 + 2 * len(self._heads):
            heap[:] = [kept for kept in heap if self._current(kept)]
            heapq.heapify(heap)

    def _next_retry(self, host: str, heads: Heads) -> float:
        """Monotonic time at which a deferred link of the host is due; infinite if there is none."""
        if not heads.more or host in self._leased_of:
            return inf
        retry_at = self.store.next_retry(host)
        return inf if retry_at is None else self.now() + max(0.0, retry_at - self.wall())

    def _refill(self, host: str, heads: Heads) -> None:
        """Read the host's best links from disk, leaving out those in flight."""
        wanted = min(self._room(), READ_AT_ONCE) + self._leased_of[host]
        found = self.store.top(host, wanted, self.wall())
        links = [lease for lease in found if lease.id not in self._leased]
        heads.fill(links, more=len(found) == wanted or self.store.next_retry(host) is not None)


def _up_to(limit: float, heap: list[tuple[float, int, str]]) -> Iterator[tuple[float, int, str]]:
    """Entries of a heap that are not above a limit, in no order; hardly any other is looked at."""
    indices = [0]
    while indices:
        index = indices.pop()
        if index < len(heap) and heap[index][0] <= limit:
            yield heap[index]
            indices += (2 * index + 1, 2 * index + 2)
