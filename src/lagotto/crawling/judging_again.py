"""Judging all pages of a crawl again: in rounds while it runs, and at its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lagotto.crawling.rejudging import NewVerdicts, judge_pages, store_verdicts
from lagotto.crawling.rounds import Rounds
from lagotto.crawling.worker import Worker
from lagotto.judging.encoder import Encoder
from lagotto.protocols import Storage
from lagotto.strategies.base import Strategy
from lagotto.views import Judging


class JudgingAgain:
    """Judges the pages of a worker's crawl, and stores the new verdicts."""

    def __init__(
        self,
        worker: Worker,
        storage: Storage,
        rounds: Rounds,
        *,
        language: str,
        phrases: Callable[[], Sequence[str]],
        make_strategy: Callable[[], Strategy],
    ) -> None:
        """`make_strategy` makes a strategy that has learned nothing; a round loads what was learned."""
        self.latest: Judging | None = None
        """What the latest judging found."""
        self._worker = worker
        self._storage = storage
        self._rounds = rounds
        self._language = language
        self._phrases = phrases
        self._make_strategy = make_strategy

    async def judge(self, encoder: Encoder | None) -> Judging | None:
        """Judge all pages by what is known now; None if the strategy judges no page twice."""
        found = judge_pages(
            self._worker.store.reader(),
            self._worker.memory.strategy,
            language=self._language,
            phrases=self._phrases(),
            encoder=encoder,
        )
        return await self._store(found)

    async def go_on(self) -> Judging | None:
        """Start a round if one is due; returns what a round found that has ended."""
        pages = self._worker.statistics.pages
        if self._rounds.due(pages):
            self._rounds.start(pages, self._judge_beside())
        return await self._store(self._rounds.verdicts())

    async def end(self) -> None:
        """Wait for a round that is under way; its verdicts are not stored."""
        await self._rounds.end()

    def _judge_beside(self) -> Callable[[], NewVerdicts | None]:
        """A function that judges all pages in another thread, with a copy of what was learned."""
        state, phrases = self._worker.memory.strategy.save(), self._phrases()

        def judge() -> NewVerdicts | None:
            strategy = self._make_strategy()
            if state:
                strategy.load(state)
            with self._storage.reader() as reader:
                return judge_pages(reader, strategy, language=self._language, phrases=phrases)

        return judge

    async def _store(self, found: NewVerdicts | None) -> Judging | None:
        """Commit new verdicts, and count by them."""
        if found is None:
            return None
        store = self._worker.store
        await store_verdicts(store, found, self._worker.listeners.tell)
        self.latest = found.judging
        self._worker.statistics.relevant = store.reader().status().relevant
        return found.judging
