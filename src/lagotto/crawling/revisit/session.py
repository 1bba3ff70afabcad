"""One run over the pages of a crawl: opens it, visits pages with the crawl's own worker, closes it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from shlex import quote
from types import TracebackType
from typing import Any, cast

import msgspec
import numpy as np
from msgspec import Struct

from lagotto.base.batch import Batch, Version
from lagotto.base.errors import InputError
from lagotto.base.events import Revisited
from lagotto.base.protocols import Fetcher, Storage, Store
from lagotto.base.records import Failure, Fetched, Found, Lease, Outcome, Revisit
from lagotto.base.urls import SHARDS
from lagotto.crawling import assembly
from lagotto.crawling import inputs as wanted
from lagotto.crawling.config import by_name, fields, with_secrets
from lagotto.crawling.rejudging import judge_pages, store_verdicts
from lagotto.crawling.revisit.conclusions import Findings, Known, conditions, keep_in
from lagotto.crawling.revisit.plan import DAY, LONGEST, SHORTEST, Plan, leases
from lagotto.crawling.revisit.queue import PageQueue
from lagotto.crawling.steering.apply import Taking
from lagotto.crawling.steering.effect import InEffect, effect_at
from lagotto.crawling.worker.events import Listeners
from lagotto.crawling.worker.memory import Memory
from lagotto.crawling.worker.process import one_numpy_thread
from lagotto.crawling.worker.redirects import Redirects
from lagotto.crawling.worker.seeding import SeedWatch
from lagotto.crawling.worker.statistics import Limits, Statistics
from lagotto.crawling.worker.visit import Visitor
from lagotto.crawling.worker.worker import EMPTY, HOSTS_GONE, Clock, Stages, Worker
from lagotto.fetch import Delays, HttpFetcher
from lagotto.focus.registry import AnyStrategy
from lagotto.store import WarcWriter, storage_at

OWNER = "local"
ROUND = "revisit"
"""Kind of the versions that say when a round began and whether it ended."""
STOPPED = "stopped"
EVERY = 7 * DAY
"""Mean interval between two visits to a page, if the user does not say."""


class Round(Struct):
    """A round over the pages, as the store keeps it."""

    began: float
    ended: bool = False


class _Conditional:
    """The crawl's fetcher, which asks for a known page only if it is not as we have it."""

    def __init__(self, fetcher: HttpFetcher, known: Known) -> None:
        self._fetcher = fetcher
        self._known = known

    def __getattr__(self, name: str) -> Any:
        return getattr(self._fetcher, name)

    async def fetch(self, url: str) -> Fetched | Failure:
        return await self._fetcher.fetch_if(url, conditions(self._known.page(url)))


class _Unlearning(Memory):
    """What the strategy has learned, for judging and scoring; visits to known pages teach it nothing new."""

    def learn(self, outcome: Outcome) -> None:
        outcome.sample = None

    async def snapshot(self, *, at_once: bool = True) -> None:
        """There is nothing new to keep."""


class Revisiting:
    """Visits the pages of a crawl again.

        async with Revisiting("birds", max_pages=500) as revisiting:
            why = await revisiting.run()

    One round over all pages, those first that are most worth it; `due` leaves out pages whose interval is not
    over. With `watch` it goes on, and visits each page whenever it is due.
    """

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
        self.storage: Storage = storage_at(location)
        effect = effect_at(self.storage)
        self.config = msgspec.structs.replace(effect.config, **_checked(options))
        self.max_pages, self.max_time, self.every = max_pages, max_time, every
        self.due, self.watch = due or watch, watch
        self.clock = clock or Clock()
        self.tell = tell
        self.notice = ""
        self.planned = 0
        """Pages to visit."""
        self.found: Counter[Found] = Counter()
        self.why = ""
        self.next_due: float | None = None
        """When the next page is due, if none is now."""
        self._effect: InEffect = effect
        self._strategy = strategy
        self._stopping = ""
        self._closing = AsyncExitStack()
        self._store: Store | None = None
        self._worker: Worker | None = None
        self._queue: PageQueue | None = None
        self._taking: Taking | None = None

    @property
    def location(self) -> str:
        """Where the crawl is kept."""
        return self.storage.location

    @property
    def new_links(self) -> int:
        """Links on changed pages that were not known before; `resume` fetches them."""
        return self._queue.new_links if self._queue else 0

    @property
    def visited(self) -> int:
        """Pages visited so far."""
        return self.found.total()

    def stop(self, why: str = STOPPED) -> None:
        """Finish what is under way and end."""
        self._stopping = self._stopping or why
        if self._worker is not None:
            self._worker.stop(why)

    @property
    def stopping(self) -> bool:
        """Whether `stop` was called."""
        return bool(self._stopping)

    async def __aenter__(self) -> Revisiting:
        try:
            await self._open()
        except BaseException:
            await self._closing.aclose()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._closing.aclose()

    async def _open(self) -> None:
        missing = with_secrets(self.config)[1]
        if missing:
            raise InputError("; ".join(missing))
        self._closing.enter_context(one_numpy_thread())
        topic = wanted.make_topic(self.config)
        strategy = assembly.make_strategy(self.config, topic, self._strategy, self.location)
        store = self._store = await self.storage.open(keep_text=self.config.keep_text)
        self._closing.push_async_callback(store.close)
        await store.acquire(range(SHARDS), OWNER)
        notes = list(store.notes)
        fetcher = assembly.make_fetcher(self.config, wanted.seed_urls(self.config))
        self._closing.push_async_callback(fetcher.close)
        parser = assembly.make_parser(self.config, [*topic.phrases, *self._effect.phrases], strategy)
        self._closing.push_async_callback(parser.close)
        known = Known(store.reader())
        keep = None
        if self.config.keep_warc and self.storage.folder is not None:
            writer = WarcWriter(
                self.storage.folder / "warc", await store.warc_ends(), max_bytes=self.config.warc_size
            )
            self._closing.callback(writer.close)
            notes += writer.notes
            keep = partial(keep_in, writer, known)
        plan = Plan(store.reader(), self.every)
        if not plan.pages:
            raise InputError(
                f"the crawl in {self.location} has no pages to visit again; "
                f"fetch some first with `lagotto resume {quote(self.location)}`"
            )
        findings = Findings(
            known,
            strategy=strategy,
            scope=assembly.make_scope(self.config, wanted.seed_urls(self.config)),
            hosts=assembly.make_hosts(msgspec.structs.replace(self.config, host_limit=0), self._effect.rules),
            wall=self.clock.wall,
            retries=self.config.retries,
            retry_wait=self.config.retry_wait,
            obey_nofollow=self.config.obey_nofollow,
            obey_opt_outs=self.config.obey_opt_outs,
        )
        assembly.recall(findings.scope, store.reader().fetched())

        def next_visit(lease: Lease, found: Found) -> tuple[float, float] | None:
            following = plan.visited(lease.seq, self.clock.wall(), found)
            return following if self.watch else None

        queue = self._queue = PageQueue(store, findings.found_of, next_visit=next_visit, tell=self._tell)
        await self._plan_visits(plan, queue)
        self._worker = await self._make_worker(
            queue, findings, cast(Fetcher, _Conditional(fetcher, known)), fetcher, parser, strategy, keep
        )
        self._taking = Taking(
            self._worker, self._effect, parser, lambda config: assembly.patience_of(config, strategy)
        )
        await self._taking.take()
        self._set_limits(self._worker.limits)
        self.notice = "; ".join(filter(None, [*notes, self.notice]))

    async def _plan_visits(self, plan: Plan, queue: PageQueue) -> None:
        """Choose the pages to visit; a round that was cut short is gone on with."""
        assert self._store is not None
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
        if unfinished and len(open_) < len(plan.pages):
            self.notice = "going on with the round that was cut short"
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

    async def _make_worker(
        self,
        queue: PageQueue,
        findings: Findings,
        asking: Fetcher,
        fetcher: HttpFetcher,
        parser: Any,
        strategy: Any,
        keep: Any,
    ) -> Worker:
        """The worker of a crawl over the pages to visit."""
        config, store = self.config, cast(Store, queue)
        opened = assembly.OpenCrawl(
            store=store,
            strategy=strategy,
            scope=findings.scope,
            fetcher=fetcher,
            parser=parser,
            hosts=findings.hosts,
            statistics=Statistics(),
            resumed=True,
        )
        limits = Limits(concurrency=config.concurrency)
        self._set_limits(limits)
        delays = Delays(config.delay)
        frontier = assembly.make_frontier(config, opened, delays, limits, self.clock)
        await frontier.load()
        queue.defer = frontier.defer
        memory = _Unlearning(strategy, store)
        await memory.restore(1)
        visitor = Visitor(
            frontier=frontier,
            fetcher=asking,
            parser=parser,
            # What was fetched once is neither a trap nor too much.
            scope=assembly.make_scope(
                msgspec.structs.replace(config, pattern_limit=0, hosts_per_site=0, avoid_traps=False), ()
            ),
            hosts=findings.hosts,
            delays=delays,
            now=self.clock.now,
            wall=self.clock.wall,
            redirects=Redirects(),
            obey_robots=config.obey_robots,
        )
        visitor.hold(await store.host_waits())
        return Worker(
            store,
            Stages(frontier, visitor, findings, memory, SeedWatch()),
            limits,
            statistics=opened.statistics,
            listeners=Listeners(keep=keep, take_commands=self._take_commands),
            clock=self.clock,
        )

    def _set_limits(self, limits: Limits) -> None:
        """The budget of this run; that of the crawl is for new pages."""
        limits.pages, limits.seconds, limits.bytes, limits.requests = self.max_pages, self.max_time, 0, 0

    async def _take_commands(self) -> None:
        if self._taking is not None:
            await self._taking.take()

    def _tell(self, revisit: Revisit, number: int) -> None:
        outcome = revisit.outcome
        self.found[revisit.found] += 1
        self.tell(Revisited(outcome.lease.url, revisit.found, number, outcome.status, outcome.reason))

    async def run(self) -> str:
        """Visit pages until the round is over, a budget is used or `stop` is called; returns why it ended."""
        if self._worker is None or self._store is None or self._taking is None:
            raise InputError("open it first: async with Revisiting(...) as revisiting")
        self._taking.running = True
        if self._stopping:
            self._worker.stop(self._stopping)
        why = await self._worker.run()
        self.why = f"all {self.planned} pages were visited" if why == EMPTY else why
        used_up = bool(self.max_pages) and self.visited >= self.max_pages
        if not self.watch and (used_up or why in (EMPTY, HOSTS_GONE)):
            self._round.ended = True
            await self._store.commit(Batch(versions=[self._version()]))
        if self.found[Found.CHANGED] and self.config.judge_again:
            await self._judge()
        return self.why

    async def _judge(self) -> None:
        """Judge all pages again by what is known now, the changed ones among them."""
        assert self._worker is not None
        assert self._store is not None
        assert self._taking is not None
        found = judge_pages(
            self._store.reader(),
            self._worker.memory.strategy,
            language=self.config.language,
            phrases=self._taking.parser.phrases,
            encoder=assembly.make_encoder(self.config),
        )
        if found is not None:
            await store_verdicts(self._store, found)


def _checked(options: dict[str, Any]) -> dict[str, Any]:
    """Options by the names of their fields; refuses those that say something else than how to ask."""
    named = by_name({name: value for name, value in options.items() if value is not None})
    there_are = [name for name, field in fields().items() if field.option.revisit]
    for name, value in named.items():
        if name not in there_are:
            raise InputError(f"a revisit has no option '{name}'; it has {', '.join(there_are)}")
        fields()[name].check(value)
    return named
