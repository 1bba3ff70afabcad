"""Crawling from Python: `async with Crawl(...)`; `lagotto.calls` has the calls for scripts."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, aclosing, suppress
from functools import partial
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from lagotto import assembly, registry
from lagotto import config as configuration
from lagotto.batch import Batch
from lagotto.config import Config
from lagotto.crawling.early_end import early_end
from lagotto.crawling.encoding import EncodingParser
from lagotto.crawling.event_queue import EventQueue
from lagotto.crawling.events import Event, links_scored
from lagotto.crawling.judging_again import JudgingAgain
from lagotto.crawling.listeners import Listeners
from lagotto.crawling.membership import Membership, worker_name
from lagotto.crawling.rounds import EARLY_ROUND, FIRST_ROUND, Rounds
from lagotto.crawling.statistics import Statistics
from lagotto.crawling.worker import EMPTY, Worker
from lagotto.errors import InputError, InUse, SeedError
from lagotto.export.page_folder import PageFolder
from lagotto.fetch import Guard
from lagotto.frontier import Hosts, Scope, Wait
from lagotto.lessons import lessons
from lagotto.monitoring import Figures, Monitor
from lagotto.monitoring.monitor import Watching
from lagotto.monitoring.webhook import Ending
from lagotto.parse.pool import ParserPool
from lagotto.protocols import Reader, SharedStore, Storage, Store
from lagotto.records import Fetched, Lease, LinkScores, Page, WarcPlace
from lagotto.registry import AnyStrategy
from lagotto.searching.beside import IndexBeside
from lagotto.steering.compose import from_changes
from lagotto.steering.in_effect import InEffect
from lagotto.steering.sending import effect_at, send
from lagotto.steering.taking import Taking
from lagotto.store import WarcWriter, storage_at
from lagotto.store.warc.archive import Archive, seal_abandoned
from lagotto.strategies.base import Strategy
from lagotto.teaching import TeacherReport
from lagotto.teaching.during import Answer
from lagotto.urls import SHARDS
from lagotto.views import Judging

_log = logging.getLogger(__name__)

OWNER = "local"
"""Name of the one worker of a crawl on one machine."""
SECRETS = ("header", "headers", "auth", "proxy")
"""Options that may hold passwords and keys."""


class Crawl:
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
        self.storage: Storage = storage_at(location)
        self.watch_links = watch_links
        self.statistics = Statistics()
        self.notice = ""
        """What is worth telling before the crawl begins, such as a recovery."""
        self.why = ""
        """Why the crawl ended, once it has."""
        self.ended_early: list[str] = []
        """What stopped a crawl that ended after a handful of pages, and what would help."""
        self.teacher_report: TeacherReport | None = None
        """What asking the teacher has cost, if there is one."""
        self.answer: Answer | None = None
        """Answers questions about pages if the option `ask` is set; the command line asks its user."""
        self._strategy = strategy
        self._resuming = False
        self._in_vain = False
        """Whether no seed could be fetched: such a crawl is removed, so that it can be started again."""
        self._stopping = ""
        self._events = EventQueue()
        self._watching = Watching(monitor or Monitor(), self.location, self.figures)
        self._opened_at = time.monotonic()
        self._worker: Worker | None = None
        self._closing = AsyncExitStack()
        self._running: asyncio.Task[str] | None = None
        self._taking: Taking | None = None
        self._judging: JudgingAgain | None = None
        self._warc: WarcWriter | None = None
        self._archive: Archive | None = None
        self._parser: ParserPool | None = None
        self._effect = InEffect(config)
        self._secrets: dict[str, Any] = {}
        self._membership: Membership | None = None
        self._recalled = 0
        self._unsent = False
        """Whether another process ran the crawl, so that no changes were sent; opening it will be refused."""
        self._hosts = Hosts()
        self._folder = PageFolder(Path(config.pages_folder)) if config.pages_folder else None

    @property
    def config(self) -> Config:
        """The configuration in effect."""
        return self._effect.config

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
        crawl._secrets = {name: value for name, value in changes.items() if name in SECRETS}
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
        seeds = assembly.seed_urls(self.config)
        if not seeds and not self._resuming:
            raise SeedError("there is no seed to start from; give at least one with --seed URL")
        if not self._resuming:
            self._check_secrets()
        if self.config.teacher:
            assembly.make_teacher(self.config)  # Refuses a wrong address before anything is written.
        assembly.check_encoder(self.config)
        topic = assembly.make_topic(self.config)
        resumed = self.location if self._resuming else ""
        strategy = assembly.make_strategy(self.config, topic, self._strategy, resumed)
        encoder = assembly.encoder_of_crawl(self.config, strategy)
        scope = assembly.make_scope(self.config, seeds)
        self._hosts = assembly.make_hosts(self.config, self._effect.rules)
        await self._closing.enter_async_context(self._watching)
        fetcher = assembly.make_fetcher(self.config, seeds)
        self._closing.push_async_callback(fetcher.close)
        store = await self._open_store(scope, self._hosts)
        committed = await store.commit(Batch(seeds=assembly.seed_leases(self.config)))
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
                recalled=self._recalled,
                membership=self._membership,
            ),
            Listeners(
                tell=self._tell,
                behind=self._events.behind,
                keep=self._keep if self._warc or self._folder else None,
                unkeep=self._unkeep,
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
            Rounds(EARLY_ROUND if self.config.stop == "auto" else FIRST_ROUND),
            language=self.config.language,
            phrases=lambda: parser.phrases,
            make_strategy=self._fresh_strategy,
        )
        # Commands that were sent since the crawl stopped are taken before anything else happens.
        await self.take_commands()
        if self._membership is not None:
            self._membership.store.watch(self._wake_for_news(self._worker))
        self._know_secrets()
        if self._worker.paused:
            self._tell_of_pause()

    def _wake_for_news(self, worker: Worker) -> Callable[[bool], None]:
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

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._closing.aclose()
        await self._watching.end(self._ending(error), Guard(self.config.allow_private))
        if self._in_vain:
            self.storage.discard()

    def _tell(self, event: Event) -> None:
        self._events.tell(event)
        self._watching.tell(event)

    def _ending(self, error: BaseException | None) -> Ending:
        """What the webhook is told."""
        failed = "" if error is None else str(error) or "stopped at once"
        return Ending(
            event="failed" if failed else "finished",
            crawl=self.location,
            topic=self.config.topic,
            why=failed or self.why,
            pages=self.statistics.pages,
            relevant=self.statistics.relevant,
            harvest_ratio=self.statistics.harvest_ratio,
            queued=self.frontier_size,
            seconds=round(time.monotonic() - self._opened_at, 3),
            version=version("lagotto"),
        )

    async def run(self) -> str:
        """Crawl until the budget is used, the frontier is empty or `stop` is called; returns why it ended."""
        if self._worker is None:
            raise InputError("a crawl must be opened first: async with Crawl(...) as crawl")
        self._check_secrets()
        if self._taking is not None:
            self._taking.running = True
        if self._stopping:
            self._worker.stop(self._stopping)
        try:
            reader = self._worker.store.reader()
            pages = partial(getattr, self.statistics, "pages")
            async with lessons(self.config, self.storage, reader, pages, self.answer) as self.teacher_report:
                self.why = await self._worker.run()
        except SeedError:
            self._in_vain = not self._resuming
            raise
        if self.why == EMPTY and self.frontier_size and self._effect.holds_back:
            self.why += f" but for {self.frontier_size} links that are set aside or on blocked hosts"
        if self._judging is not None:
            await self._judging.end()
        await self.take_commands()  # Answers of teachers that came last.
        if self._membership is not None and not self._membership.alone:
            return self.why  # The others go on, or whoever leads them judges all pages again.
        if self.config.judge_again:
            await self._judge_at_end()
        worker = self._worker
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
        if self._warc is not None:
            self._warc.committed()
        if self._archive is not None and self._warc is not None and self._warc.finished:
            sealed = await asyncio.to_thread(self._archive.take_sealed)
            if self._membership is not None:
                await self._membership.store.seal(sealed)
        if self._judging is not None and self.config.judge_again and self._leads:
            judging = await self._judging.go_on()
            if judging is not None and not judging.here and self.config.stop == "auto":
                self._stop_everywhere(judging.absence())

    def _fresh_strategy(self) -> Strategy:
        return assembly.make_strategy(self.config, assembly.make_topic(self.config), self._strategy)

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
                    if self._worker is not None:
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

    @property
    def frontier_size(self) -> int:
        """Links known and not concluded."""
        return self.statistics.known - self.statistics.concluded

    def figures(self) -> Figures:
        """What the metrics show of the running crawl."""
        stats = self.statistics
        return Figures(
            running=True,
            paused=self.paused,
            pages=stats.pages,
            relevant=stats.relevant,
            bytes=stats.bytes,
            known=stats.known,
            concluded=stats.concluded,
            reasons=dict(stats.reasons),
            queued=self.frontier_size,
            in_flight=self.in_flight,
            hosts_waiting=len(self.waits()),
            recent_harvest=stats.recent_harvest_ratio,
        )

    @property
    def hosts(self) -> int:
        """Hosts with links in the frontier."""
        return self._worker.frontier.hosts if self._worker else 0

    @property
    def in_flight(self) -> int:
        """Links leased and not committed."""
        return self._worker.frontier.in_flight if self._worker else 0

    @property
    def full_patterns(self) -> dict[str, int]:
        """URL shapes and sites that have given enough -> links refused since, most first."""
        return self._worker.conclusions.full_patterns() if self._worker else {}

    @property
    def traps(self) -> dict[str, int]:
        """Traps that were recognised, each as a sentence -> links refused because of it, most first."""
        return self._worker.conclusions.traps() if self._worker else {}

    @property
    def full_hosts(self) -> list[str]:
        """Hosts that have given all the pages they may."""
        return self._hosts.full()

    def waits(self) -> list[Wait]:
        """Hosts that are left alone because they failed or asked for it, the shortest wait first."""
        return self._hosts.waits(time.monotonic())

    @property
    def parser_deaths(self) -> dict[str, int]:
        """How parser processes died in this run, other than killed by the pool -> how often."""
        return dict(self._parser.deaths) if self._parser else {}

    def outlook(self) -> dict[str, float]:
        """How the crawl is doing by the strategy's own judgement; empty if the strategy has none."""
        return self._worker.memory.outlook() if self._worker else {}

    def best_link(self) -> Lease | None:
        """A link that comes next; None if every host must wait, or nothing is known yet."""
        return self._worker.frontier.best() if self._worker else None

    def _tell_of_pause(self) -> None:
        sentence = f"the crawl is paused; go on with `lagotto unpause {self.location}`"
        self.notice = "; ".join(filter(None, [self.notice, sentence]))

    async def take_commands(self) -> int:
        """Take the commands that were sent since the last time; returns how many there were."""
        if self._taking is None:
            return 0
        if self._membership is not None and not self._membership.leads:
            return await self._taking.follow(self._membership.census.taken)
        return await self._taking.take()

    def _keep(self, fetched: Fetched) -> WarcPlace | None:
        if self._folder is not None and fetched.status == 200:
            self._folder.add(fetched)
        return self._warc.append(fetched) if self._warc is not None else None

    def _unkeep(self) -> None:
        if self._warc is not None:
            self._warc.cut_back()

    async def _open_archive(self, membership: Membership) -> None:
        """Begin WARC files of this worker's own, and seal those of workers that are gone."""
        files = self.storage.files
        if not files or not self.config.keep_warc:
            return
        info = {"robots": "obey" if self.config.obey_robots else "ignore"}
        archive = Archive(files, membership.owner, max_bytes=self.config.warc_size, info=info)
        self._archive, self._warc = archive, archive.writer
        store, alive = membership.store, membership.census.workers
        left = {
            each.name: each.end for each in await store.warcs() if not each.sealed and each.owner not in alive
        }
        await store.seal(seal_abandoned(files, left))

        async def close() -> None:
            await store.seal(archive.close())

        self._closing.push_async_callback(close)

    async def _open_store(self, scope: Scope, hosts: Hosts) -> Store:
        """Create or open what the crawl writes to, and count what it holds already."""
        keep_text = self.config.keep_text
        if self._resuming:
            store = await self.storage.open(keep_text=keep_text)
        else:
            store = await self.storage.create(configuration.encode(self.config), keep_text=keep_text)
        self._closing.push_async_callback(store.close)
        if self._unsent:
            raise InUse(f"the crawl in {self.location} has just ended, and was not changed; try again")
        owner = OWNER
        if self.storage.shared and isinstance(store, SharedStore):
            owner = worker_name()
            self._membership = Membership(store, owner, time.monotonic)
            await self._membership.join(max(self.config.delay, self.config.ip_delay))
            self._closing.push_async_callback(self._membership.leave)
        else:
            await store.acquire(range(SHARDS), owner)
        if self._resuming:
            self._count_what_is_there(store.reader(), scope, hosts)
        notes = list(store.notes)
        if self._membership is not None:
            await self._open_archive(self._membership)
        elif self.config.keep_warc and self.storage.folder is not None:
            self._warc = WarcWriter(
                self.storage.folder / "warc",
                await store.warc_ends(),
                max_bytes=self.config.warc_size,
                info={"robots": "obey" if self.config.obey_robots else "ignore"},
            )
            self._closing.callback(self._warc.close)
            notes += self._warc.notes
        self.notice = "; ".join([*notes, *assembly.seed_notes(self.config)])
        return store

    def _count_what_is_there(self, reader: Reader, scope: Scope, hosts: Hosts) -> None:
        status = reader.status()
        stats = self.statistics
        stats.pages, stats.relevant, stats.bytes = status.pages, status.relevant, status.bytes
        stats.known, stats.concluded = status.known, status.concluded
        stats.reasons.update(status.reasons)
        self._recalled = assembly.recall(scope, reader.fetched(), hosts)
