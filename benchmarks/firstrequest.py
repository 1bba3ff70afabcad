"""Time from the start of a command to its first request."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence


def seconds_to_first_request(command: Callable[[str], Sequence[str]], patience: float = 60.0) -> float:
    """Run a command, given a server's address, until it has sent that server a request."""
    return asyncio.run(_seconds(command, patience))


async def _seconds(command: Callable[[str], Sequence[str]], patience: float) -> float:
    loop = asyncio.get_running_loop()
    asked: asyncio.Future[float] = loop.create_future()
    async with await loop.create_server(lambda: _Listener(asked), "127.0.0.1") as server:
        port = server.sockets[0].getsockname()[1]
        arguments = command(f"http://127.0.0.1:{port}")
        started = time.perf_counter()
        process = await asyncio.create_subprocess_exec(*arguments, stdout=asyncio.subprocess.DEVNULL)
        try:
            return await asyncio.wait_for(asked, patience) - started
        finally:
            process.kill()
            await process.wait()


class _Listener(asyncio.Protocol):
    """Records when the first bytes arrive, and never answers."""

    def __init__(self, asked: asyncio.Future[float]) -> None:
        self._asked = asked

    def data_received(self, data: bytes) -> None:
        if not self._asked.done():
            self._asked.set_result(time.perf_counter())
