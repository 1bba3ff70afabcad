"""The best queued links of one host, in memory, and those that are leased; the others stay in the store."""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping

from msgspec.structs import replace

from lagotto.base.batch import HostHeads, Place, Score
from lagotto.base.records import Lease


def order(lease: Lease) -> Place:
    """Sort key: highest score first, then order of discovery."""
    return (-lease.score, lease.seq)


class Heads:
    """A sorted prefix of a host's queue.

    While `more` is set, the store may hold further links that are worse than the last one here. A new link
    that is worse than the last one is then not added, as others may come before it.

    A link that is here, queued or leased, has its score from here and from nowhere else in memory.
    """

    __slots__ = ("first", "leased", "links", "more", "retry_at", "unknown")

    def __init__(self, first: Place | None = None, *, more: bool = False) -> None:
        self.links: list[Lease] = []
        self.leased: dict[int, Lease] = {}
        """Links taken and not settled, with the scores that count if they are given back."""
        self.more = more
        self.first = first
        """Place of the best link, while no link has been read from the store."""
        self.unknown = False
        """Whether scores changed in the store, so that `first` is not known either."""
        self.retry_at: float | None = None
        """Wall-clock time of the host's next retry, as of the last reading."""

    def __len__(self) -> int:
        return len(self.links)

    @property
    def best(self) -> Lease | None:
        """The link to lease next."""
        return self.links[0] if self.links else None

    @property
    def place(self) -> Place | None:
        """Place of the link to lease next, whether it has been read or not."""
        return order(self.links[0]) if self.links else self.first

    def offer(self, lease: Lease, room: int) -> None:
        """Add a link that was just queued, or whose score just rose."""
        if lease.id in self.leased:
            self.leased[lease.id] = lease
            return
        if self.first is not None:
            self.first = min(self.first, order(lease))
        self.remove(lease.id)
        if self.more and (not self.links or order(lease) > order(self.links[-1])):
            return
        insort(self.links, lease, key=order)
        if len(self.links) > room:
            self.links.pop()
            self.more = True

    def forget(self) -> None:
        """Drop all links, as their scores changed in the store."""
        self.fill([], more=True)
        self.unknown = True

    def revise(self, scores: Mapping[int, Score]) -> None:
        """Give links other scores and parts, as was done in the store.

        If a link that is not here may now be better than the last one that is, all links are dropped.
        """
        for id in scores.keys() & self.leased.keys():
            self.leased[id] = _with_score(self.leased[id], scores[id])
        if self.unknown:
            return
        last = order(self.links[-1]) if self.links and self.more else None
        here = {lease.id for lease in self.links}
        beyond = not self.links and self.more
        for id, revised in scores.items():
            if id not in here and id not in self.leased and (last is None or -revised.score <= last[0]):
                beyond = True
        if beyond:
            self.forget()
            return
        links = (_with_score(lease, scores.get(lease.id)) for lease in self.links)
        self.links = sorted((lease for lease in links if last is None or order(lease) <= last), key=order)
        self.unknown = self.more and not self.links

    def start_from(self, first: Place | None) -> None:
        """Links are read from the store again; the best one has this place, if it is known."""
        self.fill([], more=True)
        self.first, self.retry_at = first, None

    def know(self, found: HostHeads) -> None:
        """Keep the place of the best link, as the store returned it."""
        self.fill([], more=found.next_retry is not None)
        self.first = found.place
        self.retry_at = found.next_retry

    def fill(self, leases: list[Lease], more: bool) -> None:
        """Replace the heads by what the store holds."""
        self.links = leases
        self.more = more
        self.first = None
        self.unknown = False

    def take(self) -> Lease:
        """Lease the best link."""
        lease = self.links.pop(0)
        self.leased[lease.id] = lease
        return lease

    def give_back(self, id: int) -> None:
        """Queue a leased link again, unless the links are read from the store next anyway."""
        lease = self.leased.pop(id)
        if self.first is not None:
            self.first = min(self.first, order(lease))
        elif self.links or not self.more:
            insort(self.links, lease, key=order)

    def remove(self, link_id: int) -> None:
        """Forget a link, if it is here."""
        self.links = [lease for lease in self.links if lease.id != link_id]


def _with_score(lease: Lease, revised: Score | None) -> Lease:
    """The link with another score, if it has one."""
    return lease if revised is None else replace(lease, score=revised.score, parts=revised.parts)
