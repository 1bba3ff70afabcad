"""The worker: lease, fetch, parse, judge, score, learn, commit, over and over.

One asyncio loop. Visits run side by side; what arrives at nearly the same time is judged, scored, learned
and committed as one batch, in the order of arrival.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable

from msgspec import Struct

from lagotto.crawling import events
from lagotto.crawling.collector import collecting_seldom
from lagotto.crawling.conclude import Conclusions
from lagotto.crawling.memory import Memory
from lagotto.crawling.seeding import SeedWatch, seed_lease
from lagotto.crawling.statistics import Statistics
from lagotto.crawling.visit import NotYet, Visit, Visitor
from lagotto.errors import SeedError
from lagotto.frontier import Frontier
from lagotto.records import Fetched, Lease, Outcome, Reason, WarcPlace
from lagotto.seams import Store

GRACE = 3.0
"""Seconds that visits under way get to finish after a stop was asked for."""
BATCH = 8
"""Visits from which on a commit waits for no more."""
MOMENT = 0.004
"""Seconds that a commit waits for more visits, and a lease for a better host, while visits are under way."""
JUDGE_EVERY = 100
"""Pages after which the strategy is asked again whether going on is worth it."""


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
        visitor: Visitor,
        conclusions: Conclusions,
        memory: Memory,
        statistics: Statistics,
        budget: Budget,
        now: Callable[[], float],
        keep: Callable[[Fetched], WarcPlace | None] | None = None,
        tell: Callable[[events.Event], None] = lambda _: None,
        behind: Callable[[], bool] = lambda: False,
        concurrency: int = 16,
        patience: float = 0.0,
        seeds: SeedWatch | None = None,
        stop_by_itself: bool = False,
        look_around: Callable[[], object] = lambda: None,
    ) -> None:
        """`look_around` is called after each commit, for what comes from outside, such as feedback.

        `behind` says that whoever listens to events has too many of them left to take in. For
        `patience` seconds after a lease hosts with better links are waited for, if others could be asked.
        """
        self.store = store
        self.frontier = frontier
        self.visitor = visitor
        self.conclusions = conclusions
        self.memory = memory
        self.statistics = statistics
        self.budget = budget
        self.now = now
        self.keep = keep
        self.tell = tell
        self.behind = behind
        self.concurrency = concurrency
        self.patience = patience
        self.seeds = seeds or SeedWatch()
        self.stop_by_itself = stop_by_itself
        self.look_around = look_around
        self._wake = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._arrived: list[Visit] = []
        self._stopping = ""
        self._broken: BaseException | None = None
        self._judge_at = JUDGE_EVERY
        self._idle = False
        self._leased_at = -math.inf

    @property
    def in_flight_limit(self) -> int:
        """Links leased and uncommitted at most; one at a time when concurrency is 1."""
        return 1 if self.concurrency == 1 else 2 * self.concurrency

    def stop(self, why: str) -> None:
        """Lease nothing more; what is under way may finish."""
        self._stopping = self._stopping or why
        self.wake()

    def wake(self) -> None:
        """Look again at what there is to do."""
        self._wake.set()

    async def run(self) -> str:
        """Crawl; returns why it ended, as a sentence."""
        self.statistics.started_at = self.now()
        with collecting_seldom():
            why = await self._crawl()
        self.memory.snapshot()
        self.tell(events.Finished(why))
        return why

    async def _crawl(self) -> str:
        why = ""
        try:
            while not why:
                if self._broken is not None:
                    raise self._broken
                await self._gather()
                self._settle()
                why = self._stopping or self._used_up() or self._launch()
                if not why:
                    await self._sleep()
            await self._drain()
        finally:
            await self._cancel()
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
            lease = self.frontier.lease(patient=self._patient())
            if lease is None:
                break
            self._idle = False
            self._leased_at = self.now()
            task = asyncio.create_task(self._visit(lease))
            self._tasks.add(task)
            task.add_done_callback(self._visited)
        if self.frontier.in_flight or self._expand_shelf():
            return ""
        if complaint := self.seeds.complaint():
            raise SeedError(complaint)
        return self._nothing_left()

    def _nothing_left(self) -> str:
        """Why no host will have a turn any more, if so."""
        wait = self.frontier.wait()
        if wait is None:
            return "the frontier is empty"
        now, hosts = self.now(), self.visitor.hosts
        if wait and all(hosts.gone(host, now) for host in self.frontier.waiting_hosts()):
            return "only hosts that do not answer are left"
        return ""

    def _room(self) -> bool:
        """Whether one more lease fits into concurrency, in-flight limit and page budget."""
        in_flight = self.frontier.in_flight
        if len(self._tasks) >= self.concurrency or in_flight >= self.in_flight_limit or self.behind():
            return False
        return not self.budget.pages or self.statistics.pages + in_flight < self.budget.pages

    async def _sleep(self) -> None:
        """Wait until something arrives or the next host's turn comes."""
        wait = self.frontier.wait() if self._room() else None
        held_back = wait == 0.0
        if held_back:
            turn = self.frontier.next_turn()
            left = self._leased_at + self.patience - self.now()
            wait = max(MOMENT, left if turn is None else min(left, turn))
        if self.budget.seconds:
            left = self.statistics.started_at + self.budget.seconds - self.now()
            wait = left if wait is None else min(wait, left)
        try:
            async with asyncio.timeout(wait):
                await self._wake.wait()
        except TimeoutError:
            self._idle = held_back
            return
        self._wake.clear()

    def _patient(self) -> bool:
        """Whether hosts with better links are waited for: as long as was said, or until nothing comes."""
        return self.now() < self._leased_at + self.patience if self.patience else not self._idle

    async def _visit(self, lease: Lease) -> None:
        answer = await self.visitor.ask(lease)
        self.wake()  # A better host may be free again.
        if not isinstance(answer, NotYet):
            visit = Visit(lease, answer, await self.visitor.read(answer))
            self._arrived.append(visit)
        elif self.visitor.sitemaps and answer.sitemaps:
            self._queue_sitemaps(answer)

    def _visited(self, task: asyncio.Task[None]) -> None:
        """A visit ended; one that ended in an error ends the crawl with that error."""
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self._broken = self._broken or task.exception()
        self._wake.set()

    def _queue_sitemaps(self, visit: NotYet) -> None:
        """Sitemaps named by robots.txt enter the frontier in front of the host's links."""
        score = math.nextafter(visit.lease.score, math.inf)
        scope = self.conclusions.scope
        leases = [seed_lease(url, score) for url in visit.sitemaps if scope.admits_sitemap(url) is None]
        committed = self.store.add_seeds(leases)
        self.statistics.known += committed.new
        self.frontier.settle([], committed.added)

    async def _gather(self) -> None:
        """Let a few more visits arrive: to commit several costs little more than to commit one."""
        if self._tasks and 0 < len(self._arrived) < BATCH:
            await asyncio.sleep(MOMENT)

    def _settle(self) -> None:
        """Judge, score, learn and commit all that has arrived."""
        if not self._arrived:
            return
        visits, self._arrived = self._arrived, []
        pending: dict[int, str] = {}
        outcomes = []
        for visit in visits:
            outcome = self.conclusions.conclude(visit, pending)
            self._note(outcome)
            self.memory.learn(outcome)
            if (
                self.keep is not None
                and isinstance(visit.answer, Fetched)
                and outcome.reason != Reason.NOINDEX
            ):
                outcome.warc = self.keep(visit.answer)
            outcomes.append(outcome)
        revisions = self.memory.revisions()
        committed = self.store.commit(outcomes, [(link.id, link.score, link.parts) for link in revisions])
        self.statistics.known += committed.new
        for outcome in outcomes:
            self.statistics.add(outcome, self.now())
        self.frontier.settle([visit.lease for visit in visits], committed.added)
        self.frontier.reload({link.host for link in revisions})
        for outcome in outcomes:
            self._tell(outcome)
        self.memory.tend(self.statistics.pages)
        self.look_around()
        if self.stop_by_itself and self.statistics.pages >= self._judge_at:
            self._judge_at = self.statistics.pages + JUDGE_EVERY
            self._stopping = self._stopping or self.memory.strategy.stop_reason()

    def _note(self, outcome: Outcome) -> None:
        """Count an outcome for its host and for the shape of its URL, so that links of the next one know."""
        if outcome.status == 200 and outcome.retry_at is None:
            simhash = outcome.page.simhash if outcome.page is not None else 0
            self.visitor.hosts.fetched(outcome.lease.host, simhash)
            self.conclusions.scope.shapes.count(outcome.lease.url)

    def _tell(self, outcome: Outcome) -> None:
        lease = outcome.lease
        if why := self.seeds.failure(outcome):
            self.tell(events.SeedFailed(lease.url, why))
        if outcome.retry_at is None:
            self.tell(events.PageDone(outcome))
        else:
            self.frontier.defer(lease)
            self.tell(events.Deferred(lease.url, outcome.reason, outcome.retry_at))

    def _expand_shelf(self) -> bool:
        """Release the links of the best shelved page, once all links released before are done."""
        if self.frontier.best() is not None or (self.store.barrier() and not self._nothing_left()):
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
