"""One run over the pages of a crawl: opens it, visits pages with the crawl's own worker, closes it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from shlex import quote
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from lagotto.base.batch import Batch, Version
from lagotto.base.errors import InputError
from lagotto.base.events import Revisited
from lagotto.base.protocols import Store
from lagotto.base.records import Found, Lease, Outcome, Revisit
from lagotto.crawling import assembly
from lagotto.crawling.archive import Keeping
from lagotto.crawling.config import Config, by_name, fields
from lagotto.crawling.frontier import Hosts
from lagotto.crawling.opening import Session
from lagotto.crawling.revisit.conclusions import Findings, Known
from lagotto.crawling.revisit.plan import DAY, LONGEST, SHORTEST, Plan, leases
from lagotto.crawling.revisit.queue import PageQueue
from lagotto.crawling.steering.effect import effect_at
from lagotto.crawling.worker.events import Listeners
from lagotto.crawling.worker.memory import Memory
from lagotto.crawling.worker.statistics import Budget
from lagotto.crawling.worker.worker import EMPTY, HOSTS_GONE, Clock, Worker
from lagotto.focus.registry import AnyStrategy
from lagotto.focus.strategies.base import Strategy
from lagotto.store import storage_at

ROUND = "revisit"
"""Kind of the versions that say when a round began and whether it ended."""
EVERY = 7 * DAY
"""Mean interval between two visits to a page, if the user does not say."""


class Round(Struct):
    """A round over the pages, as the store keeps it."""

    began: float
    ended: bool = False


class _Unlearning(Memory):
    """What the strategy has learned, for judging and scoring; visits to known pages teach it nothing new."""

    async def restore(self, pages: int = 1) -> None:
        await super().restore(1)  # The store has the topic table, however few pages this run has visited.

    def learn(self, outcome: Outcome) -> None:
        outcome.sample = None

    async def snapshot(self, *, at_once: bool = True) -> None:
        """There is nothing new to keep."""


class Revisiting(Session):
    """Visits the pages of a crawl again.

        async with Revisiting("birds", max_pages=500) as revisiting:
            why = await revisiting.run()

    One round over all pages, those first that are most worth it; `due` leaves out pages whose interval is not
    over. With `watch` it goes on, and visits each page whenever it is due.
    """

    sharing = False
    restores = False
    """Whether pages are visited because their stored answers were lost."""

    def __init__(
        self,
        location: str | Path,
        *,
        max_pages: int = 0,
        max_time: float = 0.0,
        every: float = EVERY,
        due: bool = False,
        watch: bool = False,
        strategy: AnyStrategy | None = None,
        clock: Clock | None = None,
        tell: Callable[[Revisited], None] = lambda _: None,
        **options: Any,
    ) -> None:
        """`options` are those of `Config` that say how to ask, such as `delay`; they hold for this run."""
        if not SHORTEST <= every <= LONGEST:
            raise InputError("the interval must be from an hour to 90 days; write it like 12h or 7d")
        if max_pages < 0 or max_time < 0:
            raise InputError("a budget must not be negative; 0 means no limit")
        super().__init__(location, effect_at(storage_at(location)), strategy=strategy)
        self._resuming = True
        self._own = _checked(options)
        self.max_pages, self.max_time, self.every = max_pages, max_time, every
        self.due, self.watch = due or watch, watch
        self.clock = clock or Clock()
        self.tell = tell
        self.planned = 0
        """Pages to visit."""
        self.found: Counter[Found] = Counter()
        self.next_due: float | None = None
        """When the next page is due, if none is now."""
        self._going_on = False
        """Whether this run goes on with a round that was cut short."""
        self._known: Known | None = None
        self._queue: PageQueue | None = None

    @property
    def config(self) -> Config:
        """The configuration of the crawl, with this run's own way to ask."""
        return msgspec.structs.replace(self._effect.config, **self._own)

    @property
    def new_links(self) -> int:
        """Links on changed pages that were not known before; `resume` fetches them."""
        return self._queue.new_links if self._queue else 0

    @property
    def visited(self) -> int:
        """Pages visited so far."""
        return self.found.total()

    async def _open(self) -> None:
        self._check_secrets()
        await super()._open()
        going_on = "going on with the round that was cut short" if self._going_on else ""
        self.notice = "; ".join(filter(None, [self.notice, going_on]))

    def _conditions(self, url: str) -> list[tuple[str, str]]:
        return self._known.conditions(url) if self._known else []

    def _patience_of(self, config: Config, strategy: Strategy) -> float:
        """Which page comes first matters less than in a crawl."""
        return 0.0

    def _make_hosts(self) -> Hosts:
        return assembly.make_hosts(msgspec.structs.replace(self.config, host_limit=0), self._effect.rules)

    def _make_answers(self, store: Store) -> Keeping:
        known = self._known = Known(store.reader())
        config = msgspec.structs.replace(self.config, pages_folder="")
        return Keeping(config, self.storage, known.original_of)

    async def _make_worker(self, store: Store, opened: assembly.OpenCrawl, answers: Keeping) -> Worker:
        plan = Plan(store.reader(), self.every)
        assert self._known is not None
        self._store, config = store, self.config
        findings = Findings(
            self._known,
            strategy=opened.strategy,
            scope=opened.scope,
            hosts=opened.hosts,
            wall=self.clock.wall,
            retries=config.retries,
            retry_wait=config.retry_wait,
            obey_nofollow=config.obey_nofollow,
            obey_opt_outs=config.obey_opt_outs,
        )
        assembly.recall(opened.scope, store.reader().fetched())

        def next_visit(lease: Lease, found: Found) -> tuple[float, float] | None:
            if self.restores:
                return None
            following = plan.visited(lease.seq, self.clock.wall(), found)
            return following if self.watch else None

        queue = self._queue = PageQueue(
            store, findings.found_of, next_visit=next_visit, tell=self._tell, restores=self.restores
        )
        await self._plan_visits(plan, queue)
        opened.store = queue
        opened.again = assembly.Again(
            findings, _Unlearning(opened.strategy, queue), Budget(pages=self.max_pages, seconds=self.max_time)
        )
        listeners = Listeners(keep=answers.keep if answers.keeps else None, take_commands=self.take_commands)
        worker = await assembly.make_worker(config, opened, listeners, self.clock)
        queue.defer = worker.frontier.defer
        return worker

    async def _plan_visits(self, plan: Plan, queue: PageQueue) -> None:
        """Choose the pages to visit; a round that was cut short is gone on with."""
        if not plan.pages:
            raise InputError(
                f"the crawl in {self.location} has no pages to visit again; "
                f"fetch some first with `lagotto resume {quote(self.location)}`"
            )
        now = self.clock.wall()
        rounds = [
            msgspec.json.decode(version.content, type=Round)
            for version in self._store.reader().versions(ROUND)
        ]
        unfinished = rounds[-1] if rounds and not rounds[-1].ended and not self.watch else None
        worths, due = plan.worths(now), plan.due()
        begun = unfinished.began if unfinished else np.inf
        open_ = [
            place
            for place, page in enumerate(plan.pages)
            if page.at < begun
            and (self.watch or not self.due or due[place] <= now)
            and (self.due or not page.gone or due[place] <= now)
        ]
        self._going_on = bool(unfinished) and len(open_) < len(plan.pages)
        if self.max_pages and not self.watch:
            open_ = sorted(open_, key=lambda place: -worths[place])[: self.max_pages]
        self.planned = len(open_)
        self.next_due = float(due.min())
        chosen = leases([plan.pages[place] for place in open_], worths[open_])
        for place, lease in zip(open_, chosen, strict=True):
            queue.add(lease, float(due[place]) if self.watch else 0.0)
        self._round = unfinished or Round(now)
        if not unfinished and not self.watch:
            await self._store.commit(Batch(versions=[self._version()]))

    def _version(self) -> Version:
        return Version(ROUND, msgspec.json.encode(self._round))

    def _tell(self, revisit: Revisit, number: int) -> None:
        outcome = revisit.outcome
        self.found[revisit.found] += 1
        self.tell(Revisited(outcome.lease.url, revisit.found, number, outcome.status, outcome.reason))

    async def run(self) -> str:
        """Visit pages until the round is over, a budget is used or `stop` is called; returns why it ended."""
        why = await self._start().run()
        self.why = f"all {self.planned} pages were visited" if why == EMPTY else why
        used_up = bool(self.max_pages) and self.visited >= self.max_pages
        if not self.watch and (used_up or why in (EMPTY, HOSTS_GONE)):
            self._round.ended = True
            await self._store.commit(Batch(versions=[self._version()]))
        if self.found[Found.CHANGED] and self.config.judge_again:
            await self._rejudge_at_end()
        return self.why


def _checked(options: dict[str, Any]) -> dict[str, Any]:
    """Options by the names of their fields; refuses those that say something else than how to ask."""
    named = by_name({name: value for name, value in options.items() if value is not None})
    there_are = [name for name, field in fields().items() if field.option.revisit]
    for name, value in named.items():
        if name not in there_are:
            raise InputError(f"a revisit has no option '{name}'; it has {', '.join(there_are)}")
        fields()[name].check(value)
    return named
