"""The parent's end of one parser process."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Self, cast

from lagotto.parse.wire import HEADER, READY, read_result
from lagotto.records import Failure, Page, Reason

START_SECONDS = 60.0


class ParserProcess(asyncio.Protocol):
    """A child process and the socket to it; one question at a time."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.alive = True
        self._transport: asyncio.Transport | None = None
        self._buffer = bytearray()
        self._answer: asyncio.Future[tuple[int, memoryview] | None] | None = None
        self._overdue = False

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

    async def ready(self) -> bool:
        """Wait until the child has loaded what it needs; False if it never will."""
        self._answer = asyncio.get_running_loop().create_future()
        answer = await self._wait(START_SECONDS)
        return answer is not None and answer[0] == READY

    async def ask(self, frame: bytes, seconds: float) -> Page | Failure:
        """Send a job and wait for its result."""
        self._answer = asyncio.get_running_loop().create_future()
        if self._transport is not None:
            self._transport.write(frame)
        answer = await self._wait(seconds)
        if answer is not None:
            return read_result(*answer)
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

    def hang_up(self) -> None:
        """Close the socket, upon which an idle child ends."""
        self.alive = False
        if self._transport is not None:
            self._transport.abort()

    async def _wait(self, seconds: float) -> tuple[int, memoryview] | None:
        if self._answer is None or not self.alive:
            return None
        timer = asyncio.get_running_loop().call_later(seconds, self._expire)
        try:
            return await self._answer
        finally:
            timer.cancel()
            self._answer = None

    def _expire(self) -> None:
        self._overdue = True
        self.process.kill()

    # Called by asyncio.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the socket's transport."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Collect a frame; there is never more than one on its way."""
        self._buffer += data
        if len(self._buffer) < HEADER.size:
            return
        length, kind = HEADER.unpack_from(self._buffer)
        if len(self._buffer) < HEADER.size + length:
            return
        frame = self._buffer
        self._buffer = bytearray()
        if self._answer is not None and not self._answer.done():
            self._answer.set_result((kind, memoryview(frame)[HEADER.size :]))

    def connection_lost(self, error: Exception | None) -> None:
        """The child is gone, or we let it go."""
        self.alive = False
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(None)


def _environment() -> dict[str, str]:
    """Where to find this very package, and no threads for arithmetic that needs none."""
    source = str(Path(__file__).parents[2])
    paths = [source, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return {**os.environ, **threads, "PYTHONPATH": os.pathsep.join(paths)}
