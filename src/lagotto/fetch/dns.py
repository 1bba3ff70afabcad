"""Names to addresses: cached, also negatively, and never an address that the guard refuses."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from aiohttp.abc import AbstractResolver, ResolveResult
from msgspec import Struct

from lagotto.fetch.guard import Guard

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
        max_names: int = 50_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.guard = guard
        self.lookup = lookup or SystemLookup()
        self.timeout = timeout
        self.keep = keep
        self.keep_failure = keep_failure
        self.max_names = max_names
        self.clock = clock
        self._answers: OrderedDict[str, _Answer] = OrderedDict()
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
        """All addresses of the name, unchecked, from the cache if they are fresh."""
        answer = self._answers.get(host)
        if answer is None or answer.until <= self.clock():
            # Several requests may wait for one name; none of them may cancel it for the others.
            task = self._asking.get(host)
            if task is None:
                task = self._asking[host] = asyncio.create_task(self._ask(host, answer))
            answer = await asyncio.shield(task)
        else:
            self._answers.move_to_end(host)
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
        try:
            async with asyncio.timeout(self.timeout):
                found = await self.lookup(host)
            answer = _Answer(tuple(dict.fromkeys(found))[:_MAX_ADDRESSES], self.clock() + self.keep)
            error = "" if answer.addresses else "the name has no address"
        except TimeoutError:
            error = f"no answer within {self.timeout:g} s"
        except (OSError, UnicodeError) as failure:
            error = str(failure)
        finally:
            del self._asking[host]
        if error:
            failures = before.failures + 1 if before else 1
            pause = min(self.keep_failure * 2 ** min(failures - 1, 16), _MAX_FAILURE_SECONDS)
            answer = _Answer((), self.clock() + pause, failures, error)
        self._answers[host] = answer
        self._answers.move_to_end(host)
        while len(self._answers) > self.max_names:
            self._answers.popitem(last=False)
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
            if answer.done():  # nobody waits any more
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
        threading.Thread(target=ask, name=f"dns {host}", daemon=True).start()
        return await answer
