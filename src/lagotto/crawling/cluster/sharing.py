"""A worker's part in a crawl that it shares with others: links and samples come, shards come and go."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from math import inf
from typing import TYPE_CHECKING

from lagotto.base.batch import Batch, Place
from lagotto.base.urls import shard_of
from lagotto.crawling.cluster.membership import Membership
from lagotto.crawling.cluster.offers import Offers, comes_later
from lagotto.crawling.cluster.shared_memory import SharedMemory

if TYPE_CHECKING:
    from lagotto.crawling.worker.worker import Worker

_log = logging.getLogger(__name__)
LOOK = 0.2
"""Seconds between two looks for links and samples of other workers."""
IDLE_BEAT = 0.5
"""Seconds between two signs of life of a worker that has nothing to do, or waits for others to end."""


class Sharing:
    """Keeps a worker in step with the others; the worker calls it between its commits."""

    def __init__(
        self,
        membership: Membership,
        memory: SharedMemory,
        recount: Callable[[set[int]], None],
        counted: set[int],
        *,
        in_order: bool = True,
    ) -> None:
        """`recount` counts the pages that other workers have fetched in shards that were taken over, but
        not those that are in `counted`.

        `in_order`: while pages are limited, links wait for better ones of other workers, so that all
        together lease links in about the order in which one worker would.
        """
        self.membership = membership
        self.memory = memory
        self.over = False
        """Whether no worker has anything left to do."""
        self._recount = recount
        self.counted = counted
        self._arrived: int | None = None
        self._look_at = -inf
        self._in_order = in_order
        self._offers = Offers(membership.store, membership.now)
        self._news = False

    async def begin(self) -> None:
        """Note which links are there; call it before the frontier is filled."""
        self._arrived = (await self.membership.store.arrivals(None)).last

    @property
    def leads(self) -> bool:
        """Whether this worker takes commands and keeps snapshots."""
        return self.membership.leads

    @property
    def safe(self) -> bool:
        """Whether the lease surely holds, so that hosts may be asked."""
        return self.membership.safe

    def holds(self, host: str) -> bool:
        """Whether what was fetched from a host may be committed."""
        return shard_of(host) in self.membership.held

    def look(self, urgent: bool) -> None:
        """Others have sent links, or, if it is urgent, more than that."""
        self._news = True
        if urgent:
            self.membership.due = 0.0

    async def go_on(self, worker: Worker) -> None:
        """Take in what others have brought, and give a sign of life when it is due."""
        now = worker.now()
        news, self._news = self._news, False
        if news or now >= self._look_at:
            self._look_at = now + LOOK
            await self._catch_up(worker)
        await self._compare(worker)
        if now < self.membership.due:
            return
        idle = await self._has_nothing_left(worker)
        before = set(self.membership.held)
        came = await self.membership.beat(self._arrived if idle else None)
        if idle:
            self.membership.due = worker.now() + IDLE_BEAT
        census = self.membership.census
        worker.spent = census.spent
        self.over = idle and census.over
        if census.ended:
            worker.stop(census.ended, everywhere=True)
        if came:
            self._recount(set(self.membership.held) - before)
            worker.visitor.hold(await worker.store.host_waits())
            await worker.frontier.load()
        if self.membership.leaving:
            await self._give_up(worker)

    async def _has_nothing_left(self, worker: Worker) -> bool:
        """Whether this worker has nothing to do, and nothing that others could do.

        Hosts of shards that are about to be given up are hidden from the frontier, but their links are still
        there. Pages on the shelf hold links that only the leading worker releases.
        """
        if worker.frontier.in_flight or self.membership.leaving or not worker.nothing_left():
            return False
        return not self.leads or (await worker.store.shelf()).best is None

    def holds_back(self, place: Place | None) -> bool:
        """Whether a link waits, as another worker could lease a better one for the same budget."""
        best = self._offers.best
        return best is not None and place is not None and comes_later(place, best)

    def compares(self, worker: Worker) -> bool:
        """Whether links here wait for better ones of others, and theirs for those here."""
        return self._in_order and bool(worker.limits.pages) and not self.membership.alone

    async def withdraw(self) -> None:
        """This worker leases nothing more, so nobody needs to wait for its links."""
        await self._offers.withdraw()

    async def _compare(self, worker: Worker) -> None:
        """Tell the others how good the best link here is, and hear of theirs."""
        if not self.compares(worker):
            self._offers.best = None
            return
        could_lease = worker.could_lease()
        if self._offers.due(could_lease=could_lease):
            await worker.frontier.fill()  # Hosts have no place before their links are read.
            await self._offers.exchange(worker.best_offer(), could_lease=could_lease)

    async def _catch_up(self, worker: Worker) -> None:
        arrivals = await self.membership.store.arrivals(self._arrived)
        self._arrived = arrivals.last
        worker.frontier.settle([], arrivals.links)
        if not arrivals.complete:
            _log.info("links that this worker had not taken in are removed; it reads its queue again")
            await worker.frontier.load()
        await self.memory.catch_up()

    async def _give_up(self, worker: Worker) -> None:
        """Give up what is too much, once nothing of it is in flight; say which hosts must wait longer."""
        frontier, leaving = worker.frontier, self.membership.leaving
        frontier.look_again([host for host in frontier.host_names() if shard_of(host) in leaving])
        if any(shard_of(host) in leaving for host in frontier.leased_hosts()):
            self.membership.due = worker.now() + IDLE_BEAT
            return
        now, wall, usual = worker.now(), self.membership.wall(), self.membership.delay
        waits = {
            host: wall + until - now
            for host, until in frontier.turns.waiting(now + usual)
            if shard_of(host) in leaving
        }
        if waits:
            await worker.commit(Batch(host_waits=waits))
        await self.membership.give_up()

    async def lose(self, worker: Worker, shards: tuple[int, ...]) -> None:
        """Others have taken shards from this worker; go on without them."""
        _log.warning("a commit was refused: other workers have taken %d shards", len(shards))
        await self.membership.lose(shards)
        await self.memory.rejoin()
        await worker.frontier.load()

    async def end(self, why: str) -> None:
        """Tell all workers that the crawl has ended."""
        await self.membership.store.end(why)

    async def finish(self, worker: Worker, why: str) -> None:
        """Tell all workers why the crawl has ended, if it has; whoever leads waits until they are gone."""
        if why:
            await self.end(why)
            while self.leads and not self.membership.alone:
                await worker.rest(IDLE_BEAT)
                await self.membership.beat(self._arrived)
        await self.memory.catch_up()


def waker(worker: Worker) -> Callable[[bool], None]:
    """A function that any thread may call when other workers or users have sent something."""
    loop = asyncio.get_running_loop()

    def look(urgent: bool) -> None:
        if worker.sharing is not None:
            worker.sharing.look(urgent)
        worker.wake()

    def wake(urgent: bool) -> None:
        with suppress(RuntimeError):  # The loop may just have been closed.
            loop.call_soon_threadsafe(look, urgent)

    return wake
