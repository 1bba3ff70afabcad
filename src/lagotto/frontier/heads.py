"""The best queued links of one host, in RAM; the rest of them stay on disk."""

from __future__ import annotations

from bisect import insort

from lagotto.records import Lease


def order(lease: Lease) -> tuple[float, int]:
    """Sort key: highest score first, then order of discovery."""
    return (-lease.score, lease.seq)


class Heads:
    """A sorted prefix of a host's queue.

    While `more` is set the disk may hold links that are worse than the last head, so a link that
    would come after the last one cannot be taken in without asking the disk.
    """

    __slots__ = ("first", "links", "more")

    def __init__(self, first: tuple[float, int] | None = None, *, more: bool = False) -> None:
        self.links: list[Lease] = []
        self.more = more
        self.first = first
        """Where the best link stands, while none has been read from disk."""

    def __len__(self) -> int:
        return len(self.links)

    @property
    def best(self) -> Lease | None:
        """The link to lease next."""
        return self.links[0] if self.links else None

    @property
    def place(self) -> tuple[float, int] | None:
        """Where the link to lease next stands, whether it has been read or not."""
        return order(self.links[0]) if self.links else self.first

    def offer(self, lease: Lease, room: int) -> None:
        """Take in a link that was just queued, or whose score just rose."""
        if self.first is not None:
            self.first = min(self.first, order(lease))
        self.remove(lease.id)
        if self.more and (not self.links or order(lease) > order(self.links[-1])):
            return
        insort(self.links, lease, key=order)
        if len(self.links) > room:
            self.links.pop()
            self.more = True

    def forget(self, first: tuple[float, int] | None) -> None:
        """What was read no longer holds; the best link on disk stands at `first`, if that is known."""
        self.fill([], more=True)
        self.first = first

    def fill(self, leases: list[Lease], more: bool) -> None:
        """Replace the heads by what the disk holds."""
        self.links = leases
        self.more = more
        self.first = None

    def take(self) -> Lease:
        """Remove and return the best link."""
        return self.links.pop(0)

    def give_back(self, lease: Lease) -> None:
        """Put a leased link back in its place."""
        insort(self.links, lease, key=order)

    def remove(self, link_id: int) -> None:
        """Forget a link, if it is here."""
        self.links = [lease for lease in self.links if lease.id != link_id]
