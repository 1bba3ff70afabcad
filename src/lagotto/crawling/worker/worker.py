"""The worker: lease, fetch, parse, judge, score, learn, commit, over and over.

One asyncio loop. Visits run at the same time. Those that end within a few milliseconds are judged, scored,
learned and committed as one batch, in the order in which they ended. Only the loop itself calls the store.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from msgspec import Struct

from lagotto.base.batch import Batch, Committed, Place, Spent
from lagotto.base.errors import SeedError, StaleEpoch
from lagotto.base.protocols import WorkerStore
from lagotto.base.records import Fetched, Outcome, Reason
from lagotto.crawling.cluster.offers import COMPARE
from lagotto.crawling.cluster.sharing import Sharing
from lagotto.crawling.frontier import Frontier
from lagotto.crawling.worker import events
from lagotto.crawling.worker.conclude import Conclusions, look_up
from lagotto.crawling.worker.events import Listeners
from lagotto.crawling.worker.memory import Memory, as_scores
from lagotto.crawling.worker.process import collecting_seldom
from lagotto.crawling.worker.seeding import SeedWatch
from lagotto.crawling.worker.statistics import Budget, Limits, Statistics, WorkingTime
from lagotto.crawling.worker.under_way import UnderWay
from lagotto.crawling.worker.visit import Visit, Visitor
from lagotto.focus.strategies.base import Revision

MOMENT = 0.004
"""Seconds that a lease waits for a better host while visits run."""
POLL = 0.5
"""Seconds after which a worker that commits nothing looks for commands."""
SLOW = 0.3
"""Seconds without a lease from which on others do not wait for a worker that has no request left."""
EMPTY = "the frontier is empty"
"""Why a crawl ends that has nothing left to fetch."""
HOSTS_GONE = "only hosts that do not answer are left"
"""Why a crawl ends that has links left, but on dead hosts only."""
JUDGE_EVERY = 100
"""Pages between two questions to the strategy whether to stop."""


class Clock(Struct, frozen=True):
    """Where the time comes from."""

    now: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time


class Stages(Struct):
    """The parts of a worker that a page passes through."""

    frontier: Frontier
    visitor: Visitor
    conclusions: Conclusions
    memory: Memory
    seeds: SeedWatch


class Worker:
    """Crawls until the budget is used, the frontier is empty or `stop` is called."""

    def __init__(
        self,
        store: WorkerStore,
        stages: Stages,
        limits: Limits,
        *,
        statistics: Statistics,
        budget: Budget | None = None,
        listeners: Listeners | None = None,
        clock: Clock | None = None,
        sharing: Sharing | None = None,
    ) -> None:
        """`budget` is that of this run alone, instead of the one in `limits`, which commands change.

        `sharing` is this worker's part in a crawl that it shares with others.
        """
        self.store = store
        self.sharing = sharing
        self.frontier = stages.frontier
        self.visitor = stages.visitor
        self.conclusions = stages.conclusions
        self.memory = stages.memory
        self.seeds = stages.seeds
        self.limits = limits
        self.budget: Budget = budget or limits
        self.statistics = statistics
        self.listeners = listeners or Listeners()
        self.now = (clock or Clock()).now
        self.spent = Spent()
        """What all workers of the crawl have used together."""
        self._wake = asyncio.Event()
        self._under_way = UnderWay(stages.visitor, stages.conclusions.scope, self.wake)
        self._stopping = ""
        self._ends_everywhere = False
        self._judge_at = JUDGE_EVERY
        self._idle = False
        self._leased_at = -math.inf
        self._working = WorkingTime(self.now)
        self._seconds_told = 0.0
        """Time at work that the store knows of."""
        self._look_at = -math.inf

    def stop(self, why: str, *, everywhere: bool = False) -> None:
        """Lease nothing more; running visits may finish. Other workers stop as well if `everywhere`."""
        self._stopping = self._stopping or why
        self._ends_everywhere = self._ends_everywhere or everywhere
        self.wake()

    @property
    def paused(self) -> bool:
        """Whether nothing is leased for now."""
        return self._working.paused

    def pause(self) -> None:
        """Lease nothing until `go_on`; what is under way is finished, and the time does not count."""
        self._working.pause()

    def go_on(self) -> None:
        """Lease again after `pause`."""
        self._working.go_on()
        self.wake()

    def wake(self) -> None:
        """End the wait for the next event: there may be something to do."""
        self._wake.set()

    async def run(self) -> str:
        """Crawl; returns why it ended, as a sentence."""
        self._working.start()
        self.spent = await self.store.spent()
        with collecting_seldom():
            why = await self._crawl()
        if self.sharing is not None:
            await self.sharing.finish(self, why if self._ends_everywhere else "")
        await self.memory.snapshot()
        self.listeners.tell(events.Finished(why))
        return why

    async def _crawl(self) -> str:
        why = ""
        try:
            while not why:
                if self._under_way.broken is not None:
                    raise self._under_way.broken
                try:
                    why = await self._turn()
                except StaleEpoch as error:
                    await self._lose(error)
                if not why:
                    await self._sleep()
            if self.sharing is not None:
                await self.sharing.withdraw()
            await self._under_way.finish()
            await self._settle()
        finally:
            await self._under_way.cancel()
        return why

    async def _turn(self) -> str:
        """Commit what has come, then start visits; returns why the crawl is over, once it is."""
        await self._under_way.gather(self.limits.concurrency)
        await self._settle()
        if self.now() >= self._look_at:
            await self._take_commands()
        if self.sharing is not None:
            await self.sharing.go_on(self)
        if self._stopping or self.paused:
            return self._stopping
        if why := self._limit_reached():
            self.stop(why, everywhere=True)
            return why
        return await self._launch()

    async def _lose(self, error: StaleEpoch) -> None:
        """Go on without shards that another worker has taken; what is leased there is not ours any more."""
        if self.sharing is None:
            raise error
        await self.sharing.lose(self, error.shards)

    def _limit_reached(self) -> str:
        return self.budget.used_up(self.spent, self.visitor.requests, self._working.seconds)

    async def _launch(self) -> str:
        """Start visits while the limits allow it; returns why the crawl is over, if nothing is left to do."""
        while self._room():
            await self.frontier.fill()
            if self._holds_back():
                break
            if self.frontier.dry and not self.frontier.in_flight and await self._expand_shelf():
                continue  # Pages on the shelf come before dead ends.
            lease = self.frontier.lease(patient=self._patient())
            if lease is None:
                break
            self._idle = False
            self._leased_at = self.now()
            self._under_way.start(lease)
        if self.frontier.in_flight or await self._expand_shelf():
            return ""
        if complaint := self.seeds.complaint():
            if self.sharing is not None:
                await self.sharing.end(complaint)
            raise SeedError(complaint)
        why = self.nothing_left()
        if why and self.sharing is not None:
            self._ends_everywhere = self.sharing.over
            return why if self.sharing.over else ""
        return why

    def nothing_left(self) -> str:
        """Why no link will ever be leased again; empty if one may be."""
        wait = self.frontier.wait()
        if wait is None:
            return "" if self._under_way.any else EMPTY
        if wait and not self.frontier.dry and self.visitor.all_gone(self.frontier.waiting_hosts()):
            return HOSTS_GONE
        return ""

    def _room(self) -> bool:
        """Whether one more lease is allowed now."""
        if self.paused or self.listeners.behind() or (self.sharing is not None and not self.sharing.safe):
            return False
        running, in_flight = len(self._under_way), self.frontier.in_flight
        return self.limits.allow_one_more(running, in_flight) and self.budget.covers_one_more(
            self.spent, self.visitor.requests + running, in_flight
        )

    async def _sleep(self) -> None:
        """Wait until a visit ends or the next host's turn comes."""
        wait = self.frontier.wait() if self._room() else None
        held_back = wait == 0.0
        if held_back:
            turn = self.frontier.next_turn()
            left = self._leased_at + self.limits.patience - self.now()
            wait = max(MOMENT, left if turn is None else min(left, turn))
        if held_back and self._holds_back():
            wait = COMPARE
        if self.budget.seconds and not self.paused:
            left = self.budget.seconds - self._working.seconds
            wait = left if wait is None else min(wait, left)
        comparing = self.sharing is not None and self.sharing.compares(self)
        longest = COMPARE if comparing else POLL
        polling = wait is None or wait > longest
        try:
            async with asyncio.timeout(longest if polling else wait):
                await self._wake.wait()
        except TimeoutError:
            if not polling:
                self._idle = held_back
            elif not comparing:
                self._look_at = -math.inf
            return
        self._wake.clear()

    async def _take_commands(self) -> None:
        self._look_at = self.now() + POLL
        await self.listeners.take_commands()

    def best_offer(self) -> Place | None:
        """Where the best link stands that this worker could lease now, or in a moment."""
        used_up = self.budget.pages and self.spent.pages + self.frontier.in_flight >= self.budget.pages
        full = len(self._under_way) >= self.limits.concurrency and self.now() > self._leased_at + SLOW
        return None if used_up or full else self.frontier.coming_place()

    def could_lease(self) -> bool:
        """Whether a host's turn has come and one more request is allowed."""
        return self.frontier.wait() == 0.0 and self._room()

    def _holds_back(self) -> bool:
        """Whether links wait because another worker has clearly better ones."""
        return self.sharing is not None and self.sharing.holds_back(self.frontier.ready_place())

    def _patient(self) -> bool:
        """Whether the next lease waits for hosts with better links."""
        return self.now() < self._leased_at + self.limits.patience if self.limits.patience else not self._idle

    async def _settle(self) -> None:
        """Judge, score, learn and commit all visits that have ended."""
        arrived, sitemaps = self._under_way.take()
        if not arrived and not sitemaps:
            return
        visits = self._ours(arrived)
        outcomes = await self._conclude(visits)
        revisions = self.memory.revisions()
        batch = Batch(
            outcomes=outcomes,
            seeds=sitemaps,
            scores=as_scores(revisions),
            host_waits=self.visitor.take_host_waits(),
            content_seen=self.conclusions.content_seen,
        )
        try:
            await self.commit(batch, revisions)
        except StaleEpoch:
            self._refused(visits)
            raise
        await self.memory.snapshot_if_due(self.spent.pages)
        await self._take_commands()
        if self.budget.stop_by_itself and self.leads and self.spent.pages >= self._judge_at:
            self._judge_at = self.spent.pages + JUDGE_EVERY
            if why := self.memory.stop_reason():
                self.stop(why, everywhere=True)

    def _refused(self, visits: Sequence[Visit]) -> None:
        """A commit was refused: its links are queued still, and its answers are not kept."""
        self.frontier.settle([visit.lease for visit in visits], [])
        self.frontier.reload({visit.lease.host for visit in visits})
        self.listeners.unkeep()

    def _ours(self, visits: list[Visit]) -> list[Visit]:
        """Visits that may be committed; what is in shards of other workers is forgotten."""
        if self.sharing is None:
            return visits
        holds = self.sharing.holds
        self.frontier.settle([visit.lease for visit in visits if not holds(visit.lease.host)], [])
        return [visit for visit in visits if holds(visit.lease.host)]

    async def rest(self, seconds: float) -> None:
        """Wait, but not longer than until something happens."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        self._wake.clear()

    @property
    def leads(self) -> bool:
        """Whether this worker takes commands and keeps snapshots: alone, or first among others."""
        return self.sharing is None or self.sharing.leads

    async def _conclude(self, visits: Sequence[Visit]) -> list[Outcome]:
        """Turn visits into outcomes, learn from each, and keep the answers."""
        contents = await look_up(self.store, visits)
        outcomes = []
        for visit in visits:
            outcome = self.conclusions.conclude(visit, contents)
            self.conclusions.count(outcome)
            outcome.sample = self.memory.learn(outcome)
            if (
                self.listeners.keep is not None
                and isinstance(visit.answer, Fetched)
                and outcome.reason not in (Reason.NOINDEX, Reason.OPT_OUT)
            ):
                outcome.warc = self.listeners.keep(visit.answer)
            outcomes.append(outcome)
        return outcomes

    async def commit(self, batch: Batch, revisions: Sequence[Revision] = ()) -> Committed:
        """Commit a batch, then update frontier and statistics and tell the listeners."""
        now, seconds = self.now(), self._working.seconds
        batch.seconds, self._seconds_told = seconds - self._seconds_told, seconds
        fetched = sum(outcome.status == 200 for outcome in batch.outcomes)
        batch.versions = [*batch.versions, *self.memory.table_versions(self.statistics.pages + fetched)]
        committed = await self.store.commit(batch)
        if self.sharing is not None:
            self.sharing.counted.update(outcome.lease.id for outcome in batch.outcomes)
        self.spent = committed.spent
        self.statistics.known += committed.new
        self.frontier.settle([outcome.lease for outcome in batch.outcomes], committed.added)
        self.frontier.revise(zip((link.host for link in revisions), batch.scores, strict=True))
        for outcome in batch.outcomes:
            if outcome.lease.id in committed.duplicates:
                outcome.reason, outcome.judgement = Reason.DUPLICATE, None
            self.statistics.add(outcome, now)
            self._tell(outcome, committed)
        return committed

    def _tell(self, outcome: Outcome, committed: Committed) -> None:
        lease = outcome.lease
        if why := self.seeds.failure(outcome):
            self.listeners.tell(events.SeedFailed(lease.url, why))
        if outcome.retry_at is None:
            self.listeners.tell(events.page_done(outcome, committed.pages.get(lease.id, 0)))
        else:
            self.frontier.defer(lease)
            self.listeners.tell(events.Deferred(lease.url, outcome.reason, outcome.retry_at))

    async def _expand_shelf(self) -> bool:
        """Release the links of the best shelved page, once all links released before are done."""
        dry = self.frontier.dry
        if (self.frontier.wait() == 0.0 and not dry) or not self.leads:
            return False
        shelf = await self.store.shelf()
        if shelf.best is None or (shelf.barrier and not (dry or self.nothing_left())):
            return False
        page_id, url, rank = shelf.best
        committed = await self.memory.expand(page_id)
        self.frontier.settle([], committed.added)
        self.listeners.tell(events.Expanded(url, rank, len(committed.added)))
        self.wake()
        return True
