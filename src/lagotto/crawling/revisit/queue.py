"""Pages that wait for their next visit, given to the worker as if they were the store's queued links."""

from __future__ import annotations

import heapq
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from lagotto.base.batch import (
    Batch,
    Command,
    Committed,
    Content,
    HostHeads,
    Place,
    Restored,
    Seen,
    ShelfState,
    Spent,
)
from lagotto.base.protocols import Reader, WorkerStore
from lagotto.base.records import Found, Lease, Outcome, Revisit
from lagotto.crawling.frontier.heads import order


class _Host:
    """The pages of one host: those that are due in order of their worth, the others by their time."""

    def __init__(self) -> None:
        self.due: list[Lease] = []
        self.later: list[tuple[float, int, Lease]] = []

    def add(self, lease: Lease, at: float) -> None:
        heapq.heappush(self.later, (at, lease.id, lease))

    def release(self, now: float) -> None:
        while self.later and self.later[0][0] <= now:
            insort(self.due, heapq.heappop(self.later)[2], key=order)

    def remove(self, lease: Lease) -> None:
        index = bisect_left(self.due, order(lease), key=order)
        while index < len(self.due) and self.due[index].id != lease.id:
            index += 1
        del self.due[index : index + 1]


class PageQueue:
    """A store whose queue is the pages to visit again; all else is what the crawl's store says.

    Outcomes become revisits. A page that must be tried again waits here, in memory: after a crash it is
    due as it was before. Links that changed pages bring are queued for the crawl, and not visited here.
    """

    read_ahead = 1

    def __init__(
        self,
        store: WorkerStore,
        found_of: Callable[[Outcome], Found],
        *,
        next_visit: Callable[[Lease, Found], tuple[float, float] | None] = lambda *_: None,
        tell: Callable[[Revisit, int], None] = lambda *_: None,
        restores: bool = False,
    ) -> None:
        """`next_visit` says when a page is visited next, and what that is worth; None: not any more.

        `restores`: the pages are visited because their stored answers were lost.
        """
        self.store = store
        self.found_of = found_of
        self.next_visit = next_visit
        self.tell = tell
        self.restores = restores
        self.defer: Callable[[Lease], object] = lambda _: None
        """Tells the frontier that a link waits; given once there is one."""
        self.new_links = 0
        self._spent = Spent()
        self._hosts: dict[str, _Host] = {}

    def add(self, lease: Lease, at: float = 0.0) -> None:
        """A page is due from a wall-clock time on."""
        self._hosts.setdefault(lease.host, _Host()).add(lease, at)

    async def hosts(self) -> dict[str, Place | None]:
        """Hosts that have pages to visit."""
        return dict.fromkeys(self._hosts)

    async def heads(self, wanted: Mapping[str, int], now: float) -> dict[str, HostHeads]:
        """The pages of each host that are most worth a visit."""
        return {host: self._heads(self._hosts.get(host) or _Host(), n, now) for host, n in wanted.items()}

    def _heads(self, host: _Host, n: int, now: float) -> HostHeads:
        host.release(now)
        if host.due:
            return HostHeads(host.due[:n], order(host.due[0]), 0.0)
        return HostHeads(next_retry=host.later[0][0] if host.later else None)

    async def seen(self, contents: Sequence[Content]) -> list[Seen]:
        """Which committed pages have these contents."""
        return await self.store.seen(contents)

    async def shelf(self) -> ShelfState:
        """Nothing leaves the shelf while pages are visited again."""
        return ShelfState()

    async def restore(self) -> Restored:
        """What the crawl has learned."""
        return await self.store.restore()

    async def commands(self) -> list[Command]:
        """Commands that were sent to the crawl and not yet taken."""
        return await self.store.commands()

    async def host_waits(self) -> dict[str, float]:
        """Host -> wall-clock time until which it asked to be left alone."""
        return await self.store.host_waits()

    def reader(self) -> Reader:
        """Look into the crawl."""
        return self.store.reader()

    async def spent(self) -> Spent:
        """What the visits have used."""
        return self._spent

    async def commit(self, batch: Batch) -> Committed:
        """Commit outcomes as revisits."""
        done = [outcome for outcome in batch.outcomes if outcome.retry_at is None]
        revisits = [Revisit(outcome, self.found_of(outcome), self.restores) for outcome in done]
        self._spent.seconds += batch.seconds
        committed = await self.store.commit(
            msgspec.structs.replace(batch, outcomes=[], revisits=revisits, seconds=0.0, content_seen=False)
        )
        self.new_links += committed.new
        self._settle(batch.outcomes, revisits)
        for revisit in revisits:
            self.tell(revisit, committed.pages[revisit.outcome.lease.id])
        return msgspec.structs.replace(committed, added=[], new=0, spent=self._spent)

    def _settle(self, outcomes: Iterable[Outcome], revisits: Iterable[Revisit]) -> None:
        for outcome in outcomes:
            lease = outcome.lease
            self._hosts[lease.host].remove(lease)
            if outcome.retry_at is not None:
                again = msgspec.structs.replace(lease, attempts=lease.attempts + 1)
                self._hosts[lease.host].add(again, outcome.retry_at)
        for revisit in revisits:
            lease = revisit.outcome.lease
            self._spent.pages += 1
            self._spent.bytes += revisit.outcome.size
            following = self.next_visit(lease, revisit.found)
            if following is not None:
                at, worth = following
                self.add(msgspec.structs.replace(lease, attempts=0, score=worth), at)
                self.defer(lease)
