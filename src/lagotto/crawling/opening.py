"""A session: one run over a crawl, in the one process that may write to it.

A session opens the store and takes its lock, makes the strategy, the fetcher, the parser and the worker,
takes commands while it runs, judges all pages again, and closes. `session.Crawl` fetches new pages;
`revisit.session.Revisiting` visits known ones again.
"""

from __future__ import annotations

import logging
import time
from abc import ABC, abstractmethod
from contextlib import AsyncExitStack
from pathlib import Path
from shlex import quote
from types import TracebackType
from typing import Self

from lagotto.base.errors import InputError, LagottoError
from lagotto.base.protocols import SharedStore, Storage, Store
from lagotto.base.urls import SHARDS
from lagotto.base.views import Judging
from lagotto.crawling import assembly
from lagotto.crawling import config as configuration
from lagotto.crawling.archive import Keeping
from lagotto.crawling.cluster.membership import Membership, worker_name
from lagotto.crawling.config import Config
from lagotto.crawling.encoding import EncodingParser
from lagotto.crawling.figures import LiveFigures
from lagotto.crawling.frontier import Hosts
from lagotto.crawling.inputs import make_topic, seed_urls
from lagotto.crawling.rejudger import EARLY_GROWTH, EARLY_ROUND, Cut, PagesRead, Rejudger, Rounds
from lagotto.crawling.steering.apply import Taking
from lagotto.crawling.steering.commands import Stop, decode
from lagotto.crawling.steering.effect import InEffect
from lagotto.crawling.worker.process import one_numpy_thread
from lagotto.crawling.worker.worker import Worker
from lagotto.focus.registry import AnyStrategy
from lagotto.focus.strategies.base import Strategy
from lagotto.store import storage_at
from lagotto.store.sqlite.store import SqliteStore

OWNER = "local"
"""Name of the one worker of a crawl on one machine."""
_log = logging.getLogger(__name__)


async def open_store(
    storage: Storage, config: Config, closing: AsyncExitStack, *, resuming: bool, sharing: bool = True
) -> tuple[Store, Membership | None]:
    """Create or open the store of a crawl, and take its shards; `closing` gives them up and closes it.

    Where the storage is shared, this worker takes its part among others, unless it is to be alone.
    """
    if resuming:
        store = await storage.open(keep_text=config.keep_text)
    else:
        store = await storage.create(configuration.encode(config), keep_text=config.keep_text)
    closing.push_async_callback(store.close)
    if config.durability == "full" and isinstance(store, SqliteStore):
        store.keep_each_commit()
    if not (sharing and storage.shared and isinstance(store, SharedStore)):
        await store.acquire(range(SHARDS), OWNER)
        return store, None
    membership = Membership(store, worker_name(), time.monotonic)
    await membership.join(max(config.delay, config.ip_delay))
    closing.push_async_callback(membership.leave)
    return store, membership


class Session(LiveFigures, ABC):
    """One run over a crawl; what differs between runs is in the methods that are abstract here."""

    sharing = True
    """Whether several workers may do this together."""

    def __init__(self, location: str | Path, effect: InEffect, *, strategy: AnyStrategy | None) -> None:
        super().__init__()
        self.storage: Storage = storage_at(location)
        self.notice = ""
        """What is worth telling before the run begins, such as a recovery."""
        self._effect = effect
        self._strategy = strategy
        self._resuming = False
        self._stopping = ""
        self._closing = AsyncExitStack()
        self._taking: Taking | None = None
        self._rejudger: Rejudger | None = None
        self._membership: Membership | None = None

    @property
    @abstractmethod
    def config(self) -> Config:
        """The configuration of this run."""

    @property
    def location(self) -> str:
        """Where the crawl is kept, as the user wrote it."""
        return self.storage.location

    @property
    def stopping(self) -> bool:
        """Whether `stop` was called."""
        return bool(self._stopping)

    @property
    def judging(self) -> Judging | None:
        """What judging all pages again found, once that was done."""
        return self._rejudger.latest if self._rejudger else None

    @property
    def rejudging(self) -> PagesRead | None:
        """How far judging all pages again has come; None while that is not done."""
        return self._rejudger.read if self._rejudger else None

    def stop(self, why: str = "stopped") -> None:
        """Finish what is under way and end; if all pages are being judged again, that is given up."""
        self._stopping = self._stopping or why
        if self._worker is not None:
            self._worker.stop(why)
        if self._rejudger is not None:
            self._rejudger.stop()

    async def __aenter__(self) -> Self:
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
        """Make all that the run is made of; what must be closed again is kept in `_closing`."""
        seeds = seed_urls(self.config)
        assembly.check_encoder(self.config)
        self._closing.enter_context(one_numpy_thread())
        topic = make_topic(self.config)
        resumed = self.location if self._resuming else ""
        strategy = assembly.make_strategy(self.config, topic, self._strategy, resumed)
        encoder = assembly.encoder_of_crawl(self.config, strategy)
        scope, self._hosts = assembly.make_scope(self.config, seeds), self._make_hosts()
        fetcher = assembly.make_fetcher(self.config, seeds, self._conditions)
        self._closing.push_async_callback(fetcher.close)
        store, self._membership = await open_store(
            self.storage, self.config, self._closing, resuming=self._resuming, sharing=self.sharing
        )
        answers = self._make_answers(store)
        await answers.open(store, self._membership)
        self._closing.push_async_callback(answers.close)
        self.notice = "; ".join(store.notes)
        phrases = [*topic.phrases, *self._effect.phrases]
        parser = self._parser = assembly.make_parser(self.config, phrases, strategy)
        self._closing.push_async_callback(parser.close)
        opened = assembly.OpenCrawl(
            store=store,
            strategy=strategy,
            scope=scope,
            fetcher=fetcher,
            parser=parser if encoder is None else EncodingParser(parser, encoder),
            hosts=self._hosts,
            statistics=self.statistics,
            seeds=seeds,
            resumed=self._resuming,
            membership=self._membership,
        )
        worker = self._worker = await self._make_worker(store, opened, answers)
        self._taking = Taking(
            worker, self._effect, parser, lambda config: self._patience_of(config, strategy)
        )
        self._rejudger = Rejudger(
            worker,
            self.storage,
            Rounds(EARLY_ROUND, EARLY_GROWTH) if self.config.stop == "auto" else Rounds(),
            language=self.config.language,
            phrases=lambda: parser.phrases,
            make_strategy=self._fresh_strategy,
            look=self._stop_if_asked,
        )
        self._closing.callback(self._rejudger.close)
        # Commands that were sent since the last run are taken before anything else happens.
        await self.take_commands()

    @abstractmethod
    async def _make_worker(self, store: Store, opened: assembly.OpenCrawl, answers: Keeping) -> Worker:
        """The worker of this run."""

    def _make_answers(self, store: Store) -> Keeping:
        """What keeps the answers."""
        return Keeping(self.config, self.storage)

    def _conditions(self, url: str) -> list[tuple[str, str]]:
        """Further request headers for a URL."""
        return []

    def _patience_of(self, config: Config, strategy: Strategy) -> float:
        return assembly.patience_of(config, strategy)

    def _make_hosts(self) -> Hosts:
        return assembly.make_hosts(self.config, self._effect.rules)

    def _fresh_strategy(self) -> Strategy:
        return assembly.make_strategy(self.config, make_topic(self.config), self._strategy)

    def _check_secrets(self) -> None:
        """Refuse to send requests without the passwords and keys that the configuration refers to."""
        _, missing = configuration.with_secrets(self.config)
        if missing:
            raise InputError("; ".join(missing))

    def _start(self) -> Worker:
        """The worker, which commands may stop from now on."""
        if self._worker is None or self._taking is None:
            raise InputError(f"open it first: async with {type(self).__name__}(...) as run")
        self._taking.running = True
        if self._stopping:
            self._worker.stop(self._stopping)
        return self._worker

    async def take_commands(self) -> int:
        """Take the commands that were sent since the last time; returns how many there were."""
        if self._taking is None:
            return 0
        if self._membership is not None and not self._membership.leads:
            return await self._taking.follow(self._membership.census.taken)
        return await self._taking.take()

    async def _stop_if_asked(self) -> None:
        """Stop if a command waits that says so; nothing else is taken while all pages are judged."""
        assert self._worker is not None
        for sent in await self._worker.store.commands():
            if isinstance(decode(sent.content), Stop):
                self.stop(f"stopped by {sent.who or 'a command'}")

    async def rejudge(self) -> Judging | None:
        """Judge all pages again by what is known now; None if the strategy judges no page twice.

        The new verdicts are stored; each page keeps its judgement at fetch beside them.
        """
        if self._rejudger is None:
            raise InputError(f"open it first: async with {type(self).__name__}(...) as run")
        return await self._rejudger.rejudge(lambda: assembly.make_encoder(self.config))

    async def _rejudge_at_end(self) -> None:
        """Judge all pages again, unless that is stopped; without the encoder if it cannot be loaded."""
        assert self._rejudger is not None
        try:
            try:
                await self.rejudge()
            except InputError as error:
                _log.warning("all pages were judged without the encoder: %s", error)
                await self._rejudger.rejudge(lambda: None)
        except (LagottoError, OSError) as error:  # Such as too many open files: the crawl itself is done.
            if not isinstance(error, Cut):
                _log.warning("all pages could not be judged again: %s", error)
            self.why += f"; not all pages are judged again: `lagotto judge {quote(self.location)}` does that"
            await self.take_commands()
