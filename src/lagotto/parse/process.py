"""The parent's end of one parser process."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections import deque
from pathlib import Path
from typing import NamedTuple, Self, cast

from lagotto.base.records import Failure, Page
from lagotto.parse.job import HEADER, READY, read_result

START_SECONDS = 60.0
LATE = 1.0
"""A timer that fires this many seconds late shows that our own process was stopped."""
_POLL = 0.01
# Else the memory of a usual page goes back to the kernel after it, and is asked for again for the next one.
_KEEP_MEMORY = {"MALLOC_MMAP_THRESHOLD_": str(16 << 20), "MALLOC_TRIM_THRESHOLD_": str(32 << 20)}
_REAP_SECONDS = 5.0


class Died(NamedTuple):
    """The process ended while it was parsing this page."""

    how: str
    """Such as `SIGKILL` or `exit code 1`."""
    overdue: bool = False
    """The page used up its CPU time, or the wall-clock limit."""

    @property
    def starved(self) -> bool:
        """Whether a library gave up because it got no more memory: those in C++ and Rust abort then."""
        return self.how == signal.SIGABRT.name


class _Question(NamedTuple):
    """A page sent to the process; the answer is None if the process ended first."""

    answer: asyncio.Future[tuple[int, memoryview] | None]
    seconds: float


class ParserProcess(asyncio.Protocol):
    """A child process and the socket to it.

    Pages may be sent while another one is being parsed, so that the child never has to wait for the parent.
    They are answered in order. The wall-clock limit of a page starts when the page before it is answered.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.alive = True
        self._transport: asyncio.Transport | None = None
        self._buffer = bytearray()
        self._questions: deque[_Question] = deque()
        self._loaded: _Question | None = None
        """The first answer, which comes without being asked: the child has loaded its modules."""
        self._timer: asyncio.TimerHandle | None = None
        self._parsing: _Question | None = None
        """The page that was being parsed when the child ended by itself, or overran the wall-clock limit."""
        self._overdue = False
        self._let_go = False

    @classmethod
    async def start(cls, memory: int) -> Self:
        """Start a child that may use this many bytes of memory; raises OSError if that is impossible."""
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                process = _spawn(theirs.fileno(), memory)
        except OSError:
            ours.close()
            raise
        loop = asyncio.get_running_loop()
        _, child = await loop.create_connection(lambda: cls(process), sock=ours)
        return child

    @property
    def waiting(self) -> int:
        """Pages sent and not answered yet."""
        return len(self._questions)

    async def ready(self) -> bool:
        """Wait until the child has loaded its modules; False if it ended before."""
        assert self._loaded is not None
        answer = await self._loaded.answer
        return answer is not None and answer[0] == READY

    async def ask(self, frame: bytearray, seconds: float) -> Page | Failure | Died | None:
        """Send a job and wait for its result; None if the child ended before it came to this one.

        `seconds` is the wall-clock limit.
        """
        question = self._question(seconds)
        if self._transport is not None:
            self._transport.write(frame)
        try:
            answer = await question.answer
        except asyncio.CancelledError:
            if self._questions and self._questions[0] is question:
                self.end()
            raise
        if answer is not None:
            return read_result(*answer)
        if question is not self._parsing:
            return None
        how = await self.fate()
        return Died(how, self._overdue or how == signal.SIGPROF.name)

    async def fate(self) -> str:
        """How the child ended: the name of a signal, or its exit code."""
        for _ in range(int(_REAP_SECONDS / _POLL)):
            code = self.process.poll()
            if code is not None:
                return signal.Signals(-code).name if code < 0 else f"exit code {code}"
            await asyncio.sleep(_POLL)
        return "no answer"

    def end(self) -> None:
        """Kill the child; pages that wait there must be sent to another one."""
        self.process.kill()
        self.hang_up()

    def hang_up(self) -> None:
        """Close the socket, upon which an idle child ends."""
        self.alive = False
        self._let_go = True
        if self._transport is not None:
            self._transport.abort()

    def _question(self, seconds: float) -> _Question:
        """Expect one more answer from the child."""
        question = _Question(asyncio.get_running_loop().create_future(), seconds)
        if self.alive:
            self._questions.append(question)
            if len(self._questions) == 1:
                self._start_clock()
        else:
            question.answer.set_result(None)
        return question

    def _start_clock(self) -> None:
        """Start the wall-clock limit of the first page in line, if there is one."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._questions:
            loop = asyncio.get_running_loop()
            when = loop.time() + self._questions[0].seconds
            self._timer = loop.call_at(when, self._expire, when)

    def _expire(self, when: float) -> None:
        if asyncio.get_running_loop().time() - when > LATE:
            self._start_clock()  # We were stopped, and the child perhaps as well: it gets its time again.
            return
        self._overdue = True
        self.process.kill()

    # Called by asyncio.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the socket's transport, and expect that the child is ready."""
        self._transport = cast("asyncio.Transport", transport)
        self._loaded = self._question(START_SECONDS)

    def data_received(self, data: bytes) -> None:
        """Collect frames."""
        self._buffer += data
        while len(self._buffer) >= HEADER.size:
            length, kind = HEADER.unpack_from(self._buffer)
            end = HEADER.size + length
            if len(self._buffer) < end:
                return
            frame, self._buffer = self._buffer, self._buffer[end:]
            question = self._questions.popleft()
            self._start_clock()
            if not question.answer.done():
                question.answer.set_result((kind, memoryview(frame)[HEADER.size : end]))

    def connection_lost(self, error: Exception | None) -> None:
        """The child has ended, or we closed the socket."""
        self.alive = False
        questions, self._questions = self._questions, deque()
        self._start_clock()
        if questions and not self._let_go:
            self._parsing = questions[0]
        for question in questions:
            if not question.answer.done():
                question.answer.set_result(None)


def _spawn(fd: int, memory: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "lagotto.parse.child", str(fd), str(memory)],
        pass_fds=[fd],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=_environment(),
        # Ctrl-C goes to the crawl alone, which then lets its children finish or ends them.
        start_new_session=True,
    )


def _environment() -> dict[str, str]:
    """Let the child import this package and keep freed memory, its numeric libraries start no threads."""
    source = str(Path(__file__).parents[2])
    paths = [source, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return {**os.environ, **threads, **_KEEP_MEMORY, "PYTHONPATH": os.pathsep.join(paths)}
