"""Parsers: a pool of processes that can be killed, and one in this process for tests and replays."""

from __future__ import annotations

import asyncio

from lagotto.parse.job import job_for, parse_job
from lagotto.parse.process import ParserProcess
from lagotto.parse.wire import job_frame
from lagotto.records import Failure, Fetched, Page, Reason

CLOSE_SECONDS = 1.0
IN_LINE = 8
"""Pages at a process, the one being parsed counted in: it goes on while the crawl is busy with others."""


class InlineParser:
    """Parses in this process, one page after another: nothing is limited, nothing can be killed."""

    def __init__(self, phrases: tuple[str, ...] = (), language: str = "en") -> None:
        self.phrases = phrases
        self.language = language

    async def parse(self, fetched: Fetched) -> Page | Failure:
        """Decode and parse the body."""
        return parse_job(job_for(fetched, self.phrases, self.language))

    async def close(self) -> None:
        """Nothing to end."""


class ParserPool:
    """Parses in up to `size` processes, each started when it is first needed.

    A page that takes over `seconds` or `memory` bytes, or ends its process, is given up with the
    reason; the process is replaced and the pool goes on. `phrases` may change while it runs.
    """

    def __init__(
        self,
        size: int = 2,
        seconds: float = 5.0,
        memory: int = 1 << 30,
        phrases: tuple[str, ...] = (),
        language: str = "en",
    ) -> None:
        self.size = size
        self.seconds = seconds
        self.memory = memory
        self.phrases = phrases
        self.language = language
        self._turns = asyncio.Semaphore(IN_LINE * size)
        self._starting = asyncio.Lock()
        self._children: list[ParserProcess] = []
        self._ended: list[ParserProcess] = []

    async def parse(self, fetched: Fetched) -> Page | Failure:
        """Decode and parse the body in one of the processes."""
        frame = job_frame(job_for(fetched, self.phrases, self.language))
        async with self._turns:
            while True:
                child = await self._child()
                if isinstance(child, Failure):
                    return child
                result = await child.ask(frame, self.seconds)
                if not child.alive or (isinstance(result, Failure) and result.reason is Reason.PARSE_MEMORY):
                    self._end(child)
                # A page that waited behind one that ended the process is none the worse for it.
                if result is not None:
                    return result

    async def close(self) -> None:
        """End the processes: by closing their sockets, and by force if that does not do."""
        children = self._ended + self._children
        self._children = []
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
        """The child with the least to do, or a new one if all have something to do and there may be more."""
        child = self._least_busy()
        # While one starts, the others go on with what they have.
        if child is not None and (self._starting.locked() or self._enough(child)):
            return child
        async with self._starting:
            child = self._least_busy()
            return child if child is not None and self._enough(child) else await self._start()

    def _least_busy(self) -> ParserProcess | None:
        for child in [child for child in self._children if not child.alive]:
            self._end(child)
        return min(self._children, key=lambda child: child.waiting, default=None)

    def _enough(self, least_busy: ParserProcess) -> bool:
        return not least_busy.waiting or len(self._children) >= self.size

    async def _start(self) -> ParserProcess | Failure:
        child = await ParserProcess.start(self.memory, self.seconds)
        try:
            if await child.ready():
                self._children.append(child)
                return child
        except asyncio.CancelledError:
            self._end(child)
            raise
        self._end(child)
        return Failure(Reason.PARSE_CRASH, f"a parser process could not be started ({child.fate()})")

    def _end(self, child: ParserProcess) -> None:
        """Have a child end, and bury those that did."""
        child.end()
        if child in self._children:
            self._children.remove(child)
        self._ended = [ended for ended in {*self._ended, child} if ended.process.poll() is None]
