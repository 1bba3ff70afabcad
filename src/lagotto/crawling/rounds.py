"""Rounds: all pages of a running crawl are judged again whenever it has grown enough."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from lagotto.crawling.freed_memory import give_back
from lagotto.crawling.rejudging import NewVerdicts
from lagotto.errors import LagottoError

logger = logging.getLogger(__name__)

FIRST_ROUND, GROWTH = 2000, 10
"""Pages before the first round, and growth of a crawl from one round to the next."""
EARLY_ROUND, EARLY_GROWTH = 150, 3
"""The same for a crawl that stops by itself if the topic is not there."""

Judge = Callable[[], NewVerdicts | None]


class Rounds:
    """Runs one round at a time in a thread, so that the crawl goes on meanwhile."""

    def __init__(self, first: int = FIRST_ROUND, growth: int = GROWTH) -> None:
        self._due_at = first
        self._growth = growth
        self._round: asyncio.Task[NewVerdicts | None] | None = None

    def due(self, pages: int) -> bool:
        """Whether a round should start after so many pages."""
        return self._round is None and pages >= self._due_at

    def start(self, pages: int, judge: Judge) -> None:
        """Start a round; `judge` must share nothing with the crawl that changes."""
        self._due_at = self._growth * pages
        self._round = asyncio.create_task(asyncio.to_thread(_judge, judge))

    def verdicts(self) -> NewVerdicts | None:
        """What a round found that has ended since the last call."""
        if self._round is None or not self._round.done():
            return None
        ended, self._round = self._round, None
        try:
            return ended.result()
        except (LagottoError, OSError) as error:
            # Such as too many open files: the crawl goes on, and judges all pages at its end.
            logger.warning("a round of judging all pages again failed: %s", error)
            return None

    async def end(self) -> None:
        """Wait for a round that is under way; a thread cannot be stopped."""
        if self._round is not None:
            await asyncio.wait([self._round])
            self._round = None


def _judge(judge: Judge) -> NewVerdicts | None:
    try:
        return judge()
    finally:
        give_back()
