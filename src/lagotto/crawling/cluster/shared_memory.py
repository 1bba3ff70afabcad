"""What all workers of a crawl learn together.

Every worker learns the samples of all workers in the order of the commits, its own among them and none before
it is committed. So all have the same model, and the number of the last sample is its version.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable

from lagotto.base.batch import Batch, Committed, Restored, Snapshot, Version
from lagotto.base.protocols import SharedStore
from lagotto.crawling.worker.memory import Memory, replay
from lagotto.focus.strategies.base import Revision, Strategy

_log = logging.getLogger(__name__)


class SharedMemory(Memory):
    """Learns from what is committed, whoever committed it."""

    store: SharedStore

    def __init__(
        self,
        strategy: Strategy,
        store: SharedStore,
        *,
        leads: Callable[[], bool],
        mine: Callable[[str], bool],
        snapshot_every: int = 1000,
    ) -> None:
        """`leads` says whether this worker keeps snapshots, `mine` whether it changes scores on a host."""
        super().__init__(strategy, store, snapshot_every=snapshot_every)
        self._leads = leads
        self._mine = mine
        self._last = 0
        """Number of the last sample that was learned."""
        self._learned_before: deque[bytes] = deque()
        """Own samples that were learned before they were committed: expansions of the shelf."""

    async def _restored(self) -> Restored:
        found = self.store.reader().learned("")
        self._last = found.last
        return found

    async def catch_up(self) -> None:
        """Learn the samples that were committed since the last call.

        Samples are removed once a snapshot covers them. A worker that had not learned them all goes on from
        the snapshot.
        """
        found = await self.store.samples(self._last)
        if not found.complete and self._take_snapshot():
            _log.info("samples that this worker had not learned are removed; it took the latest snapshot")
            return
        self._last = found.last
        for sample in found.samples:
            if self._learned_before and self._learned_before[0] == sample:
                self._learned_before.popleft()
            else:
                replay(self.strategy, Restored(samples=[sample]))

    async def rejoin(self) -> None:
        """Catch up after a refused commit, and forget what was learned with it."""
        if not self._take_snapshot():
            await self.catch_up()

    def _take_snapshot(self) -> bool:
        """Learn from the latest snapshot on, if there is one."""
        found = self.store.reader().learned("")
        if found.state is None:
            return False
        self._learned_before.clear()
        self._last = found.last
        replay(self.strategy, found)
        self.strategy.revisions()
        return True

    def _learn(self, sample: bytes) -> None:
        """Nothing is learned before it is committed."""

    def revisions(self) -> list[Revision]:
        """Queued links of this worker whose scores changed by what was learned since the last call."""
        return [link for link in super().revisions() if self._mine(link.host)]

    def table_versions(self, pages: int) -> list[Version]:
        """The weight table as a version, if it changed and this worker leads."""
        versions = super().table_versions(pages)
        return versions if self._leads() else []

    async def expand(self, page_id: int) -> Committed:
        """Take a page off the shelf, with the ranks that this changes."""
        await self.catch_up()
        return await super().expand(page_id)

    def _expanded(self, sample: bytes) -> None:
        self._learned_before.append(sample)

    async def snapshot(self, *, at_once: bool = True) -> None:
        """Keep what was learned so far, if this worker leads."""
        if self._leads() and (state := self.strategy.save()):
            await self.store.commit(Batch(snapshot=Snapshot(state, at_once, self._last)))
