"""One crawl as the server sees it: readers in threads of their own, and answers kept for a while."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Generic, Protocol, TypeVar

from lagotto.base.protocols import Reader, Storage
from lagotto.crawling.config import decode
from lagotto.crawling.steering.effect import InEffect, in_effect
from lagotto.harvest.search import Search
from lagotto.serve.crawl_folder import CrawlFolder, refuse_links_in
from lagotto.serve.web.events import Follower
from lagotto.store import storage_at

T = TypeVar("T")

LEAST = 1.0
"""Seconds that an answer is kept at least."""
SHARE = 20
"""An answer is kept this many times as long as it took to make, so that making it takes 5 % of the time."""
MOST = 64
"""Answers that are kept at most."""


class Remembered:
    """Answers by a key, each made again only when it is old; several askers wait for the same making."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._answers: OrderedDict[Hashable, tuple[float, Any]] = OrderedDict()
        """Key -> when the answer is too old, and the answer."""
        self._making: dict[Hashable, asyncio.Task[Any]] = {}

    async def get(self, key: Hashable, make: Callable[[], Awaitable[T]], least: float = LEAST) -> T:
        """The answer under a key, made if there is none or it is old."""
        now = self._clock()
        if key in self._answers and self._answers[key][0] > now:
            kept: T = self._answers[key][1]
            return kept
        if key not in self._making:
            task = self._making[key] = asyncio.ensure_future(self._make(key, make, least))
            task.add_done_callback(lambda _: self._making.pop(key, None))
        # A viewer that leaves must not take the answer away from the others.
        answer: T = await asyncio.shield(self._making[key])
        return answer

    async def _make(self, key: Hashable, make: Callable[[], Awaitable[T]], least: float) -> T:
        began = self._clock()
        answer = await make()
        ended = self._clock()
        self._answers[key] = (ended + max(least, SHARE * (ended - began)), answer)
        self._answers.move_to_end(key)
        while len(self._answers) > MOST:
            self._answers.popitem(last=False)
        return answer

    def forget(self) -> None:
        """Make every answer again when it is asked for: something has changed."""
        self._answers.clear()


class Closable(Protocol):
    """What a thread keeps open."""

    def close(self) -> None: ...


C = TypeVar("C", bound=Closable)


class OpenThread(Generic[C]):
    """A thread with a reader, or its like, that stays open: opening one checks the whole crawl for damage."""

    def __init__(self, storage: Storage, open: Callable[[], C]) -> None:
        self._storage = storage
        self._open = open
        self._pool = ThreadPoolExecutor(1, f"reader of {storage.location}")
        self._opened: C | None = None
        self._folder = 0
        """Inode of the crawl directory when it was opened."""

    async def run(self, ask: Callable[[C], T]) -> T:
        """Ask something; one question after the other."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._ask, ask)

    def _ask(self, ask: Callable[[C], T]) -> T:
        folder = self._storage.folder
        inode = folder.stat().st_ino if folder is not None and folder.exists() else 0
        if self._opened is None or inode != self._folder:
            self._close()
            self._opened, self._folder = self._open(), inode
        try:
            return ask(self._opened)
        except BaseException:
            self._close()  # Whatever went wrong, the next question starts anew.
            raise

    def _close(self) -> None:
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def close(self) -> None:
        """Close what is open and end the thread, when what is being read is done."""
        self._pool.submit(self._close)
        self._pool.shutdown(wait=False)


class Watched:
    """A crawl, its readers and the answers about it."""

    def __init__(self, name: str, location: str) -> None:
        self.name = name
        self.location = location
        self.storage = storage_at(location)
        self.remembered = Remembered()
        self._quick = OpenThread(self.storage, self._reader)
        self._slow = OpenThread(self.storage, self._reader)
        self._searches = OpenThread(self.storage, lambda: Search(location))
        self.follower = Follower(self.read)

    def _reader(self) -> Reader:
        refuse_links_in(self.location)
        return self.storage.reader()

    async def read(self, ask: Callable[[Reader], T]) -> T:
        """Ask something that takes milliseconds."""
        return await self._quick.run(ask)

    async def read_all(self, ask: Callable[[Reader], T]) -> T:
        """Ask something that reads much of the crawl; quick questions do not wait for it."""
        return await self._slow.run(ask)

    async def search(self, ask: Callable[[Search], T]) -> T:
        """Ask the search index, which is brought up to date by that."""
        return await self._searches.run(ask)

    def effect(self, reader: Reader) -> InEffect:
        """What holds for the crawl now; to be called by a question."""
        return in_effect(decode(self.storage.config(), self.location), reader.commands())

    def close(self) -> None:
        """Close the readers."""
        self.follower.stop()
        self._quick.close()
        self._slow.close()
        self._searches.close()


MOST_OPEN = 100
"""Crawls whose readers are kept open."""


class OpenCrawls:
    """Gives crawls by their names, and keeps the latest ones open."""

    def __init__(self, folder: CrawlFolder) -> None:
        self.folder = folder
        self._open: OrderedDict[str, Watched] = OrderedDict()

    def find(self, name: str) -> Watched:
        """The crawl with a name."""
        return self._kept(name, self.folder.location(name))

    def _kept(self, name: str, location: str) -> Watched:
        kept = self._open.get(name)
        if kept is None or kept.location != location:
            if kept is not None:
                kept.close()
            kept = self._open[name] = Watched(name, location)
        self._open.move_to_end(name)
        self._close_some()
        return kept

    def all(self) -> list[Watched]:
        """Every crawl there is now, also those that cannot be read."""
        return [self._kept(name, location) for name, location in self.folder.locations().items()]

    def _close_some(self) -> None:
        """Close the crawls that were asked for longest ago, if too many are open and nobody listens."""
        idle = [name for name, watched in self._open.items() if not watched.follower.listeners]
        for name in idle[: max(0, len(self._open) - MOST_OPEN)]:
            self._open.pop(name).close()

    def close(self) -> None:
        """Close all readers."""
        for watched in self._open.values():
            watched.close()
        self._open.clear()
