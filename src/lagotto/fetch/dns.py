"""Resolves names to addresses: answers and failures are cached, and the guard checks each address."""

from __future__ import annotations

import asyncio
import errno
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from aiohttp.abc import AbstractResolver, ResolveResult
from cachetools import LRUCache
from msgspec import Struct

from lagotto.fetch.guard import Guard

_LOCAL = frozenset(
    {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM, errno.EAGAIN, errno.EADDRNOTAVAIL}
)


def is_local(error: BaseException) -> bool:
    """Whether our system has no more files, ports, threads or memory to give.

    >>> is_local(OSError(errno.EMFILE, "Too many open files")), is_local(ConnectionRefusedError())
    (True, False)
    """
    return isinstance(error, OSError) and not isinstance(error, socket.gaierror) and error.errno in _LOCAL


Lookup = Callable[[str], Awaitable[Sequence[str]]]
"""Addresses of a name; raises OSError when it has none."""

_MAX_ADDRESSES = 8
_MAX_FAILURE_SECONDS = 3600.0
_MAX_THREADS = 256


class AddressRefused(OSError):
    """The guard refuses the address; the message names no address, so that nothing leaks."""

    def __init__(self) -> None:
        super().__init__("not a public address")


class NameNotFound(OSError):
    """The name has no address, or none came in time."""


class _Answer(Struct):
    addresses: tuple[str, ...]
    until: float
    failures: int = 0
    error: str = ""


class Resolver(AbstractResolver):
    """The resolver that aiohttp connects by, so that the address checked is the one connected.

    A name with any refused address is refused as a whole: an honest name does not point both ways.
    """

    def __init__(
        self,
        guard: Guard,
        *,
        lookup: Lookup | None = None,
        timeout: float = 5.0,
        keep: float = 300.0,
        keep_failure: float = 60.0,
        keep_silence: float = 5.0,
        max_names: int = 50_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.guard = guard
        self.lookup = lookup or SystemLookup()
        self.timeout = timeout
        self.keep = keep
        self.keep_failure = keep_failure
        self.keep_silence = keep_silence
        self.max_names = max_names
        self.clock = clock
        self._answers: LRUCache[str, _Answer] = LRUCache(max_names)
        self._asking: dict[str, asyncio.Task[_Answer]] = {}

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Addresses of the name that may be connected to on this port, for aiohttp."""
        addresses = await self.addresses(host)
        if not all(self.guard.allows(address, port) for address in addresses):
            raise AddressRefused
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=socket.IPPROTO_TCP,
                flags=socket.AI_NUMERICHOST,
            )
            for address in addresses
        ]

    async def addresses(self, host: str) -> tuple[str, ...]:
        """All addresses of the name, unchecked; raises `NameNotFound`, or OSError if our system fails."""
        answer = self._answers.get(host)
        if answer is None or answer.until <= self.clock():
            # Several requests may wait for one name; if one is cancelled the others still need the answer.
            task = self._asking.get(host)
            if task is None:
                task = self._asking[host] = asyncio.create_task(self._ask(host, answer))
            answer = await asyncio.shield(task)
        if answer.error:
            raise NameNotFound(answer.error)
        return answer.addresses

    async def close(self) -> None:
        """Give up the lookups under way."""
        tasks = list(self._asking.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _ask(self, host: str, before: _Answer | None) -> _Answer:
        first_pause = self.keep_failure
        try:
            async with asyncio.timeout(self.timeout):
                found = await self.lookup(host)
            answer = _Answer(tuple(dict.fromkeys(found))[:_MAX_ADDRESSES], self.clock() + self.keep)
            error = "" if answer.addresses else "the name has no address"
        except TimeoutError:
            error, first_pause = f"no answer within {self.timeout:g} s", self.keep_silence
        except (OSError, UnicodeError) as failure:
            if is_local(failure):
                raise
            error = getattr(failure, "strerror", "") or str(failure)
            if isinstance(failure, socket.gaierror) and failure.errno == socket.EAI_AGAIN:
                first_pause = self.keep_silence
        finally:
            del self._asking[host]
        if error:
            failures = before.failures + 1 if before else 1
            pause = min(first_pause * 2 ** min(failures - 1, 16), _MAX_FAILURE_SECONDS)
            answer = _Answer((), self.clock() + pause, failures, error)
        self._answers[host] = answer
        return answer


class SystemLookup:
    """Asks the system's resolver, in daemon threads of its own.

    A dead name server holds a thread for many seconds: in asyncio's small pool it would hold up
    all other names, and a pool's threads are joined when the process ends.
    """

    def __init__(self) -> None:
        self._threads = asyncio.Semaphore(_MAX_THREADS)

    async def __call__(self, host: str) -> list[str]:
        """Addresses in the order in which the system prefers them."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[list[str]] = loop.create_future()

        def settle(addresses: list[str], error: Exception | None) -> None:
            self._threads.release()
            if answer.done():  # the request was cancelled meanwhile
                return
            if error is None:
                answer.set_result(addresses)
            else:
                answer.set_exception(error)

        def ask() -> None:
            addresses: list[str] = []
            error: Exception | None = None
            try:
                found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
                addresses = [str(entry[4][0]) for entry in found]
            except (OSError, UnicodeError) as failure:
                error = failure
            with suppress(RuntimeError):  # the loop has closed meanwhile
                loop.call_soon_threadsafe(settle, addresses, error)

        await self._threads.acquire()
        try:
            threading.Thread(target=ask, name=f"dns {host}", daemon=True).start()
        except RuntimeError as error:
            self._threads.release()
            raise OSError(errno.EAGAIN, "no more threads") from error
        return await answer
