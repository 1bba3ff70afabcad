"""Visits under way: each in a task of its own, from its lease until what it brought can be committed."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable

from lagotto.base.records import Lease
from lagotto.crawling.frontier import Scope
from lagotto.crawling.worker.seeding import seed_lease
from lagotto.crawling.worker.visit import NotYet, Visit, Visitor

BATCH = 16
"""Visits that are committed at once, without waiting for more."""
MOMENT = 0.004
"""Seconds that a commit waits for more visits while others run."""
MOMENTS = 5
"""How often it waits so long at most, while enough requests are out."""
GRACE = 3.0
"""Seconds that running visits get to finish after a stop."""


class UnderWay:
    """Runs visits, and holds those that have ended until they are taken."""

    def __init__(self, visitor: Visitor, scope: Scope, wake: Callable[[], None]) -> None:
        """`wake` is called whenever something has ended."""
        self.visitor = visitor
        self.scope = scope
        self.broken: BaseException | None = None
        """The first error that ended a visit; it ends the crawl."""
        self._wake = wake
        self._tasks: set[asyncio.Task[None]] = set()
        self._arrived: list[Visit] = []
        self._sitemaps: list[Lease] = []

    def __len__(self) -> int:
        """Visits that run."""
        return len(self._tasks)

    @property
    def any(self) -> bool:
        """Whether visits run, or sitemaps wait to be queued."""
        return bool(self._tasks or self._sitemaps)

    def start(self, lease: Lease) -> None:
        """Begin a visit."""
        task = asyncio.create_task(self._visit(lease))
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    async def gather(self, concurrency: int) -> None:
        """Wait a moment for more visits: committing several costs little more than committing one.

        While half of the requests that may be sent at once are out, there is time for some moments more.
        """
        busy = max(BATCH, concurrency) // 2
        for moment in range(MOMENTS):
            if not self._tasks or not 0 < len(self._arrived) < BATCH:
                return
            if moment and len(self._tasks) < busy:
                return
            await asyncio.sleep(MOMENT)

    def take(self) -> tuple[list[Visit], list[Lease]]:
        """Visits that have ended, in that order, and sitemaps to be queued."""
        visits, self._arrived = self._arrived, []
        sitemaps, self._sitemaps = self._sitemaps, []
        return visits, sitemaps

    async def finish(self) -> None:
        """Let running visits finish for up to `GRACE` seconds."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=GRACE)

    async def cancel(self) -> None:
        """End all visits."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _visit(self, lease: Lease) -> None:
        answer = await self.visitor.ask(lease)
        self._wake()  # The host is free again, and may have the best link.
        if not isinstance(answer, NotYet):
            visit = Visit(lease, answer, await self.visitor.read(answer))
            self._arrived.append(visit)
        elif self.visitor.sitemaps and answer.sitemaps:
            self._sitemaps += self._sitemap_leases(answer)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self.broken = self.broken or task.exception()
        self._wake()

    def _sitemap_leases(self, visit: NotYet) -> list[Lease]:
        """Sitemaps named by robots.txt, to be queued in front of the host's links."""
        score = math.nextafter(visit.lease.score, math.inf)
        refusal = self.scope.sitemap_refusal
        return [seed_lease(url, score) for url in visit.sitemaps if refusal(url) is None]
