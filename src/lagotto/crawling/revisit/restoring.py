"""Fetching pages again whose stored answers were lost, as by a power cut."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import numpy as np

from lagotto.base.protocols import Store
from lagotto.crawling.archive import Keeping
from lagotto.crawling.revisit.conclusions import Known
from lagotto.crawling.revisit.plan import Plan, PlannedPage, leases
from lagotto.crawling.revisit.queue import PageQueue
from lagotto.crawling.revisit.session import Revisiting
from lagotto.crawling.steering.effect import InEffect


class Restoring(Revisiting):
    """Visits the pages that have lost their answers; their rows stay until there is a new one.

    A page that has changed becomes a new version. One that is gone by now is kept as text alone.
    """

    restores = True

    def __init__(self, location: str, effect: InEffect, lost: Sequence[int]) -> None:
        """`lost` are the numbers of the pages, `effect` is what holds for the crawl."""
        super().__init__(location)
        self._effect = effect
        self._lost = lost

    def _conditions(self, url: str) -> list[tuple[str, str]]:
        """An answer without its body would not help."""
        return []

    def _make_answers(self, store: Store) -> Keeping:
        self._known = Known(store.reader())
        return Keeping(self.config, self.storage)

    async def _plan_visits(self, plan: Plan, queue: PageQueue) -> None:
        pages = []
        for stored in queue.reader().pages_at(self._lost):
            row = stored.row
            at = datetime.fromisoformat(row.fetched_at).timestamp()
            pages.append(PlannedPage(row.seq, row.url, row.depth, row.parent, bool(row.relevant), at, at))
        self.planned = len(pages)
        for lease in leases(pages, np.zeros(len(pages))):
            queue.add(lease)

    async def take_commands(self) -> int:
        """Commands are left for the crawl, but one that stops it is obeyed."""
        if self._worker is not None:
            await self._stop_if_asked()
        return 0

    async def run(self) -> str:
        """Visit the pages; returns why it ended."""
        self.why = await self._start().run()
        return self.why
