"""One crawl, opened, run and closed."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, aclosing
from pathlib import Path
from shlex import quote
from types import TracebackType
from typing import Any

import msgspec
from msgspec import Struct

from lagotto.base.batch import Batch
from lagotto.base.errors import InputError, InUse, SeedError
from lagotto.base.protocols import SharedStore, Storage, Store
from lagotto.base.records import LinkScores, Page
from lagotto.base.urls import SHARDS
from lagotto.base.views import Judging
from lagotto.crawling import assembly
from lagotto.crawling import config as configuration
from lagotto.crawling import inputs as wanted
from lagotto.crawling.archive import Keeping
from lagotto.crawling.cluster.membership import Membership, worker_name
from lagotto.crawling.cluster.sharing import waker
from lagotto.crawling.config import Config
from lagotto.crawling.early_end import early_end
from lagotto.crawling.encoding import EncodingParser
from lagotto.crawling.frontier import Hosts, Scope
from lagotto.crawling.index_beside import IndexBeside
from lagotto.crawling.live import LiveFigures
from lagotto.crawling.monitoring import Monitor
from lagotto.crawling.monitoring.monitor import Watching
from lagotto.crawling.rejudging import EARLY_GROWTH, EARLY_ROUND, JudgingAgain, Rounds
from lagotto.crawling.steering.apply import Taking
from lagotto.crawling.steering.compose import from_changes
from lagotto.crawling.steering.effect import InEffect, effect_at, send
from lagotto.crawling.teaching import lessons
from lagotto.crawling.worker.events import Event, EventQueue, Listeners, links_scored
from lagotto.crawling.worker.process import one_numpy_thread
from lagotto.crawling.worker.statistics import Statistics
from lagotto.crawling.worker.worker import EMPTY
from lagotto.fetch import Guard
from lagotto.focus import registry
from lagotto.focus.registry import AnyStrategy
from lagotto.focus.strategies.base import Strategy
from lagotto.focus.teaching import TeacherReport
from lagotto.focus.teaching.during import Answer
from lagotto.store import storage_at

OWNER = "local"
"""Name of the one worker of a crawl on one machine."""


class OpenStore(Struct):
    """A store with the shards that this worker holds."""

    store: Store
    membership: Membership | None
    """This worker's part in a crawl that several workers share."""

    def count(self, statistics: Statistics, scope: Scope, hosts: Hosts) -> int:
        """Count the pages that are there already; returns how many the scope and the hosts know of."""
        reader = self.store.reader()
        statistics.count_all(reader.status())
        return assembly.recall(scope, reader.fetched(), hosts)


async def open_store(
    storage: Storage, config: Config, closing: AsyncExitStack, *, resuming: bool
) -> OpenStore:
    """Create or open the store of a crawl, and take its shards; `closing` gives them up and closes it."""
    if resuming:
        store = await storage.open(keep_text=config.keep_text)
    else:
        store = await storage.create(configuration.encode(config), keep_text=config.keep_text)
    closing.push_async_callback(store.close)
    if not (storage.shared and isinstance(store, SharedStore)):
        await store.acquire(range(SHARDS), OWNER)
        return OpenStore(store, None)
    membership = Membership(store, worker_name(), time.monotonic)
    await membership.join(max(config.delay, config.ip_delay))
    closing.push_async_callback(membership.leave)
    return OpenStore(store, membership)


_log = logging.getLogger(__name__)


class Crawl(LiveFigures):
    """One crawl, from its first page or from where it stopped.

        async with Crawl(config, directory) as crawl:
            async for event in crawl:
                ...

    Iterating runs the crawl and gives its events; `run` runs it without them.
    """

    def __init__(
        self,
        config: Config,
        location: str | Path,
        *,
        watch_links: bool = False,
        strategy: AnyStrategy | None = None,
        monitor: Monitor | None = None,
    ) -> None:
        """`location` is a directory or what `storage_at` takes; `watch_links` adds `LinksScored` events.

        `strategy` is an object or a class, instead of the name that the configuration has. `monitor` says
        what this process tells of the crawl.
        """
        if strategy is not None:
            config = msgspec.structs.replace(config, strategy=registry.name_of(strategy))
        config.check()
        super().__init__()
        self.storage: Storage = storage_at(location)
        self.watch_links = watch_links
        self.notice = ""
        """What is worth telling before the crawl begins, such as a recovery."""
        self.ended_early: list[str] = []
        """What stopped a crawl that ended after a handful of pages, and what would help."""
        self.teacher_report: TeacherReport | None = None
        """What asking the teacher has cost, if there is one."""
        self.untold = ""
        """Why the webhook was not told of the end, if it was not."""
        self.answer: Answer | None = None
        """Answers questions about pages if the option `ask` is set; the command line asks its user."""
        self._strategy = strategy
        self._resuming = False
        self._in_vain = False
        """Whether no seed could be fetched: such a crawl is removed, so that it can be started again."""
        self._stopping = ""
        self._events = EventQueue()
        self._watching = Watching(monitor or Monitor(), self.location, self.figures)
        self._closing = AsyncExitStack()
        self._running: asyncio.Task[str] | None = None
        self._taking: Taking | None = None
        self._judging: JudgingAgain | None = None
        self._keeping = Keeping(config, self.storage)
        self._effect = InEffect(config)
        self._secrets: dict[str, Any] = {}
        self._membership: Membership | None = None
        self._unsent = False
        """Whether another process ran the crawl, so that no changes were sent; opening it will be refused."""

    @property
    def config(self) -> Config:
        """The configuration in effect."""
        return self._effect.config

    @property
    def metrics_url(self) -> str:
        """Where metrics are served; empty if they are not."""
        return self._watching.metrics_url

    @property
    def paused(self) -> bool:
        """Whether the crawl is paused."""
        return self._worker.paused if self._worker else self._effect.paused

    @classmethod
    def resume(
        cls,
        location: str | Path,
        *,
        strategy: AnyStrategy | None = None,
        monitor: Monitor | None = None,
        **changes: Any,
    ) -> Crawl:
        """The crawl at a location, to go on where it stopped.

        `changes` are options of `Config` and what `lagotto.steer` takes. They are sent as commands, without
        passwords and keys, which this process alone knows. A strategy that was given as an object or a class
        must be given again.
        """
        storage = storage_at(location)
        started = effect_at(storage).config.strategy
        if strategy is not None and registry.name_of(strategy) != started:
            raise InputError(
                f"the crawl in {location} was started with the strategy '{started}'; give that one"
            )
        unsent = bool(changes) and not storage.shared and storage.running()
        if changes and not unsent:
            send(storage, from_changes(effect_at(storage), changes))
        effect = effect_at(storage)
        crawl = cls(effect.config, location, strategy=strategy, monitor=monitor)
        crawl._effect, crawl._resuming, crawl._unsent = effect, True, unsent
        crawl._secrets = configuration.secrets_in(changes)
        crawl._know_secrets()
        return crawl

    def _know_secrets(self) -> None:
        """Put the passwords and keys that the user gave in the places that commands leave empty."""
        self._effect.config = configuration.from_values(self._secrets, self._effect.config)

    @property
    def location(self) -> str:
        """Where the crawl is kept, as the user wrote it."""
        return self.storage.location

    async def __aenter__(self) -> Crawl:
        try:
            await self._open()
        except BaseException:
            await self._closing.aclose()
            raise
        return self

    async def _open(self) -> None:
        """Make all that the crawl is made of; what must be closed again is kept in `_closing`."""
        seeds = wanted.seed_urls(self.config)
        if not seeds and not self._resuming:
            raise SeedError("there is no seed to start from; give at least one with --seed URL")
        if not self._resuming:
            self._check_secrets()
        if self.config.teacher:
            assembly.make_teacher(self.config)  # Refuses a wrong address before anything is written.
        assembly.check_encoder(self.config)
        self._closing.enter_context(one_numpy_thread())
        topic = wanted.make_topic(self.config)
        resumed = self.location if self._resuming else ""
        strategy = assembly.make_strategy(self.config, topic, self._strategy, resumed)
        encoder = assembly.encoder_of_crawl(self.config, strategy)
        scope = assembly.make_scope(self.config, seeds)
        self._hosts = assembly.make_hosts(self.config, self._effect.rules)
        await self._closing.enter_async_context(self._watching)
        fetcher = assembly.make_fetcher(self.config, seeds)
        self._closing.push_async_callback(fetcher.close)
        opened = await self._open_store()
        store = opened.store
        recalled = opened.count(self.statistics, scope, self._hosts) if self._resuming else 0
        committed = await store.commit(Batch(seeds=wanted.seed_leases(self.config)))
        self.statistics.known += committed.new
        parser = self._parser = assembly.make_parser(
            self.config, [*topic.phrases, *self._effect.phrases], strategy
        )
        self._closing.push_async_callback(parser.close)
        if self.config.index and self.storage.folder is not None:
            self._closing.push_async_callback(IndexBeside(self.location).finish)
        self._closing.push_async_callback(self._halt)

        def tell_scores(page: Page, scores: LinkScores) -> None:
            self._tell(links_scored(page, scores, strategy.link_parts, strategy.positive_above))

        self._worker = await assembly.make_worker(
            self.config,
            assembly.OpenCrawl(
                store=store,
                strategy=strategy,
                scope=scope,
                fetcher=fetcher,
                parser=parser if encoder is None else EncodingParser(parser, encoder),
                hosts=self._hosts,
                statistics=self.statistics,
                seeds=seeds,
                resumed=self._resuming,
                recalled=recalled,
                membership=self._membership,
            ),
            Listeners(
                tell=self._tell,
                behind=self._events.behind,
                keep=self._keeping.keep if self._keeping.keeps else None,
                unkeep=self._keeping.unkeep,
                scores=tell_scores if self.watch_links else None,
                take_commands=self._between_commits,
            ),
        )
        if self._effect.paused:
            self._worker.pause()
        self._taking = Taking(
            self._worker, self._effect, parser, lambda config: assembly.patience_of(config, strategy)
        )
        self._judging = JudgingAgain(
            self._worker,
            self.storage,
            Rounds(EARLY_ROUND, EARLY_GROWTH) if self.config.stop == "auto" else Rounds(),
            language=self.config.language,
            phrases=lambda: parser.phrases,
            make_strategy=self._fresh_strategy,
        )
        # Commands that were sent since the crawl stopped are taken before anything else happens.
        await self.take_commands()
        if self._membership is not None:
            self._membership.store.watch(waker(self._worker))
        self._know_secrets()
        if self._worker.paused:
            self._tell_of_pause()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._closing.aclose()
        self.untold = await self._watching.end(
            self.ending(self.location, self.config.topic, error), Guard(self.config.allow_private)
        )
        if self._in_vain:
            self.storage.discard()

    def _tell(self, event: Event) -> None:
        self._events.tell(event)
        self._watching.tell(event)

    async def run(self) -> str:
        """Crawl until the budget is used, the frontier is empty or `stop` is called; returns why it ended."""
        if self._worker is None:
            raise InputError("a crawl must be opened first: async with Crawl(...) as crawl")
        worker = self._worker
        self._check_secrets()
        if self._taking is not None:
            self._taking.running = True
        if self._stopping:
            self._worker.stop(self._stopping)
        try:
            reader = worker.store.reader()
            pages, leads = (lambda: worker.spent.pages), (lambda: worker.leads)
            asking = lessons(self.config, self.storage, reader, pages, leads, self.answer)
            async with asking as self.teacher_report:
                self.why = await worker.run()
        except SeedError:
            self._in_vain = not self._resuming
            raise
        if self._membership is not None:
            self.statistics.count_all(self._worker.store.reader().status())
        if self.why == EMPTY and self.frontier_size and self._effect.holds_back:
            self.why += f" but for {self.frontier_size} links that are set aside or on blocked hosts"
        if self._judging is not None:
            await self._judging.end()
        await self.take_commands()  # Answers of teachers that came last.
        if self._membership is not None and not self._membership.alone:
            return self.why  # The others go on, or whoever leads them judges all pages again.
        if self.config.judge_again:
            await asyncio.sleep(0)  # Whoever reads the events learns of the last pages first.
            await self._judge_at_end()
        self.ended_early = early_end(worker.store.reader(), worker.memory.strategy, self.why)
        return self.why

    async def _judge_at_end(self) -> None:
        """Judge all pages again; without the encoder if it cannot be loaded, since the crawl is done."""
        try:
            await self.judge()
        except InputError as error:
            _log.warning("all pages were judged without the encoder: %s", error)
            assert self._judging is not None
            await self._judging.judge(None)

    async def judge(self) -> Judging | None:
        """Judge all pages again by what is known now; None if the strategy judges no page twice.

        The new verdicts are stored; each page keeps its judgement at fetch beside them.
        """
        if self._judging is None:
            raise InputError("a crawl must be opened first: async with Crawl(...) as crawl")
        return await self._judging.judge(assembly.make_encoder(self.config))

    @property
    def judging(self) -> Judging | None:
        """What judging all pages again found, once that was done."""
        return self._judging.latest if self._judging else None

    async def _between_commits(self) -> None:
        """Take commands; judge all pages again in the background when the crawl has grown enough."""
        await self.take_commands()
        await self._keeping.committed()
        if self._judging is not None and self.config.judge_again and self._leads:
            judging = await self._judging.go_on()
            if judging is not None and judging.surely_absent and self.config.stop == "auto":
                self._stop_everywhere(judging.absence())

    def _fresh_strategy(self) -> Strategy:
        return assembly.make_strategy(self.config, wanted.make_topic(self.config), self._strategy)

    def _check_secrets(self) -> None:
        """Refuse to send requests without the passwords and keys that the configuration refers to."""
        _, missing = configuration.with_secrets(self.config)
        if missing:
            raise InputError("; ".join(missing))

    async def __aiter__(self) -> AsyncIterator[Event]:
        running = self._running = asyncio.create_task(self.run())
        try:
            async with aclosing(self._events.read_while(running)) as events:
                async for event in events:
                    if self._worker is not None and self._events.caught_up:
                        self._worker.wake()
                    yield event
            await running
        finally:
            await self._halt()

    async def _halt(self) -> None:
        """End a crawl that nobody iterates over any more; what was committed stays."""
        running, self._running = self._running, None
        if running is not None and not running.done():
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    def stop(self, why: str = "stopped") -> None:
        """Finish what is under way and end."""
        self._stopping = self._stopping or why
        if self._worker is not None:
            self._worker.stop(why)

    def _stop_everywhere(self, why: str) -> None:
        self.stop(why)
        if self._worker is not None:
            self._worker.stop(why, everywhere=True)

    @property
    def _leads(self) -> bool:
        return self._worker is None or self._worker.leads

    @property
    def stopping(self) -> bool:
        """Whether `stop` was called."""
        return bool(self._stopping)

    def _tell_of_pause(self) -> None:
        sentence = f"the crawl is paused; go on with `lagotto unpause {quote(self.location)}`"
        self.notice = "; ".join(filter(None, [self.notice, sentence]))

    async def take_commands(self) -> int:
        """Take the commands that were sent since the last time; returns how many there were."""
        if self._taking is None:
            return 0
        if self._membership is not None and not self._membership.leads:
            return await self._taking.follow(self._membership.census.taken)
        return await self._taking.take()

    async def _open_store(self) -> OpenStore:
        """Open what the crawl writes to, and say what was found there."""
        opened = await open_store(self.storage, self.config, self._closing, resuming=self._resuming)
        if self._unsent:
            raise InUse(f"the crawl in {self.location} has just ended, and was not changed; try again")
        self._membership = opened.membership
        await self._keeping.open(opened.store, opened.membership)
        self._closing.push_async_callback(self._keeping.close)
        self.notice = "; ".join([*opened.store.notes, *self._keeping.notes, *wanted.notes(self.config)])
        return opened
