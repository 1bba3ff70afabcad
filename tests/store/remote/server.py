"""The server: keeps each crawl in a SQLite file, and may be called by any number of workers and readers.

Run as `python -m tests.store.remote.server FOLDER LOSE`; prints its port, and ends when its input ends.
"""

from __future__ import annotations

import asyncio
import inspect
import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from lagotto.base.errors import CrawlDirectoryError, NotACrawl
from lagotto.store.sqlite import database
from lagotto.store.sqlite.commands import CommandFile
from lagotto.store.sqlite.reader import SqliteReader
from lagotto.store.sqlite.storage import SqliteStorage
from lagotto.store.sqlite.store import SqliteStore
from tests.store.remote.wire import Reply, Request, pack, receive

LATENCY = 0.002
NOT_TWICE = {"create", "open", "reader", "close", "send", "acquire"}
"""Methods whose reply is kept: sent again, they are not called again. A batch has a name of its own."""


class Server:
    """Answers requests; the reply to every `lose`-th is lost, and the connection with it."""

    def __init__(self, folder: Path, lose: int) -> None:
        self.folder = folder
        self.lose = lose
        self.lost: Counter[str] = Counter()
        self._requests = 0
        self._sessions: dict[str, SqliteStore | SqliteReader] = {}
        self._connected: Counter[str] = Counter()
        """Crawl -> connections of its workers."""
        self._kept: dict[str, Reply] = {}

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection, one after the other."""
        worked_on: set[str] = set()
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                request: Request = await receive(reader)
                await asyncio.sleep(LATENCY)
                reply = self._answer(request)
                self._connected.subtract(worked_on)
                worker = isinstance(self._sessions.get(request.session), SqliteStore)
                worked_on = {request.name} if worker else set()
                self._connected.update(worked_on)
                self._requests += 1
                if self.lose and self._requests % self.lose == 0:
                    self.lost[request.method] += 1
                    break
                writer.write(pack(reply))
                await writer.drain()
        self._connected.subtract(worked_on)
        writer.close()

    def _answer(self, request: Request) -> Reply:
        if request.id in self._kept:
            return self._kept[request.id]
        try:
            reply = Reply(self._call(request))
        except Exception as error:
            reply = Reply(error=error)
        if request.method in NOT_TWICE:
            self._kept[request.id] = reply
        return reply

    def _call(self, request: Request) -> Any:
        session = self._sessions.get(request.session)
        own = None if session is not None else getattr(self, f"_{request.method}", None)
        if own is not None:
            return own(request, *request.arguments, **request.options)
        of = SqliteStorage(self.folder / request.name) if session is None else session
        result = getattr(of, request.method)(*request.arguments, **request.options)
        if inspect.iscoroutine(result):
            result = _finished(result)
        if request.method == "close":
            del self._sessions[request.session]
        return iter(list(result)) if isinstance(result, Iterator) else result

    # What differs from a crawl directory: nobody locks it, as epochs decide who may write.

    def _lost(self, request: Request) -> Counter[str]:
        return self.lost

    def _running(self, request: Request) -> bool:
        return self._connected[request.name] > 0

    def _create(self, request: Request, config: bytes, *, keep_text: bool) -> None:
        directory = self.folder / request.name
        storage = SqliteStorage(directory)
        if storage.exists():
            raise CrawlDirectoryError(f"{request.name} holds a crawl already")
        directory.mkdir(parents=True)
        database.create(directory / database.FILE, config)
        self._open(request, keep_text=keep_text)

    def _open(self, request: Request, *, keep_text: bool) -> None:
        directory = self.folder / request.name
        if not (directory / database.FILE).exists():
            raise NotACrawl(f"there is no crawl in {request.name}")
        db = database.connect_to_write(directory / database.FILE)
        store = SqliteStore(db, directory, CommandFile(directory), keep_text=keep_text)
        self._sessions[request.session] = store

    def _reader(self, request: Request) -> None:
        self._sessions[request.session] = SqliteReader.open(self.folder / request.name)


def _finished(coroutine: Any) -> Any:
    """Result of a coroutine that never suspends."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value
    raise AssertionError("the coroutine suspended")


async def main(folder: Path, lose: int) -> None:
    """Serve until the standard input ends."""
    server = await asyncio.start_server(Server(folder, lose).serve, "127.0.0.1", 0, limit=1 << 26)
    print(server.sockets[0].getsockname()[1], flush=True)
    over = asyncio.Event()
    asyncio.get_running_loop().add_reader(sys.stdin.fileno(), over.set)
    await over.wait()
    os._exit(0)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
