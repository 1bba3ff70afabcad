"""The client: `slow://HOST:PORT/NAME?files=FOLDER` names a crawl on the server.

A request whose reply is lost is sent again over a new connection. `files` is the folder for WARC files and
the log, on the client's disk.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Self, cast
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import msgspec

from lagotto.base.batch import Batch, Committed
from lagotto.base.errors import CrawlDirectoryError
from lagotto.base.protocols import Reader, Store
from lagotto.base.records import Fetched, WarcPlace
from lagotto.store.warc.reading import read_response, stored_record
from tests.store.remote.wire import Reply, Request, pack, receive, receive_blocking


class Crawl:
    """Where a crawl is: its server, its name there, and the folder for its files here."""

    def __init__(self, location: str) -> None:
        parts = urlsplit(location)
        self.location = location
        self.address = parts.hostname or "", parts.port or 0
        self.name = parts.path.strip("/")
        files = parse_qs(parts.query).get("files")
        self.folder = Path(files[0]) if files else None
        self.connections: list[Connection | AsyncConnection] = []

    def close(self) -> None:
        """Close all connections."""
        for connection in self.connections:
            connection.close()

    async def aclose(self) -> None:
        """Close all connections, and let the event loop know."""
        self.close()
        await asyncio.sleep(0)

    def request(self, session: str, method: str, arguments: tuple[Any, ...], options: Any) -> Request:
        return Request(self.name, session, method, arguments, options)


class Connection:
    """Calls without `await`."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._session = uuid4().hex
        self._socket: socket.socket | None = None
        crawl.connections.append(self)

    def call(self, method: str, *arguments: Any, **options: Any) -> Any:
        request = self._crawl.request(self._session, method, arguments, options)
        while True:
            if self._socket is None:
                self._socket = socket.create_connection(self._crawl.address)
            try:
                self._socket.sendall(pack(request))
                return _result(receive_blocking(self._socket))
            except (EOFError, ConnectionError):
                self.close()

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None


class AsyncConnection:
    """Calls with `await`."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._session = uuid4().hex
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        crawl.connections.append(self)

    async def call(self, method: str, *arguments: Any, **options: Any) -> Any:
        request = self._crawl.request(self._session, method, arguments, options)
        while True:
            if self._streams is None:
                self._streams = await asyncio.open_connection(*self._crawl.address, limit=1 << 26)
            reader, writer = self._streams
            try:
                writer.write(pack(request))
                return _result(await receive(reader))
            except (asyncio.IncompleteReadError, ConnectionError):
                self.close()

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


def _result(reply: Reply) -> Any:
    if reply.error is not None:
        raise reply.error
    return reply.value


class SlowStorage:
    """A crawl on the server; methods that are not here are called there."""

    shared = False

    def __init__(self, location: str) -> None:
        self.crawl = Crawl(location)
        self.location = location
        self.folder = self.crawl.folder
        self.files = str(self.folder or "")

    def __getattr__(self, method: str) -> Callable[..., Any]:
        return partial(self._call, method)

    def _call(self, method: str, *arguments: Any, **options: Any) -> Any:
        connection = Connection(self.crawl)
        try:
            return connection.call(method, *arguments, **options)
        finally:
            connection.close()

    async def create(self, config: bytes, *, keep_text: bool = True) -> Store:
        store = SlowStore(self.crawl)
        await store.connection.call("create", config, keep_text=keep_text)
        if self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)
        return cast(Store, store)

    async def open(self, *, keep_text: bool = True) -> Store:
        store = SlowStore(self.crawl)
        await store.connection.call("open", keep_text=keep_text)
        return cast(Store, store)

    def reader(self) -> Reader:
        return cast(Reader, SlowReader(self.crawl))


class SlowStore:
    """The write side. A batch without a name gets one, so that it can be sent again."""

    read_ahead = 16

    def __init__(self, crawl: Crawl) -> None:
        self.notes: list[str] = []
        self.connection = AsyncConnection(crawl)
        self._crawl = crawl

    def __getattr__(self, method: str) -> Callable[..., Any]:
        return partial(self.connection.call, method)

    async def commit(self, batch: Batch) -> Committed:
        named = batch if batch.id else msgspec.structs.replace(batch, id=uuid4().hex)
        committed: Committed = await self.connection.call("commit", named)
        return committed

    def reader(self) -> Reader:
        return cast(Reader, SlowReader(self._crawl))

    async def close(self) -> None:
        await self.connection.call("close")
        self._crawl.close()


class SlowReader:
    """The read side; bodies are read from the client's disk."""

    def __init__(self, crawl: Crawl) -> None:
        self._folder = crawl.folder
        self.lost_answers: dict[WarcPlace, str] = {}
        self._connection = Connection(crawl)
        self._connection.call("reader")

    def __getattr__(self, method: str) -> Callable[..., Any]:
        return partial(self._connection.call, method)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()

    def body(self, place: WarcPlace) -> Fetched:
        return read_response(self._warc_folder(), place)

    def record(self, place: WarcPlace) -> bytes:
        return stored_record(self._warc_folder(), place)

    def _warc_folder(self) -> Path:
        if self._folder is None:
            raise CrawlDirectoryError("this crawl keeps no answers; name a folder for them with ?files=")
        return self._folder / "warc"
