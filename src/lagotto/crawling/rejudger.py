"""Rejudges the pages of an open crawl in a thread: in rounds while it runs, and all of them at its end.

The event loop stays free for signals, commands and the crawl itself. Only the loop writes to the store.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from asyncio import FIRST_COMPLETED
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from concurrent.futures import Future
from typing import Any, TypeVar

from msgspec import Struct

from lagotto.base.errors import LagottoError
from lagotto.base.protocols import Storage
from lagotto.base.views import JudgedPage, Judging
from lagotto.crawling.rejudging import JudgedPages, NewVerdicts, judge_pages, store_verdicts
from lagotto.crawling.worker.process import give_back
from lagotto.crawling.worker.worker import Worker
from lagotto.focus.judging.encoder import Encoder
from lagotto.focus.strategies.base import Strategy

_log = logging.getLogger(__name__)
_T = TypeVar("_T")

FIRST_ROUND, GROWTH = 2000, 10
"""Pages before the first round, and growth of a crawl from one round to the next."""
EARLY_ROUND, EARLY_GROWTH = 150, 3
"""The same for a crawl that stops by itself if the topic is not there."""
POLL = 0.5
"""Seconds between two looks at whether somebody asks to stop."""


class Cut(LagottoError):
    """Judging again was stopped before its end."""

    def __init__(self) -> None:
        super().__init__("stopped before all pages were judged again; their verdicts are as before")


class PagesRead(Struct):
    """How far judging again has come."""

    done: int = 0
    pages: int = 0
    """All pages to be judged."""
    stopped: bool = False
    """Whether to read no further; may be set from any thread."""


class _Watched:
    """A reader whose pages are counted as they are read, until the reading is stopped."""

    def __init__(self, reader: JudgedPages, read: PagesRead) -> None:
        self._reader = reader
        self._read = read

    def judged_pages(self, counting: int = 0, *, with_text: bool = True) -> Iterator[JudgedPage]:
        self._read.done = 0
        for page in self._reader.judged_pages(counting, with_text=with_text):
            if self._read.stopped:
                raise Cut
            self._read.done += 1
            yield page


async def in_thread(work: Callable[[], _T]) -> _T:
    """Like `asyncio.to_thread`, but the process does not wait for the thread when it ends."""
    ended: Future[_T] = Future()

    def run() -> None:
        try:
            ended.set_result(work())
        except BaseException as error:
            ended.set_exception(error)

    ended.set_running_or_notify_cancel()  # From now on only the thread ends it.
    threading.Thread(target=run, name="rejudge", daemon=True).start()
    return await asyncio.wrap_future(ended)


class Rounds:
    """Runs one round at a time in a thread, so that the crawl goes on meanwhile."""

    def __init__(self, first: int = FIRST_ROUND, growth: int = GROWTH) -> None:
        self._due_at = first
        self._growth = growth
        self._round: asyncio.Task[NewVerdicts | None] | None = None

    def due(self, pages: int) -> bool:
        """Whether a round should start after so many pages."""
        return self._round is None and pages >= self._due_at

    def start(self, pages: int, rejudge: Callable[[], NewVerdicts | None]) -> None:
        """Start a round; `rejudge` must share nothing with the crawl that changes."""
        self._due_at = self._growth * pages
        self._round = asyncio.create_task(in_thread(rejudge))

    def verdicts(self) -> NewVerdicts | None:
        """What a round found that has ended since the last call."""
        if self._round is None or not self._round.done():
            return None
        ended, self._round = self._round, None
        try:
            return ended.result()
        except (LagottoError, OSError) as error:
            # Such as too many open files: the crawl goes on, and judges all pages at its end.
            _log.warning("a round of judging all pages again failed: %s", error)
            return None

    async def end(self) -> None:
        """Wait for a round that is under way; what it found is thrown away."""
        if self._round is not None:
            ended, self._round = self._round, None
            await asyncio.gather(ended, return_exceptions=True)


class Rejudger:
    """Judges the pages of a worker's crawl again, and stores the new verdicts."""

    def __init__(
        self,
        worker: Worker,
        storage: Storage,
        rounds: Rounds,
        *,
        language: str,
        phrases: Callable[[], Sequence[str]],
        make_strategy: Callable[[], Strategy],
        look: Callable[[], Awaitable[object]],
    ) -> None:
        """`make_strategy` makes a strategy that has learned nothing; a round loads what was learned.

        `look` is called now and then while all pages are judged; it may call `stop`.
        """
        self.latest: Judging | None = None
        """What was found the last time."""
        self.read: PagesRead | None = None
        """How far judging all pages has come, while that goes on."""
        self._worker = worker
        self._storage = storage
        self._rounds = rounds
        self._round_read = PagesRead()
        self._language = language
        self._phrases = phrases
        self._make_strategy = make_strategy
        self._look = look
        self._stopped = asyncio.Event()

    async def rejudge(self, make_encoder: Callable[[], Encoder | None]) -> Judging | None:
        """Judge all pages by what is known now; None if the strategy judges no page twice.

        Nothing may be learned meanwhile. Raises `Cut` once `stop` is called, and then stores nothing.
        """
        strategy, phrases = self._worker.memory.strategy, self._phrases()
        read = self.read = PagesRead(pages=self._worker.store.reader().status().pages)
        self._stopped.clear()
        try:
            await self._unless_stopped(self.end_rounds())
            found = await self._unless_stopped(
                in_thread(lambda: self._verdicts(strategy, phrases, read, make_encoder()))
            )
        finally:
            read.stopped, self.read = True, None
        return await self._store(found)

    def stop(self) -> None:
        """Have `rejudge` give up at once; what its thread still does is thrown away."""
        self._stopped.set()

    async def _unless_stopped(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Wait for what goes on in a thread, and look now and then whether to stop."""
        running, stopped = asyncio.create_task(work), asyncio.create_task(self._stopped.wait())
        try:
            while not running.done():
                if stopped.done():
                    raise Cut
                ended, _ = await asyncio.wait([running, stopped], timeout=POLL, return_when=FIRST_COMPLETED)
                if not ended:
                    await self._look()
            return running.result()
        finally:
            running.cancel()
            stopped.cancel()

    async def go_on(self) -> Judging | None:
        """Start a round if one is due; returns what a round found that has ended."""
        pages = self._worker.statistics.pages
        if self._rounds.due(pages):
            self._rounds.start(pages, self._round())
        return await self._store(self._rounds.verdicts())

    async def end_rounds(self) -> None:
        """End a round that is under way; its verdicts are not stored."""
        self.close()
        await self._rounds.end()

    def close(self) -> None:
        """Have a round that is under way read no further."""
        self._round_read.stopped = True

    def _round(self) -> Callable[[], NewVerdicts | None]:
        """A function that judges all pages in another thread, with a copy of what was learned."""
        state, phrases = self._worker.memory.strategy.save(), self._phrases()
        read = self._round_read = PagesRead()

        def rejudge() -> NewVerdicts | None:
            strategy = self._make_strategy()
            if state:
                strategy.load(state)
            return self._verdicts(strategy, phrases, read)

        return rejudge

    def _verdicts(
        self, strategy: Strategy, phrases: Sequence[str], read: PagesRead, encoder: Encoder | None = None
    ) -> NewVerdicts | None:
        """Judge all pages; called in a thread."""
        try:
            with self._storage.reader() as reader:
                watched = _Watched(reader, read)
                return judge_pages(
                    watched, strategy, language=self._language, phrases=phrases, encoder=encoder
                )
        finally:
            give_back()

    async def _store(self, found: NewVerdicts | None) -> Judging | None:
        """Commit new verdicts, and count by them."""
        if found is None:
            return None
        store = self._worker.store
        await store_verdicts(store, found, self._worker.listeners.tell)
        self.latest = found.judging
        self._worker.statistics.relevant = store.reader().status().relevant
        return found.judging
