"""Crawling from Python: `async with Crawl(...)`; `lagotto.calls` has the calls for scripts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from lagotto import assembly, registry
from lagotto import config as configuration
from lagotto.config import CONFIG_FILE, Config
from lagotto.crawling.events import Event, links_scored
from lagotto.crawling.feedback import MarkFile
from lagotto.crawling.statistics import Statistics
from lagotto.crawling.worker import Worker
from lagotto.errors import InputError, NotACrawl, SeedError
from lagotto.frontier import Scope
from lagotto.parse.pool import ParserPool
from lagotto.records import Fetched, Lease, LinkScores, Page, WarcPlace
from lagotto.store import CrawlReader, SqliteStore, WarcWriter
from lagotto.store.page_folder import PageFolder
from lagotto.text import count_terms
from lagotto.urls import SHARDS, host_of

BACKLOG = 1000
"""Events that may wait to be read before the crawl does."""


class Crawl:
    """One crawl, from its first page or from where it stopped.

        async with Crawl(config, directory) as crawl:
            async for event in crawl:
                ...

    Iterating runs the crawl and gives its events; `run` runs it without them.
    """

    def __init__(self, config: Config, directory: str | Path, *, watch_links: bool = False) -> None:
        """`watch_links` adds a `LinksScored` event for each page."""
        config.check()
        self.config = config
        self.directory = Path(directory)
        self.watch_links = watch_links
        self.statistics = Statistics()
        self.notice = ""
        """What is worth telling before the crawl begins, such as a recovery."""
        self.why = ""
        """Why the crawl ended, once it has."""
        self._resuming = False
        self._stopping = ""
        self._events: asyncio.Queue[Event | None] | None = None
        self._worker: Worker | None = None
        self._closing = AsyncExitStack()
        self._running: asyncio.Task[str] | None = None
        self._parser: ParserPool | None = None
        self._store: SqliteStore | None = None
        self._warc: WarcWriter | None = None
        self._marks: MarkFile | None = None
        self._hosts = assembly.make_hosts(config)
        self._folder = PageFolder(Path(config.pages_folder)) if config.pages_folder else None

    @classmethod
    def resume(cls, directory: str | Path, **changes: Any) -> Crawl:
        """The crawl in a directory, to go on where it stopped, with parts of its configuration changed."""
        path = Path(directory)
        if not (path / CONFIG_FILE).exists():
            raise NotACrawl(f"there is no crawl in {path}; start one with `lagotto crawl ... -o {path}`")
        crawl = cls(configuration.from_values(changes, configuration.load(path / CONFIG_FILE)), path)
        crawl._resuming = True
        return crawl

    async def __aenter__(self) -> Crawl:
        try:
            self._open()
        except BaseException:
            await self._closing.aclose()
            raise
        return self

    def _open(self) -> None:
        """Make all that the crawl is made of; what must be closed again is noted in `_closing`."""
        seeds = assembly.seed_urls(self.config)
        if not seeds and not self._resuming:
            raise SeedError("there is no seed to start from; give at least one with --seed URL")
        topic = assembly.make_topic(self.config)
        strategy = registry.build_strategy(
            self.config.strategy, topic, self.config.options, self.config.random_seed
        )
        scope = assembly.make_scope(self.config, seeds)
        fetcher = assembly.make_fetcher(self.config, seeds)
        self._closing.push_async_callback(fetcher.close)
        self._open_store(scope)
        assert self._store is not None
        self._store.acquire(range(SHARDS), "local")
        self.statistics.known += self._store.add_seeds(assembly.seed_leases(self.config)).new
        self._parser = assembly.make_parser(self.config, topic.phrases)
        self._closing.push_async_callback(self._parser.close)
        self._closing.push_async_callback(self._halt)

        def watch(page: Page, scores: LinkScores) -> None:
            self._tell(links_scored(page, scores, strategy.link_parts))

        self._worker = assembly.make_worker(
            self.config,
            store=self._store,
            strategy=strategy,
            scope=scope,
            fetcher=fetcher,
            parser=self._parser,
            statistics=self.statistics,
            hosts=self._hosts,
            keep=self._keep if self._warc or self._folder else None,
            tell=self._tell,
            watch=watch if self.watch_links else None,
            behind=self._is_behind,
            look_around=self.take_feedback,
            seeds=seeds,
            resumed=self._resuming,
        )

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._closing.aclose()

    async def run(self) -> str:
        """Crawl until the budget is used, the frontier is empty or `stop` is called; returns why it ended."""
        if self._worker is None:
            raise InputError("a crawl must be opened first: async with Crawl(...) as crawl")
        if self._stopping:
            self._worker.stop(self._stopping)
        self.why = await self._worker.run()
        return self.why

    async def __aiter__(self) -> AsyncIterator[Event]:
        events = self._events = asyncio.Queue()
        self._running = asyncio.create_task(self.run())
        self._running.add_done_callback(lambda _: events.put_nowait(None))
        try:
            while (event := await events.get()) is not None:
                if self._worker is not None:
                    self._worker.wake()
                yield event
            await self._running
        finally:
            self._events = None
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

    @property
    def stopping(self) -> bool:
        """Whether `stop` was called."""
        return bool(self._stopping)

    @property
    def frontier_size(self) -> int:
        """Links known and not concluded."""
        return self.statistics.known - self.statistics.concluded

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
        return dict(self._worker.conclusions.scope.shapes.full.most_common()) if self._worker else {}

    @property
    def full_hosts(self) -> list[str]:
        """Hosts that have given all the pages they may."""
        return self._hosts.full()

    def outlook(self) -> dict[str, float]:
        """How the crawl is doing by the strategy's own judgement; empty if the strategy has none."""
        return self._worker.memory.strategy.outlook() if self._worker else {}

    def best_link(self) -> Lease | None:
        """The link that comes next, unless its host must wait."""
        return self._worker.frontier.best() if self._worker else None

    def _tell(self, event: Event) -> None:
        if self._events is not None:
            self._events.put_nowait(event)

    def _is_behind(self) -> bool:
        """Whether whoever iterates over the events has so many left that the crawl must wait."""
        return self._events is not None and self._events.qsize() > BACKLOG

    def take_feedback(self) -> int:
        """Learn what users said of pages since the last time; returns how many marks were taken."""
        if self._marks is None or self._worker is None or self._store is None:
            return 0
        strategy, reader, taken = self._worker.memory.strategy, self._store.reader(), 0
        for mark in self._marks.new():
            terms = self._terms_of(mark.url, reader)
            sample = None if terms is None else strategy.feedback(terms, mark.on, mark.url)
            self._worker.memory.take_feedback(msgspec.json.encode(mark), sample, self._worker.frontier)
            taken += 1
        return taken

    def _terms_of(self, url: str, reader: CrawlReader) -> dict[str, int] | None:
        """Terms of a page in its own language, None if its text was not kept."""
        story = reader.story(url)
        if story is None or story.page is None:
            return None
        text, language = reader.text(story.page.number), story.page.language or self.config.language
        phrases = self._parser.phrases if self._parser else ()
        return None if text is None else count_terms(text, language, phrases)

    def _keep(self, fetched: Fetched) -> WarcPlace | None:
        if self._folder is not None and fetched.status == 200:
            self._folder.add(fetched)
        return self._warc.append(fetched) if self._warc is not None else None

    def _open_store(self, scope: Scope) -> None:
        """Create or open what the crawl writes to, and count what it holds already."""
        keep_text = self.config.keep_text
        if self._resuming:
            self._store = SqliteStore.open(self.directory, keep_text=keep_text)
        else:
            self._store = SqliteStore.create(self.directory, keep_text=keep_text)
        self._closing.callback(self._store.close)
        configuration.save(self.config, self.directory)
        if self.config.keep_warc:
            self._warc = WarcWriter(
                self.directory / "warc",
                self._store.warc_ends(),
                max_bytes=self.config.warc_size,
                info={"robots": "obey" if self.config.obey_robots else "ignore"},
            )
            self._closing.callback(self._warc.close)
        if self._resuming:
            self._count_what_is_there(scope)
        self._marks = MarkFile(self.directory, taken=len(self._store.versions("feedback")))
        self.notice = "; ".join([*self._store.notes, *(self._warc.notes if self._warc else [])])

    def _count_what_is_there(self, scope: Scope) -> None:
        with CrawlReader.open(self.directory) as reader:
            status = reader.status()
            stats = self.statistics
            stats.pages, stats.relevant, stats.bytes = status.pages, status.relevant, status.bytes
            stats.known, stats.concluded = status.known, status.concluded
            stats.reasons.update(status.reasons)
            for url, simhash in reader.fetched():
                self._hosts.fetched(host_of(url), simhash)
                scope.shapes.count(url)
