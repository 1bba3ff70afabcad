"""Asking a simulated teacher while a run goes on, as `lagotto crawl --ask` asks its user."""

from __future__ import annotations

from lagotto.assembly import patience_of
from lagotto.config import Config
from lagotto.crawling.worker import Worker
from lagotto.protocols import Storage
from lagotto.steering.commands import Mark
from lagotto.steering.in_effect import InEffect
from lagotto.steering.sending import send
from lagotto.steering.taking import Taking
from lagotto.teaching import Questions, Schedule
from lagotto.teaching.during import Answer
from lagotto.topic import Topic

TEACHER = "simulated teacher"


class Asking:
    """Asks when the crawl's own schedule says so; the crawl takes the answers like any other marks."""

    def __init__(
        self, worker: Worker, storage: Storage, config: Config, topic: Topic, answer: Answer
    ) -> None:
        """`config` says how many questions are asked."""
        self.marks: dict[str, bool] = {}
        """URL -> what the teacher said of the page."""
        self._worker = worker
        self._storage = storage
        strategy = worker.memory.strategy
        self._taking = Taking(
            worker, InEffect(config), _Phrases(topic.phrases), lambda config: patience_of(config, strategy)
        )
        self._questions = Questions(
            worker.store.reader(),
            Schedule(config.ask, config.max_pages),
            answer,
            self._send,
            lambda number: "",  # The simulated teacher answers by the URL.
            random_seed=config.random_seed,
        )

    async def go_on(self) -> None:
        """Ask what is due, and let the crawl take the answers."""
        await self._questions.ask_due(self._worker.statistics.pages)
        await self._taking.take()

    def _send(self, url: str, on: bool | None) -> None:
        assert on is not None, "the simulated teacher takes nothing back"
        self.marks[url] = on
        send(self._storage, [Mark(url, on)], TEACHER)


class _Phrases:
    """What the crawl's parser would take as one term each."""

    def __init__(self, phrases: tuple[str, ...]) -> None:
        self.phrases = phrases
