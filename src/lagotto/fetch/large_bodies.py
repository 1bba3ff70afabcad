"""How much memory the large bodies that are read at once may take together."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

BUDGET = 160 << 20
"""Bytes: eight bodies of the usual largest size, as transferred and decoded."""


class LargeBodies:
    """A budget of bytes; who finds it used up waits, and is served in turn."""

    def __init__(self, budget: int = BUDGET) -> None:
        self._budget = self.free = budget
        self._waiting: deque[tuple[int, asyncio.Future[None]]] = deque()

    @asynccontextmanager
    async def room(self, size: int) -> AsyncIterator[None]:
        """Room for a body that may grow so large; one larger than the budget is read alone."""
        size = min(size, self._budget)
        await self._take(size)
        try:
            yield
        finally:
            self._give(size)

    async def _take(self, size: int) -> None:
        if not self._waiting and size <= self.free:
            self.free -= size
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append((size, turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._give(size)
            else:
                self._waiting.remove((size, turn))
                self._give(0)
            raise

    def _give(self, size: int) -> None:
        self.free += size
        while self._waiting and self._waiting[0][0] <= self.free:
            taken, turn = self._waiting.popleft()
            self.free -= taken
            turn.set_result(None)
