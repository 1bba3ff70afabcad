"""Parsers: a pool of processes that can be killed, and one in this process for tests and replays."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence

from lagotto.base.errors import ParserError
from lagotto.base.records import Failure, Fetched, Page, Reason
from lagotto.parse.job import job_for, job_frame, parse_job
from lagotto.parse.process import Died, ParserProcess

CLOSE_SECONDS = 1.0
IN_LINE = 8
"""Pages sent to one process, the one being parsed included, so that it never waits for the crawl."""
WALL = 12.0
"""Wall-clock limit of a page, as a multiple of its CPU limit: for processes that hang or get no CPU."""
RETRY_WAITS = (0.5, 5.0)
"""Seconds before a page whose parser died is tried again; meanwhile memory may become free."""
START_WAITS = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Seconds between attempts to start a process."""


class InlineParser:
    """Parses in this process, one page after another, without limits."""

    def __init__(self, phrases: tuple[str, ...] = (), language: str = "en") -> None:
        self.phrases = phrases
        self.language = language

    async def parse(self, fetched: Fetched) -> Page | Failure:
        """Decode and parse the body."""
        return parse_job(job_for(fetched, self.phrases, self.language))

    async def close(self) -> None:
        """Nothing to close."""


class ParserPool:
    """Parses in up to `size` processes, each started when it is first needed.

    A page that uses more than `seconds` of CPU time or `memory` bytes is given up. A page whose process died
    is tried again in a fresh one, after each of `retry_waits`, and then given up; pages that were waiting
    behind it go to another process. If no process can be started, after each of `start_waits`, `parse`
    raises `ParserError`. `phrases` may change while the pool runs. Without `link_words`, links have hashes in
    place of their terms, context, heading and DOM path.
    """

    def __init__(
        self,
        size: int = 2,
        seconds: float = 5.0,
        memory: int = 1 << 30,
        phrases: tuple[str, ...] = (),
        language: str = "en",
        link_words: bool = True,
        retry_waits: Sequence[float] = RETRY_WAITS,
        start_waits: Sequence[float] = START_WAITS,
    ) -> None:
        self.size = size
        self.seconds = seconds
        self.memory = memory
        self.phrases = phrases
        self.language = language
        self.link_words = link_words
        self.retry_waits = tuple(retry_waits)
        self.start_waits = tuple(start_waits)
        self.deaths: Counter[str] = Counter()
        """How processes died, other than killed by this pool -> how often."""
        self._turns = asyncio.Semaphore(IN_LINE * size)
        self._starting = asyncio.Lock()
        self._children: list[ParserProcess] = []
        self._ended: list[ParserProcess] = []

    async def parse(self, fetched: Fetched) -> Page | Failure:
        """Decode and parse the body in one of the processes."""
        seconds = self.seconds
        job = job_for(fetched, self.phrases, self.language, seconds, link_words=self.link_words)
        frame = job_frame(job)
        waits = iter(self.retry_waits)
        while True:
            async with self._turns:
                result = await self._ask(frame, seconds)
            if not isinstance(result, Died):
                return result
            if result.overdue:
                return Failure(Reason.PARSE_TIMEOUT, f"not parsed within {seconds:g} s")
            wait = next(waits, None)
            if wait is None:
                tries = len(self.retry_waits) + 1
                return Failure(Reason.PARSE_CRASH, f"the parser process died {tries} times ({result.how})")
            await asyncio.sleep(wait)

    async def _ask(self, frame: bytes, seconds: float) -> Page | Failure | Died:
        """Send a job to a process; to another one if that process dies before it starts the job."""
        while True:
            child = await self._child()
            result = await child.ask(frame, WALL * seconds)
            if isinstance(result, Died) and not result.overdue:
                self.deaths[result.how] += 1
            if not child.alive or (isinstance(result, Failure) and result.reason is Reason.PARSE_MEMORY):
                self._end(child)
            if result is not None:
                return result

    async def close(self) -> None:
        """End the processes: by closing their sockets, then by killing those that remain."""
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

    async def _child(self) -> ParserProcess:
        """The least busy process, or a new one if all are busy and the pool may grow."""
        child = self._least_busy()
        # While one process starts, pages go to the others.
        if child is not None and (self._starting.locked() or self._enough(child)):
            return child
        async with self._starting:
            for wait in (*self.start_waits, None):
                child = self._least_busy()
                if child is not None and self._enough(child):
                    return child
                started = await self._start()
                if isinstance(started, ParserProcess):
                    return started
                if child is not None and child.alive:
                    return child
                if wait is not None:
                    await asyncio.sleep(wait)
        raise ParserError(
            f"no parser process can be started ({started}); "
            "free memory, processes or open files on this machine, then resume the crawl"
        )

    def _least_busy(self) -> ParserProcess | None:
        for child in [child for child in self._children if not child.alive]:
            self._end(child)
        return min(self._children, key=lambda child: child.waiting, default=None)

    def _enough(self, least_busy: ParserProcess) -> bool:
        return not least_busy.waiting or len(self._children) >= self.size

    async def _start(self) -> ParserProcess | str:
        """Start a process; returns why that failed, if it did."""
        try:
            child = await ParserProcess.start(self.memory)
        except OSError as error:
            return error.strerror or str(error)
        try:
            if await child.ready():
                self._children.append(child)
                return child
        except asyncio.CancelledError:
            self._end(child)
            raise
        how = await child.fate()
        self.deaths[how] += 1
        self._end(child)
        return how

    def _end(self, child: ParserProcess) -> None:
        """Kill a child and reap finished ones."""
        child.end()
        if child in self._children:
            self._children.remove(child)
        self._ended = [ended for ended in {*self._ended, child} if ended.process.poll() is None]
