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

from lagotto.parse.wire import HEADER, READY, read_result
from lagotto.records import Failure, Page, Reason

START_SECONDS = 60.0


class _Question(NamedTuple):
    """A page at the child; its answer is None when the child ended."""

    answer: asyncio.Future[tuple[int, memoryview] | None]
    seconds: float


class ParserProcess(asyncio.Protocol):
    """A child process and the socket to it.

    Pages may be sent while another is being parsed, so that the child need not wait for us. They are answered
    in order; the clock of each begins when its turn comes.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.alive = True
        self._transport: asyncio.Transport | None = None
        self._buffer = bytearray()
        self._questions: deque[_Question] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._at_fault: _Question | None = None
        """What the child was at when it ended by itself, or had to be ended."""
        self._overdue = False
        self._let_go = False

    @classmethod
    async def start(cls, memory: int, seconds: float) -> Self:
        """Start a child that may use so many bytes, and so many seconds for a page."""
        ours, theirs = socket.socketpair()
        with theirs:
            process = subprocess.Popen(
                [
                    sys.executable,
                    "-P",
                    "-m",
                    "lagotto.parse.child",
                    str(theirs.fileno()),
                    str(memory),
                    str(seconds),
                ],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=_environment(),
                # Ctrl-C goes to the crawl alone; it lets its children finish, or ends them.
                start_new_session=True,
            )
        loop = asyncio.get_running_loop()
        _, child = await loop.create_connection(lambda: cls(process), sock=ours)
        return child

    @property
    def waiting(self) -> int:
        """Pages that the child has not answered yet."""
        return len(self._questions)

    async def ready(self) -> bool:
        """Wait until the child has loaded what it needs; False if it never will."""
        answer = await self._question(START_SECONDS).answer
        return answer is not None and answer[0] == READY

    async def ask(self, frame: bytes, seconds: float) -> Page | Failure | None:
        """Send a job and wait for its result; None if the child ended before it came to this one."""
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
        if question is not self._at_fault:
            return None
        if self._overdue:
            return Failure(Reason.PARSE_TIMEOUT, f"not parsed within {seconds:g} s")
        return Failure(Reason.PARSE_CRASH, self.fate())

    def fate(self) -> str:
        """How the child ended."""
        try:
            code = self.process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return "the parser process stopped answering"
        return (
            f"the parser process ended by {signal.Signals(-code).name if code < 0 else f'exit code {code}'}"
        )

    def end(self) -> None:
        """Kill the child; what is in line there has to be asked elsewhere."""
        self.process.kill()
        self.hang_up()

    def hang_up(self) -> None:
        """Close the socket, upon which an idle child ends."""
        self.alive = False
        self._let_go = True
        if self._transport is not None:
            self._transport.abort()

    def _question(self, seconds: float) -> _Question:
        """Wait for an answer, in line behind those that are waited for already."""
        question = _Question(asyncio.get_running_loop().create_future(), seconds)
        if self.alive:
            self._questions.append(question)
            if len(self._questions) == 1:
                self._start_clock()
        else:
            question.answer.set_result(None)
        return question

    def _start_clock(self) -> None:
        """The child comes to the next question, if there is one."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._questions:
            seconds = self._questions[0].seconds
            self._timer = asyncio.get_running_loop().call_later(seconds, self._expire)

    def _expire(self) -> None:
        self._overdue = True
        self.process.kill()

    # Called by asyncio.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the socket's transport."""
        self._transport = cast("asyncio.Transport", transport)

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
        """The child is gone, or we let it go."""
        self.alive = False
        questions, self._questions = self._questions, deque()
        self._start_clock()
        if questions and not self._let_go:
            self._at_fault = questions[0]
        for question in questions:
            if not question.answer.done():
                question.answer.set_result(None)


def _environment() -> dict[str, str]:
    """Where to find this very package, and no threads for arithmetic that needs none."""
    source = str(Path(__file__).parents[2])
    paths = [source, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return {**os.environ, **threads, "PYTHONPATH": os.pathsep.join(paths)}
