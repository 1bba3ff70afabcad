"""A crawl for new pages: opened, run and closed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path
from shlex import quote
from types import TracebackType
from typing import Any

import msgspec

from lagotto.base.batch import Batch
from lagotto.base.errors import InputError, InUse, SeedError
from lagotto.base.protocols import Store
from lagotto.base.records import LinkScores, Page
from lagotto.crawling import assembly
from lagotto.crawling import config as configuration
from lagotto.crawling.archive import Keeping
from lagotto.crawling.cluster.sharing import waker
from lagotto.crawling.config import Config
from lagotto.crawling.early_end import early_end
from lagotto.crawling.index_beside import IndexBeside
from lagotto.crawling.inputs import notes, seed_leases, seed_urls
from lagotto.crawling.monitoring import Monitor
from lagotto.crawling.monitoring.monitor import Watching
from lagotto.crawling.opening import Session
from lagotto.crawling.revisit.restoring import Restoring
from lagotto.crawling.steering.compose import from_changes
from lagotto.crawling.steering.effect import InEffect, effect_at, send
from lagotto.crawling.teaching import lessons
from lagotto.crawling.worker.events import Event, EventQueue, Listeners, links_scored
from lagotto.crawling.worker.worker import EMPTY, Worker
from lagotto.fetch import Guard
from lagotto.focus import registry
from lagotto.focus.registry import AnyStrategy
from lagotto.focus.teaching import TeacherReport
from lagotto.focus.teaching.during import Answer
from lagotto.store import storage_at
from lagotto.store.sqlite.lost import lost_pages

_log = logging.getLogger(__name__)


class Crawl(Session):
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
        super().__init__(location, InEffect(config), strategy=strategy)
        self.watch_links = watch_links
        self.ended_early: list[str] = []
        """What stopped a crawl that ended after a handful of pages, and what would help."""
        self.teacher_report: TeacherReport | None = None
        """What asking the teacher has cost, if there is one."""
        self.untold = ""
        """Why the webhook was not told of the end, if it was not."""
        self.answer: Answer | None = None
        """Answers questions about pages if the option `ask` is set; the command line asks its user."""
        self._in_vain = False
        """Whether no seed could be fetched: such a crawl is removed, so that it can be started again."""
        self._events = EventQueue()
        self._watching = Watching(monitor or Monitor(), self.location, self.figures)
        self._running: asyncio.Task[str] | None = None
        self._secrets: dict[str, Any] = {}
        self._restoring: Restoring | None = None
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

    async def _open(self) -> None:
        seeds = seed_urls(self.config)
        if not seeds and not self._resuming:
            raise SeedError("there is no seed to start from; give at least one with --seed URL")
        if not self._resuming:
            self._check_secrets()
        if self.config.teacher:
            assembly.make_teacher(self.config)  # Refuses a wrong address before anything is written.
        await self._closing.enter_async_context(self._watching)
        restored = await self._restore_answers() if self._resuming else ""
        await super()._open()
        assert self._worker is not None
        if self._membership is not None:
            self._membership.store.watch(waker(self._worker))
        self._know_secrets()
        paused = f"the crawl is paused; go on with `lagotto unpause {quote(self.location)}`"
        said = [self.notice, restored, *notes(self.config), paused if self._worker.paused else ""]
        self.notice = "; ".join(filter(None, said))

    async def _restore_answers(self) -> str:
        """Fetch again the pages whose stored answers were lost; returns what came of it, as a sentence."""
        folder = self.storage.folder
        lost = lost_pages(folder) if folder is not None and self.config.keep_warc else []
        if not lost or self._unsent or self.storage.running():
            return ""
        self._check_secrets()
        async with Restoring(self.location, self._effect, lost) as restoring:
            self._restoring = restoring
            if self._stopping:
                restoring.stop(self._stopping)
            _log.warning("%s pages have lost their stored answers and are fetched again", len(lost))
            await restoring.run()
        self._restoring = None
        assert folder is not None
        left = len(lost_pages(folder))
        said = f"{len(lost) - left} pages that had lost their stored answers were fetched again"
        return f"{said}; {left} could not be" if left else said

    def stop(self, why: str = "stopped") -> None:
        """Finish what is under way and end; if all pages are being judged again, that is given up."""
        super().stop(why)
        if self._restoring is not None:
            self._restoring.stop(why)

    async def _make_worker(self, store: Store, opened: assembly.OpenCrawl, answers: Keeping) -> Worker:
        if self._unsent:
            raise InUse(f"the crawl in {self.location} has just ended, and was not changed; try again")
        if self._resuming:
            reader = store.reader()
            self.statistics.count_all(reader.status())
            opened.recalled = assembly.recall(opened.scope, reader.fetched(), opened.hosts)
        committed = await store.commit(Batch(seeds=seed_leases(self.config)))
        self.statistics.known += committed.new
        if self.config.index and self.storage.folder is not None:
            self._closing.push_async_callback(IndexBeside(self.location).finish)
        self._closing.push_async_callback(self._halt)
        self._answers, strategy = answers, opened.strategy

        def tell_scores(page: Page, scores: LinkScores) -> None:
            self._tell(links_scored(page, scores, strategy.link_parts, strategy.positive_above))

        listeners = Listeners(
            tell=self._tell,
            behind=self._events.behind,
            keep=answers.keep if answers.keeps else None,
            unkeep=answers.unkeep,
            scores=tell_scores if self.watch_links else None,
            take_commands=self._between_commits,
        )
        worker = await assembly.make_worker(self.config, opened, listeners)
        if self._effect.paused:
            worker.pause()
        return worker

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await super().__aexit__(kind, error, trace)
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
        worker = self._start()
        self._check_secrets()
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
            self.statistics.count_all(worker.store.reader().status())
        if self.why == EMPTY and self.frontier_size and self._effect.holds_back:
            self.why += f" but for {self.frontier_size} links that are set aside or on blocked hosts"
        await self.take_commands()  # Answers of teachers that came last.
        if self._membership is not None and not self._membership.alone:
            if self._rejudger is not None:
                await self._rejudger.end_rounds()
            return self.why  # The others go on, or whoever leads them judges all pages again.
        if self.config.judge_again:
            await asyncio.sleep(0)  # Whoever reads the events learns of the last pages first.
            await self._rejudge_at_end()
        self.ended_early = early_end(worker.store.reader(), worker.memory.strategy, self.why)
        return self.why

    async def _between_commits(self) -> None:
        """Take commands; judge all pages again in the background when the crawl has grown enough."""
        await self.take_commands()
        await self._answers.committed()
        if self._rejudger is not None and self.config.judge_again and self._leads:
            judging = await self._rejudger.go_on()
            if judging is not None and judging.surely_absent and self.config.stop == "auto":
                self._stop_everywhere(judging.absence())

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

    def _stop_everywhere(self, why: str) -> None:
        self.stop(why)
        if self._worker is not None:
            self._worker.stop(why, everywhere=True)

    @property
    def _leads(self) -> bool:
        return self._worker is None or self._worker.leads
