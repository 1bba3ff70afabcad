"""The desk: answers questions about pages by the labels, for strategies that run in other processes.

Labels stay in the process of the desk. A run is told of one page at a time, and of no more pages than it may
ask about.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from multiprocessing import AuthenticationError, current_process
from multiprocessing.connection import Client, Connection, Listener
from threading import Thread
from types import TracebackType
from typing import Self

import numpy as np

from lagotto.base.protocols import Storage
from lagotto.base.records import FetchedRow
from lagotto.crawling.assembly import patience_of
from lagotto.crawling.config import Config
from lagotto.crawling.steering.apply import Taking
from lagotto.crawling.steering.commands import Mark
from lagotto.crawling.steering.effect import InEffect, send
from lagotto.crawling.worker.worker import Worker
from lagotto.focus.teaching import Questions, Schedule
from lagotto.focus.teaching.during import Answer
from lagotto.focus.topic import Topic

Address = str | tuple[str, int]


class SimulatedTeacher:
    """Knows the pages of one topic; a given share of its answers is right, the others say the opposite."""

    def __init__(
        self, relevant: Iterable[str], questions: int, right: float = 1.0, random_seed: int = 0
    ) -> None:
        """`random_seed` says which of the answers are wrong."""
        self._relevant = frozenset(relevant)
        self._left = questions
        places = np.random.default_rng(random_seed).permutation(questions)
        self._wrong = frozenset(places[: round((1.0 - right) * questions)].tolist())

    def answer(self, url: str) -> bool | None:
        """Whether a page is on topic; None once all questions are used up."""
        if self._left <= 0:
            return None
        self._left -= 1
        return (url in self._relevant) != (self._left in self._wrong)


class Desk:
    """Serves the teachers of some runs to the processes of this one's children."""

    def __init__(self, teachers: Mapping[str, SimulatedTeacher]) -> None:
        """`teachers` has one for each run, under the key of its task."""
        self._teachers = teachers
        self._listener = Listener(authkey=current_process().authkey)
        self._open = True
        self._thread = Thread(target=self._accept, daemon=True)

    @property
    def address(self) -> Address:
        """Where it can be reached from this machine."""
        address: Address = self._listener.address
        return address

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open = False
        Client(self.address, authkey=current_process().authkey).close()  # Ends the wait for the next one.
        self._thread.join()
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                connection = self._listener.accept()
            except (AuthenticationError, EOFError, OSError):
                continue  # Somebody else, or a process that has just ended.
            if not self._open:
                connection.close()
                return
            Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: Connection) -> None:
        with connection:
            while True:
                try:
                    key, url = connection.recv()
                except (EOFError, OSError):
                    return
                teacher = self._teachers.get(key)
                connection.send(None if teacher is None else teacher.answer(url))


def answers_from(connection: Connection, key: str) -> Answer:
    """Answers of the desk at the other end of a connection, for the run of a task."""

    async def answer(page: FetchedRow, text: str) -> bool | None:
        connection.send((key, page.url))
        said: bool | None = connection.recv()
        return said

    return answer


def connect(address: Address) -> Connection:
    """A connection to the desk of the parent process."""
    return Client(address, authkey=current_process().authkey)


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
