"""Keeps what the strategy learned: samples, snapshots, revised scores."""

from __future__ import annotations

from lagotto.base.batch import Batch, Committed, Restored, Score, Snapshot, Version
from lagotto.base.protocols import WorkerStore
from lagotto.base.records import Outcome, Reason
from lagotto.focus.strategies.base import Revision, Strategy
from lagotto.focus.topic import WeightTable
from lagotto.focus.topic.history import KIND, TableVersion

_PAGE, _EXPANDED = b"p", b"x"


class Memory:
    """Lets the strategy learn, and commits what is needed to learn it again after a crash."""

    def __init__(self, strategy: Strategy, store: WorkerStore, *, snapshot_every: int = 1000) -> None:
        self.strategy = strategy
        self.store = store
        self.snapshot_every = snapshot_every
        self._snapshot_at = snapshot_every
        self._kept_table: WeightTable | None = None
        """The weight table of which the store has a version."""

    async def restore(self, pages: int = 0) -> None:
        """Load the latest snapshot and replay the samples committed since."""
        replay(self.strategy, await self._restored())
        self.strategy.revisions()  # They were committed with the pages that caused them.
        self._kept_table = self.strategy.table if pages else None
        # Snapshots are taken at the same page counts after a crash as without one.
        self._snapshot_at = _next_round(pages, self.snapshot_every)

    async def _restored(self) -> Restored:
        return await self.store.restore()

    def learn(self, outcome: Outcome) -> bytes | None:
        """Learn from an outcome; returns the sample to be committed, None if there is none."""
        without_page = outcome.judgement is None and outcome.retry_at is None
        sample = self._without_page(outcome) if without_page else outcome.sample
        return None if sample is None else self.learn_sample(sample)

    def learn_sample(self, sample: bytes) -> bytes:
        """Learn from a sample; returns it with the prefix that distinguishes it from an expansion."""
        self._learn(sample)
        return _PAGE + sample

    def _learn(self, sample: bytes) -> None:
        self.strategy.learn(sample)

    def _without_page(self, outcome: Outcome) -> bytes | None:
        """The sample of a link that brought no page, or that was redirected."""
        if outcome.reason == Reason.REDIRECT:
            return self.strategy.moved(outcome.lease, outcome.final_url)
        return self.strategy.lost(outcome.lease)

    def revisions(self) -> list[Revision]:
        """Queued links whose scores changed by what was learned since the last call."""
        return self.strategy.revisions()

    def table_versions(self, pages: int) -> list[Version]:
        """The strategy's weight table as a version to be committed, if it changed since the last one."""
        table, kept = self.strategy.table, self._kept_table
        if table is None or (kept is not None and table.same_weights(kept)):
            return []
        self._kept_table = table
        return [Version(KIND, TableVersion(table, pages).to_json())]

    def stop_reason(self) -> str:
        """Why the strategy would stop the crawl; empty while it would not."""
        return self.strategy.stop_reason()

    def outlook(self) -> dict[str, float]:
        """The strategy's own estimates of the crawl."""
        return self.strategy.outlook()

    async def expand(self, page_id: int) -> Committed:
        """Take a page off the shelf, with the ranks that this changes."""
        ranks = list(self.strategy.expanded(page_id))
        sample = _EXPANDED + page_id.to_bytes(8, "big", signed=True)
        self._expanded(sample)
        return await self.store.commit(Batch(expand=page_id, ranks=ranks, samples=[sample]))

    def _expanded(self, sample: bytes) -> None:
        """A page left the shelf, which was learned already."""

    async def snapshot_if_due(self, pages: int) -> None:
        """Take a snapshot if enough pages were fetched since the last one."""
        if pages >= self._snapshot_at:
            self._snapshot_at = _next_round(pages, self.snapshot_every)
            await self.snapshot(at_once=False)

    async def snapshot(self, *, at_once: bool = True) -> None:
        """Keep what was learned so far, if anything was."""
        if state := self.strategy.save():
            await self.store.commit(Batch(snapshot=Snapshot(state, at_once)))


def as_scores(revisions: list[Revision]) -> list[Score]:
    """Revised links as the store takes them."""
    return [Score(link.id, link.score, link.parts) for link in revisions]


def replay(strategy: Strategy, restored: Restored) -> None:
    """Restore a strategy from a snapshot and the samples committed since."""
    if restored.state is not None:
        strategy.load(restored.state)
    for sample in restored.samples:
        kind, content = sample[:1], sample[1:]
        if kind == _PAGE:
            strategy.learn(content)
        else:
            strategy.expanded(int.from_bytes(content, "big", signed=True))


def _next_round(pages: int, every: int) -> int:
    return (pages // every + 1) * every
