"""What the strategy has learned, and how it survives: samples, snapshots, revised scores."""

from __future__ import annotations

from lagotto.frontier import Frontier
from lagotto.records import Committed, Outcome, Reason
from lagotto.seams import Store
from lagotto.strategies.base import Revision, Strategy

_PAGE, _EXPANDED = b"p", b"x"


class Memory:
    """Feeds the strategy, and keeps in the store what is needed to feed it again after a crash."""

    def __init__(self, strategy: Strategy, store: Store, *, snapshot_every: int = 1000) -> None:
        self.strategy = strategy
        self.store = store
        self.snapshot_every = snapshot_every
        self._snapshot_at = snapshot_every

    def restore(self, pages: int = 0) -> None:
        """Load the latest snapshot and replay the samples committed since."""
        replay(self.strategy, *self.store.restore())
        self.strategy.revisions()  # They were committed with the pages that they came of.
        # Rounds are kept in step with the pages, so that a crash does not change what comes when.
        self._snapshot_at = _next_round(pages, self.snapshot_every)

    def learn(self, outcome: Outcome) -> None:
        """Learn from an outcome, and mark its sample so that it can be told from an expansion."""
        if outcome.judgement is None and outcome.retry_at is None:
            outcome.sample = self._without_page(outcome)
        if outcome.sample is not None:
            self.strategy.learn(outcome.sample)
            outcome.sample = _PAGE + outcome.sample

    def _without_page(self, outcome: Outcome) -> bytes | None:
        """What is to be learned from a link that brought no page, or none yet."""
        if outcome.reason == Reason.REDIRECT:
            return self.strategy.moved(outcome.lease, outcome.final_url)
        return self.strategy.lost(outcome.lease)

    def revisions(self) -> list[Revision]:
        """Queued links to which what was learned just now gives other scores."""
        return self.strategy.revisions()

    def take_feedback(self, mark: bytes, sample: bytes | None, frontier: Frontier) -> None:
        """Keep what a user said of a page, learn it, and give links the scores that follow from it."""
        if sample is not None:
            self.strategy.learn(sample)
            sample = _PAGE + sample
        self.store.add_feedback(mark, sample)
        revisions = self.revisions()
        self.store.rescore([(link.id, link.score, link.parts) for link in revisions])
        frontier.reload({link.host for link in revisions})

    def expand(self, page_id: int) -> Committed:
        """Take a page off the shelf, with the ranks that this changes."""
        ranks = list(self.strategy.expanded(page_id))
        return self.store.expand(page_id, ranks, _EXPANDED + page_id.to_bytes(8, "big", signed=True))

    def tend(self, pages: int) -> None:
        """Take a snapshot when it is time."""
        if pages >= self._snapshot_at:
            self._snapshot_at = _next_round(pages, self.snapshot_every)
            self.snapshot(at_once=False)

    def snapshot(self, *, at_once: bool = True) -> None:
        """Keep what was learned so far, if anything was."""
        if state := self.strategy.save():
            self.store.snapshot(state, at_once=at_once)


def replay(strategy: Strategy, state: bytes | None, samples: list[bytes]) -> None:
    """Bring a strategy to where it was: a snapshot, and the samples committed since."""
    if state is not None:
        strategy.load(state)
    for sample in samples:
        kind, content = sample[:1], sample[1:]
        if kind == _PAGE:
            strategy.learn(content)
        else:
            strategy.expanded(int.from_bytes(content, "big", signed=True))


def _next_round(pages: int, every: int) -> int:
    return (pages // every + 1) * every
