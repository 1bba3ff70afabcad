"""One crawl as the server sees it: readers in threads of their own, and answers kept for a while."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, Protocol, TypeVar

from lagotto.config import decode
from lagotto.protocols import Reader, Storage
from lagotto.searching import Search
from lagotto.steering.in_effect import InEffect, in_effect
from lagotto.store import storage_at
from lagotto.web.following import Follower
from lagotto.web.remembering import Remembered

T = TypeVar("T")


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
        self._quick = OpenThread(self.storage, self.storage.reader)
        self._slow = OpenThread(self.storage, self.storage.reader)
        self._searches = OpenThread(self.storage, lambda: Search(location))
        self.follower = Follower(self.read)

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
