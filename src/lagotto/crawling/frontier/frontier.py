"""The frontier: chooses a host whose turn it is, then the best link of that host.

Only `load` and `fill` read from the store, many hosts in one call. All other methods work in memory.

The score of a queued or leased link has one owner in memory, the `Heads` of its host. `Places` holds only the
key of each host's best link, and `_schedule` writes it anew after every change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice
from math import inf

from lagotto.base.batch import HostHeads, Place, Score
from lagotto.base.protocols import WorkerStore
from lagotto.base.records import Lease
from lagotto.crawling.frontier.dead_ends import DeadEnds, is_last_resort
from lagotto.crawling.frontier.heads import Heads
from lagotto.crawling.frontier.places import Entry, Places
from lagotto.crawling.frontier.turns import Turns

HEADS_IN_RAM = 50_000
"""Links kept in memory for all hosts; each host gets an equal share, from 1 to 64."""

SOON = 10.0
"""Seconds within which the turn of a host with clearly better links is worth waiting for."""

WORTH_WAITING = 60.0
"""Seconds within which the turn of a host that gives pages is awaited before dead ends are tried."""

READ_AT_ONCE = 8
"""Links of a host that are read together; few, as new scores may soon change their order."""

SHOWN_OF = 50
"""Hosts among which `best` looks for a link to show."""


class Frontier:
    """Leases the best link among hosts whose turn it is."""

    def __init__(
        self,
        store: WorkerStore,
        turns: Turns,
        *,
        now: Callable[[], float],
        wall: Callable[[], float],
        delay_of: Callable[[Lease], float],
        pages_left: Callable[[str], float] = lambda _: inf,
        clearly_better: float = inf,
        boosts: Mapping[str, float] | None = None,
        dead_ends: DeadEnds | None = None,
    ) -> None:
        """`clearly_better` is the difference of scores from which a patient lease waits for a host's turn.

        `boosts` are added to the scores of hosts' links when hosts are compared; they may change.
        `dead_ends` knows the hosts whose links wait until others run dry.
        """
        self.store = store
        self.turns = turns
        self.now = now
        self.wall = wall
        self.delay_of = delay_of
        self.pages_left = pages_left
        self.clearly_better = clearly_better
        self.boosts = {} if boosts is None else boosts
        self.dead_ends = dead_ends or DeadEnds()
        self._heads: dict[str, Heads] = {}
        self._unread: set[str] = set()
        """Hosts whose links must be read from the store before they have a place."""
        self._places = Places()
        self.in_flight = 0
        """Links leased and not settled."""
        self._last_resorts: set[int] = set()
        """Those of them that were leased because others had run dry."""

    async def load(self) -> None:
        """Take in the hosts of the store; their links are read when their turn comes.

        May be called again when any number of queued links came or went in the store.
        """
        found = await self.store.hosts()
        for host in self._heads.keys() - found.keys():
            self._heads[host].fill([], more=False)
            self._schedule(host)
        for host, first in found.items():
            self._heads.setdefault(host, Heads()).start_from(first)
            self._schedule(host)

    async def fill(self) -> None:
        """Read from the store what the next lease needs; call it before every `lease`."""
        for host in self._places.take_due(self.now()):
            self._schedule(host)
        for host in self.dead_ends.take_due():
            self._schedule(host)
        while wanted := self._wanted():
            found = await self.store.heads(wanted, self.wall())
            for host, count in wanted.items():
                self._take_in(host, count, found[host])

    @property
    def hosts(self) -> int:
        """Hosts that have links queued."""
        return len(self._heads)

    def lease(self, *, patient: bool = False) -> Lease | None:
        """Take the best link of all hosts whose turn it is, or None while every host must wait.

        A patient lease also waits for hosts with better links whose request is about to end, and for hosts
        with clearly better links whose turn comes soon.
        """
        while (entry := self._places.top()) is not None:
            now = self.now()  # As placing a host does: with an older time it could be placed without end.
            host = entry[-1]
            heads = self._heads[host]
            if heads.first is not None or (patient and self._better_is_coming(entry, now)):
                return None
            if is_last_resort(entry[0]) and self._others_may_come(now):
                return None
            self._places.take_top()
            if self.turns.ready_at(host, now) > now or self._standing(host, heads) != entry[:2]:
                self._schedule(host)
                continue
            lease = heads.take()
            self.in_flight += 1
            if is_last_resort(entry[0]):
                self._last_resorts.add(lease.id)
            self.turns.start(host, self.delay_of(lease), now)
            self._schedule(host)
            return lease
        return None

    def ready_place(self) -> Place | None:
        """Where the best link stands of all hosts whose turn it is; None while every host must wait."""
        entry = self._places.top()
        return None if entry is None else entry[:2]

    def coming_place(self) -> Place | None:
        """Like `ready_place`, but with hosts that are being asked and may be asked again at once."""
        places = list(self._places_of(self.turns.being_asked(self.now())))
        ready = self.ready_place()
        return min(places if ready is None else [*places, ready], default=None)

    def best(self) -> Lease | None:
        """One of the next links to be leased; None if none is in memory."""
        hosts = self._places.ready_hosts(SHOWN_OF)
        return next((best for host in hosts if (best := self._heads[host].best) is not None), None)

    def wait(self) -> float | None:
        """Seconds until some host's turn comes; None if no waiting host has links."""
        ready = self._places.top() is not None
        if ready and self.dry and self._others_may_come(self.now()):
            ready = False
        return 0.0 if self._unread or ready else self.next_turn()

    @property
    def dry(self) -> bool:
        """Whether all hosts whose turn it is are dead ends, as far as is known."""
        entry = self._places.top()
        return entry is not None and is_last_resort(entry[0])

    def next_turn(self) -> float | None:
        """Seconds until the turn of a host that must wait comes; None if no such host has links."""
        turn = self._places.first_turn()
        return None if turn is None else max(0.0, turn - self.now())

    def waiting_hosts(self) -> Iterator[str]:
        """Hosts that have links and wait for their turn."""
        return self._places.waiting_hosts()

    def host_names(self) -> list[str]:
        """All hosts that have links queued or leased."""
        return list(self._heads)

    def leased_hosts(self) -> list[str]:
        """Hosts that have leased links."""
        return [host for host, heads in self._heads.items() if heads.leased]

    def give_back(self, lease: Lease, sent_at: float = 0.0) -> None:
        """End a lease without an outcome: its host was asked for something else first, or must wait."""
        self._heads[lease.host].give_back(lease.id)
        self._ended(lease)
        self.asked(lease, sent_at)

    def asked(self, lease: Lease, sent_at: float) -> None:
        """The request of a lease has ended; the host's next turn counts from `sent_at`."""
        self.end_turn(lease.host, sent_at, self.delay_of(lease))

    def take_turn(self, host: str, delay: float) -> bool:
        """Take the host's turn for a request without a lease, such as robots.txt; False if it must wait.

        Then the host's links wait for a moment, so that the next call finds the host free.
        """
        now = self.now()
        if self.turns.free_at(host, now) > now:
            self.turns.yield_next(host)
            self._schedule(host)
            return False
        self.turns.start(host, delay, now)
        return True

    def end_turn(self, host: str, sent_at: float, delay: float) -> None:
        """The request that took the turn has ended."""
        self.turns.done(host, sent_at, delay)
        self._schedule(host)

    def settle(self, leases: Iterable[Lease], added: Iterable[Lease]) -> None:
        """Forget the leases of committed outcomes, and add the links that they brought."""
        hosts = set()
        for lease in leases:
            del self._heads[lease.host].leased[lease.id]
            self._ended(lease)
            hosts.add(lease.host)
        room = self._room()
        for link in added:
            self._heads.setdefault(link.host, Heads()).offer(link, room)
            hosts.add(link.host)
        for host in sorted(hosts):
            self._schedule(host)

    def reload(self, hosts: Iterable[str]) -> None:
        """Forget the links of hosts, which may be others in the store."""
        for host in hosts:
            heads = self._heads.get(host)
            if heads is not None:
                heads.forget()
                self._schedule(host)

    def revise(self, scores: Iterable[tuple[str, Score]]) -> None:
        """Links of these hosts have other scores now, in the store as well."""
        of_hosts: dict[str, dict[int, Score]] = {}
        for host, score in scores:
            of_hosts.setdefault(host, {})[score.id] = score
        for host, of_host in of_hosts.items():
            heads = self._heads.get(host)
            if heads is not None:
                heads.revise(of_host)
                self._schedule(host)

    def look_again(self, hosts: Iterable[str]) -> None:
        """The rules for these hosts changed: place them anew, also those that had nothing to give before."""
        for host in hosts:
            self._heads.setdefault(host, Heads()).forget()
            self._schedule(host)

    def defer(self, lease: Lease) -> None:
        """A committed outcome deferred the link; the store knows until when."""
        heads = self._heads.setdefault(lease.host, Heads())
        heads.more = True
        self._schedule(lease.host)

    def _ended(self, lease: Lease) -> None:
        self.in_flight -= 1
        self._last_resorts.discard(lease.id)

    def _others_may_come(self, now: float) -> bool:
        """Whether hosts that are no dead ends are being asked, or have links and their turn comes soon."""
        if self.in_flight > len(self._last_resorts):
            return True
        soon = self._places.waiting_until(now + WORTH_WAITING)
        return any(not is_last_resort(place[0]) for place in self._places_of(soon))

    def _better_is_coming(self, entry: Entry, now: float) -> bool:
        """Whether to wait for another host instead of leasing from the host of this entry."""
        if any(place < entry[:2] for place in self._places_of(self.turns.being_asked(0.0))):
            return True
        if self.clearly_better == inf:
            return False
        soon = now + SOON
        hosts = chain(self.turns.being_asked(soon), self._places.waiting_until(soon))
        return any(place[0] <= entry[0] - self.clearly_better for place in self._places_of(hosts))

    def _places_of(self, hosts: Iterable[str]) -> Iterator[tuple[float, int]]:
        """Places of the best links of hosts."""
        for host in hosts:
            heads = self._heads.get(host)
            if heads is not None and (place := self._standing(host, heads)) is not None:
                yield place

    def _standing(self, host: str, heads: Heads) -> Place | None:
        """Where the host's best link stands among those of other hosts."""
        place = heads.place
        if place is None:
            return None
        if host in self.boosts:
            place = place[0] - self.boosts[host], place[1]
        return self.dead_ends.place(host, place)

    def _room(self) -> int:
        return max(1, min(64, HEADS_IN_RAM // max(1, len(self._heads))))

    def _wanted(self) -> dict[str, int]:
        """Hosts to read now -> how many links; 0 where only the place of the best link is needed."""
        while (entry := self._places.top()) is not None and self._must_wait(entry[-1]):
            self._places.take_top()
            self._schedule(entry[-1])
        wanted = {host: 0 if self._heads[host].unknown else self._count(host) for host in self._unread}
        if not wanted and entry is not None and self._heads[entry[-1]].first is not None:
            wanted[entry[-1]] = self._count(entry[-1])
            for host in islice(self._places.ready_hosts(4 * self.store.read_ahead - 3), 1, None):
                if len(wanted) < self.store.read_ahead and self._heads[host].first:
                    wanted[host] = self._count(host)
        return wanted

    def _must_wait(self, host: str) -> bool:
        now = self.now()
        return self.turns.ready_at(host, now) > now

    def _count(self, host: str) -> int:
        """Links to read; leased links are among them, as they are still queued in the store."""
        return min(self._room(), READ_AT_ONCE) + len(self._heads[host].leased)

    def _take_in(self, host: str, count: int, found: HostHeads) -> None:
        """Add what the store returned for a host, and give the host its place."""
        self._unread.discard(host)
        heads = self._heads.get(host)
        if heads is None:
            return
        if count:
            links = [lease for lease in found.links if lease.id not in heads.leased]
            heads.fill(links, more=len(found.links) == count or found.next_retry is not None)
            heads.retry_at = found.next_retry
        else:
            heads.know(found)
        self._put_in_place(host, heads)

    def _schedule(self, host: str) -> None:
        """Give the host its place, or mark it to be read first."""
        heads = self._heads.get(host)
        if heads is None:
            return
        if self.pages_left(host) <= 0:
            heads.fill([], more=False)
        if heads.place is None and heads.more:
            self._unread.add(host)
        else:
            self._unread.discard(host)
            self._put_in_place(host, heads)

    def _put_in_place(self, host: str, heads: Heads) -> None:
        """Move the host to `ready` or `waiting`, or to neither."""
        now = self.now()
        ready_at = self.turns.ready_at(host, now) if self.pages_left(host) > len(heads.leased) else inf
        place = self._standing(host, heads)
        if place is None:
            ready_at = max(ready_at, self._next_retry(heads))
            if not heads.more and not heads.leased:
                del self._heads[host]
                self.turns.forget(host)
        if ready_at == inf:
            self._places.forget(host)
        elif place is not None and ready_at <= now:
            self._places.is_ready(host, place)
        else:
            self._places.waits(host, ready_at)

    def _next_retry(self, heads: Heads) -> float:
        """Monotonic time at which a deferred link of the host is due; infinite if there is none."""
        if not heads.more or heads.leased or heads.retry_at is None:
            return inf
        return self.now() + max(0.0, heads.retry_at - self.wall())
