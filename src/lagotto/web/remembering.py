"""Answers that are kept for a while, so that many viewers cost no more than one."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")

LEAST = 1.0
"""Seconds that an answer is kept at least."""
SHARE = 20
"""An answer is kept this many times as long as it took to make, so that making it takes 5 % of the time."""
MOST = 64
"""Answers that are kept at most."""


class Remembered:
    """Answers by a key, each made again only when it is old; several askers wait for the same making."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._answers: OrderedDict[Hashable, tuple[float, Any]] = OrderedDict()
        """Key -> when the answer is too old, and the answer."""
        self._making: dict[Hashable, asyncio.Task[Any]] = {}

    async def get(self, key: Hashable, make: Callable[[], Awaitable[T]], least: float = LEAST) -> T:
        """The answer under a key, made if there is none or it is old."""
        now = self._clock()
        if key in self._answers and self._answers[key][0] > now:
            kept: T = self._answers[key][1]
            return kept
        if key not in self._making:
            task = self._making[key] = asyncio.ensure_future(self._make(key, make, least))
            task.add_done_callback(lambda _: self._making.pop(key, None))
        # A viewer that leaves must not take the answer away from the others.
        answer: T = await asyncio.shield(self._making[key])
        return answer

    async def _make(self, key: Hashable, make: Callable[[], Awaitable[T]], least: float) -> T:
        began = self._clock()
        answer = await make()
        ended = self._clock()
        self._answers[key] = (ended + max(least, SHARE * (ended - began)), answer)
        self._answers.move_to_end(key)
        while len(self._answers) > MOST:
            self._answers.popitem(last=False)
        return answer

    def forget(self) -> None:
        """Make every answer again when it is asked for: something has changed."""
        self._answers.clear()
