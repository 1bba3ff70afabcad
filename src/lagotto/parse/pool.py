"""Parsers: a pool of processes that can be killed, and one in this process for tests and replays."""

from __future__ import annotations

import asyncio

from lagotto.parse.job import job_for, parse_job
from lagotto.parse.process import ParserProcess
from lagotto.parse.wire import job_frame
from lagotto.records import Failure, Fetched, Page, Reason

CLOSE_SECONDS = 1.0


class InlineParser:
    """Parses in this process, one page after another: nothing is limited, nothing can be killed."""

    def __init__(self, phrases: tuple[str, ...] = ()) -> None:
        self.phrases = phrases

    async def parse(self, fetched: Fetched) -> Page | Failure:
        """Decode and parse the body."""
        return parse_job(job_for(fetched, self.phrases))

    async def close(self) -> None:
        """Nothing to end."""


class ParserPool:
    """Parses in up to `size` processes, each started when it is first needed.

    A page that takes over `seconds` or `memory` bytes, or ends its process, is given up with the
    reason; the process is replaced and the pool goes on. `phrases` may change while it runs.
    """

    def __init__(
        self, size: int = 2, seconds: float = 5.0, memory: int = 1 << 30, phrases: tuple[str, ...] = ()
    ) -> None:
        self.size = size
        self.seconds = seconds
        self.memory = memory
        self.phrases = phrases
        self._turns = asyncio.Semaphore(size)
        self._idle: list[ParserProcess] = []
        self._ended: list[ParserProcess] = []

    async def parse(self, fetched: Fetched) -> Page | Failure:
        """Decode and parse the body in one of the processes."""
        frame = job_frame(job_for(fetched, self.phrases))
        async with self._turns:
            child = await self._child()
            if isinstance(child, Failure):
                return child
            try:
                result = await child.ask(frame, self.seconds)
            except asyncio.CancelledError:
                self._end(child)
                raise
            out_of_memory = isinstance(result, Failure) and result.reason is Reason.PARSE_MEMORY
            if child.alive and not out_of_memory:
                self._idle.append(child)
            else:
                self._end(child)
            return result

    async def close(self) -> None:
        """End the processes: by closing their sockets, and by force if that does not do."""
        children = self._ended + self._idle
        self._idle = []
        self._ended = []
        for child in children:
            child.hang_up()
        deadline = asyncio.get_running_loop().time() + CLOSE_SECONDS
        while any(child.process.poll() is None for child in children):
            if asyncio.get_running_loop().time() > deadline:
                for child in children:
                    child.process.kill()
            await asyncio.sleep(0.005)

    async def _child(self) -> ParserProcess | Failure:
        """An idle child, the one used last, or else a new one."""
        self._ended = [child for child in self._ended if child.process.poll() is None]
        while self._idle:
            child = self._idle.pop()
            if child.alive:
                return child
            self._end(child)
        child = await ParserProcess.start(self.memory, self.seconds)
        if await child.ready():
            return child
        self._end(child)
        return Failure(Reason.PARSE_CRASH, f"a parser process could not be started ({child.fate()})")

    def _end(self, child: ParserProcess) -> None:
        child.process.kill()
        child.hang_up()
        self._ended.append(child)
