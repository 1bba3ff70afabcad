"""A budget in bytes for the large bodies of all requests together."""

from __future__ import annotations

import asyncio
from collections import deque

BUDGET = 128 * 1024 * 1024
LARGE = 1024 * 1024
"""Bodies up to this size are not counted: there are never more of them than connections."""
PATIENCE = 30.0
"""Seconds without any release after which a body is let in all the same, so that a caller who keeps answers
gets further ones, if slowly."""


class BodyMemory:
    """Bytes of large bodies, from when a body grows large until its answer is dropped.

    A body claims at once all that it may come to need, so that bodies never wait for each other half-read.
    Claims are granted in order. A body that is larger than the budget is let in when it is alone.
    """

    def __init__(self, budget: int = BUDGET, patience: float = PATIENCE) -> None:
        self.budget = budget
        self.patience = patience
        self.used = 0
        self._waiting: deque[tuple[int, asyncio.Future[None]]] = deque()

    async def claim(self, size: int) -> Share:
        """Wait until there is room for this many bytes."""
        if not self._waiting and self._has_room(size):
            self.used += size
            return Share(self, size)
        turn = size, asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        while not turn[1].done():
            used = self.used
            try:
                await asyncio.wait([turn[1]], timeout=self.patience)
            except asyncio.CancelledError:
                self._give_up(turn)
                raise
            if self.used == used and self._waiting and self._waiting[0] is turn:
                self._let_in()
        return Share(self, size)

    def give_back(self, size: int) -> None:
        """Free bytes, and let in bodies that wait for them."""
        self.used -= size
        while self._waiting and self._has_room(self._waiting[0][0]):
            self._let_in()

    def _has_room(self, size: int) -> bool:
        return not self.used or self.used + size <= self.budget

    def _let_in(self) -> None:
        size, turn = self._waiting.popleft()
        self.used += size
        turn.set_result(None)

    def _give_up(self, turn: tuple[int, asyncio.Future[None]]) -> None:
        if turn[1].done():
            self.give_back(turn[0])
        else:
            self._waiting.remove(turn)
            self.give_back(0)


class Share:
    """One body's part of the budget."""

    def __init__(self, memory: BodyMemory, size: int) -> None:
        self._memory = memory
        self._size = size

    def shrink(self, size: int) -> None:
        """Give back what the body did not need, now that it is read."""
        unused, self._size = max(self._size - size, 0), min(self._size, size)
        self._memory.give_back(unused)

    def release(self) -> None:
        """Give back all of it."""
        self.shrink(0)
