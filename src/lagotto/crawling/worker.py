"""The worker: lease, fetch, parse, judge, score, learn, commit, over and over.

One asyncio loop. Visits run side by side; whatever has arrived when the loop comes round is
judged, scored, learned and committed as one batch, in the order of arrival.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable

from msgspec import Struct

from lagotto.crawling import events
from lagotto.crawling.conclude import THROTTLING, Conclusions
from lagotto.crawling.memory import Memory
from lagotto.crawling.seeding import seed_lease
from lagotto.crawling.statistics import Statistics
from lagotto.crawling.visit import NotYet, Visit, parse_answer, prepare
from lagotto.errors import SeedError
from lagotto.fetch import Delays
from lagotto.frontier import Frontier
from lagotto.records import Failure, Fetched, Lease, Outcome, WarcPlace
from lagotto.seams import Fetcher, Parser, Store

GRACE = 5.0
"""Seconds that visits under way get to finish after a stop was asked for."""


class Budget(Struct, frozen=True):
    """When to stop; 0 means no limit."""

    pages: int = 0
    seconds: float = 0.0
    bytes: int = 0


class Worker:
    """Crawls with what it is given until the budget is used, the frontier is empty or it is stopped."""

    def __init__(
        self,
        *,
        store: Store,
        frontier: Frontier,
        fetcher: Fetcher,
        parser: Parser,
        conclusions: Conclusions,
        memory: Memory,
        delays: Delays,
        statistics: Statistics,
        budget: Budget,
        now: Callable[[], float],
        keep: Callable[[Fetched], WarcPlace | None] | None = None,
        tell: Callable[[events.Event], None] = lambda _: None,
        concurrency: int = 16,
        sitemaps: bool = False,
        obey_robots: bool = True,
        seeds: int = 0,
    ) -> None:
        self.store = store
        self.frontier = frontier
        self.fetcher = fetcher
        self.parser = parser
        self.conclusions = conclusions
        self.memory = memory
        self.delays = delays
        self.statistics = statistics
        self.budget = budget
        self.now = now
        self.keep = keep
        self.tell = tell
        self.concurrency = concurrency
        self.sitemaps = sitemaps
        self.obey_robots = obey_robots
        self.seeds = seeds
        self._wake = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._arrived: list[Visit] = []
        self._stopping = ""
        self._broken: BaseException | None = None
        self._failed_seeds: dict[str, str] = {}

    @property
    def in_flight_limit(self) -> int:
        """Links leased and uncommitted at most; one at a time when concurrency is 1."""
        return 1 if self.concurrency == 1 else 2 * self.concurrency

    def stop(self, why: str) -> None:
        """Lease nothing more; what is under way may finish."""
        self._stopping = self._stopping or why
        self._wake.set()

    async def run(self) -> str:
        """Crawl; returns why it ended, as a sentence."""
        self.statistics.started_at = self.now()
        self.statistics.pages_at_start = self.statistics.pages
        why = ""
        try:
            while not why:
                if self._broken is not None:
                    raise self._broken
                self._settle()
                why = self._stopping or self._used_up() or self._launch()
                if not why:
                    await self._sleep()
            await self._drain()
        finally:
            await self._cancel()
        self.memory.snapshot()
        self.tell(events.Finished(why))
        return why

    def _used_up(self) -> str:
        """Which budget is used, if one is."""
        if self.budget.pages and self.statistics.pages >= self.budget.pages:
            return f"the budget of {self.budget.pages} pages is used"
        if self.budget.bytes and self.statistics.bytes >= self.budget.bytes:
            return f"the budget of {self.budget.bytes} bytes is used"
        elapsed = self.now() - self.statistics.started_at
        if self.budget.seconds and elapsed >= self.budget.seconds:
            return f"the time of {self.budget.seconds:g} s is used"
        return ""

    def _launch(self) -> str:
        """Start visits while there is room; returns why the crawl is over, if nothing is left to do."""
        while self._room():
            lease = self.frontier.lease()
            if lease is None:
                break
            task = asyncio.create_task(self._visit(lease))
            self._tasks.add(task)
            task.add_done_callback(self._visited)
        if self.frontier.in_flight or self._expand_shelf():
            return ""
        if self._failed_seeds and not self.statistics.pages and len(self._failed_seeds) >= self.seeds > 0:
            url, reason = next(iter(self._failed_seeds.items()))
            raise SeedError(
                f"no seed could be fetched ({url}: {reason}); check the address, or see --allow-private"
            )
        return "the frontier is empty" if self.frontier.wait() is None else ""

    def _room(self) -> bool:
        """Whether one more lease fits into concurrency, in-flight limit and page budget."""
        in_flight = self.frontier.in_flight
        if len(self._tasks) >= self.concurrency or in_flight >= self.in_flight_limit:
            return False
        return not self.budget.pages or self.statistics.pages + in_flight < self.budget.pages

    async def _sleep(self) -> None:
        """Wait until something arrives or the next host's turn comes."""
        wait = self.frontier.wait() if self._room() else None
        if self.budget.seconds:
            left = self.statistics.started_at + self.budget.seconds - self.now()
            wait = left if wait is None else min(wait, left)
        if wait is not None and wait <= 0:
            await asyncio.sleep(0)
            return
        try:
            async with asyncio.timeout(wait):
                await self._wake.wait()
        except TimeoutError:
            return
        self._wake.clear()

    async def _visit(self, lease: Lease) -> None:
        """Everything about one lease that waits for others."""
        turns = self.frontier.turns
        if not turns.knows_address(lease.host):
            address = await self.fetcher.address(lease.host)
            if isinstance(address, Failure):
                return self._arrive(Visit(lease, address), asked=True)
            turns.set_address(lease.host, address or "-")
            return self._not_yet(NotYet(lease))
        before = await prepare(lease, self.fetcher)
        if isinstance(before, NotYet):
            return self._not_yet(before)
        if before is not None:
            return self._arrive(before, asked=True)
        answer = await self.fetcher.fetch(lease.url)
        self._note_speed(lease, answer)
        self.frontier.asked(lease, answer.sent_at)
        if isinstance(answer, Failure):
            return self._arrive(Visit(lease, answer))
        page = await parse_answer(answer, self.parser, obey_robots=self.obey_robots)
        return self._arrive(Visit(lease, answer, page))

    def _visited(self, task: asyncio.Task[None]) -> None:
        """A visit ended; one that ended in an error ends the crawl with that error."""
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self._broken = self._broken or task.exception()
        self._wake.set()

    def _arrive(self, visit: Visit, *, asked: bool = False) -> None:
        if asked:
            self.frontier.asked(visit.lease, visit.answer.sent_at)
        self._arrived.append(visit)
        self._wake.set()

    def _not_yet(self, visit: NotYet) -> None:
        self.frontier.give_back(visit.lease, visit.sent_at)
        if self.sitemaps and visit.sitemaps:
            self._queue_sitemaps(visit)
        self._wake.set()

    def _queue_sitemaps(self, visit: NotYet) -> None:
        """Sitemaps named by robots.txt enter the frontier in front of the host's links."""
        lease = visit.lease
        score = math.nextafter(lease.score, math.inf)
        leases = [seed_lease(url, score) for url in visit.sitemaps]
        self.frontier.settle([], self.store.add_seeds(leases).added)

    def _note_speed(self, lease: Lease, answer: Fetched | Failure) -> None:
        """Slow down for a host that says it is overloaded, recover slowly otherwise."""
        if isinstance(answer, Fetched) and answer.status in THROTTLING:
            self.delays.throttled(lease.host, self.now(), answer.retry_after)
            until = self.delays.not_before(lease.host)
            self.frontier.turns.hold(lease.host, until)
            self.tell(events.Throttled(lease.host, until - self.now()))
        elif isinstance(answer, Fetched):
            self.delays.succeeded(lease.host)

    def _settle(self) -> None:
        """Judge, score, learn and commit all that has arrived."""
        if not self._arrived:
            return
        visits, self._arrived = self._arrived, []
        pending: dict[int, str] = {}
        outcomes = []
        for visit in visits:
            outcome = self.conclusions.conclude(visit, pending)
            self.memory.learn(outcome)
            if self.keep is not None and isinstance(visit.answer, Fetched) and outcome.reason != "noindex":
                outcome.warc = self.keep(visit.answer)
            outcomes.append(outcome)
        committed = self.store.commit(outcomes)
        self.statistics.known += committed.new
        for outcome in outcomes:
            self.statistics.add(outcome, self.now())
        self.frontier.settle([visit.lease for visit in visits], committed.added)
        for outcome in outcomes:
            self._tell(outcome)
        self.memory.tend(self.statistics.pages, self.frontier)

    def _tell(self, outcome: Outcome) -> None:
        lease = outcome.lease
        if lease.depth == 0 and outcome.status != 200 and outcome.reason != "redirect":
            self._failed_seeds[lease.url] = f"{outcome.reason} {outcome.detail}".strip()
        if outcome.retry_at is None:
            self.tell(events.PageDone(outcome))
        else:
            self.frontier.defer(lease)
            self.tell(events.Deferred(lease.url, outcome.reason, outcome.retry_at))

    def _expand_shelf(self) -> bool:
        """Release the links of the best shelved page, once all links released before are done."""
        if self.frontier.best() is not None or self.store.barrier():
            return False
        top = self.store.shelf_top()
        if top is None:
            return False
        page_id, url, rank = top
        committed = self.memory.expand(page_id)
        self.frontier.settle([], committed.added)
        self.tell(events.Expanded(url, rank, len(committed.added)))
        self._wake.set()
        return True

    async def _drain(self) -> None:
        """Let visits under way finish, within reason, and commit them."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=GRACE)
        self._settle()

    async def _cancel(self) -> None:
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)
