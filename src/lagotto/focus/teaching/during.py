"""Asking while a crawl runs: questions come when they are due, answers are sent as marks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable
from enum import Enum

import numpy as np
from msgspec import Struct

from lagotto.base.protocols import Reader
from lagotto.base.records import FetchedRow
from lagotto.focus.judging import worth_asking
from lagotto.focus.teaching.question import PageText
from lagotto.focus.teaching.teacher import Teacher, Verdict

FIRST_PAGE = 11
"""Before this page there is too little to choose from."""
EARLY_SHARE = 0.4
"""Share of the page budget over which the questions are spread."""
PAGES_PER_QUESTION = 20
"""Pages between two questions where the crawl has no page budget."""


class Schedule(Struct, frozen=True):
    """Spreads a number of questions over the first part of a crawl."""

    questions: int
    max_pages: int = 0

    def due(self, pages: int) -> int:
        """Questions that should have been asked once this many pages are fetched."""
        if pages < FIRST_PAGE:
            return 0
        last = FIRST_PAGE + self.questions * PAGES_PER_QUESTION
        if self.max_pages:
            last = max(FIRST_PAGE + 1, int(EARLY_SHARE * self.max_pages))
        share = (pages - FIRST_PAGE + 1) / (last - FIRST_PAGE + 1)
        return min(self.questions, max(1, int(share * self.questions)))


LATEST = 300
"""Latest pages that a question is chosen from."""
POLL = 0.5
"""Seconds between two looks at whether a question is due."""


class Said(Enum):
    """What may be said instead of whether a page is on topic."""

    UNDO = "undo"
    """Take the last answer back, and ask again."""
    END = "end"
    """Ask nothing more."""


Answer = Callable[[FetchedRow, str], Awaitable[bool | Said | None]]
"""Takes a page and its text; returns whether it is on topic, None for no answer."""
Send = Callable[[str, bool | None], None]
"""Sends a mark: URL, and whether the page is on topic; None takes the mark back."""


class Questions:
    """Chooses pages of a running crawl, has them answered, and sends the answers to the crawl."""

    def __init__(
        self,
        reader: Reader,
        schedule: Schedule,
        answer: Answer,
        send: Send,
        read: Callable[[int], str],
        *,
        asked_by: str = "",
        random_seed: int = 0,
    ) -> None:
        """`read` gives the text of the page with a number, as whoever answers sees it.

        Marks of `asked_by` that the crawl has were asked for already, before a resume or by another worker.
        """
        self.reader = reader
        self.schedule = schedule
        self.answer = answer
        self.send = send
        self.read = read
        self.asked_by = asked_by
        self.random_seed = random_seed
        self.asked: set[str] = {mark.url for mark in reader.marks()}
        """URLs that somebody was asked about, or that are marked already."""
        self.count = 0
        self.ended = False
        """Whether nothing more is to be asked."""
        self._answered: list[tuple[FetchedRow, bool | None]] = []
        """Pages asked about and what was said, in order."""

    async def ask_due(self, pages: int) -> None:
        """Ask the questions that are due after so many pages."""
        due = self.schedule.due(pages)
        if self.asked_by and self.count < due:
            self.count = max(self.count, sum(mark.who == self.asked_by for mark in self.reader.marks()))
        while not self.ended and self.count < due:
            self.count += 1
            page = self._next()
            if page is None:
                break
            self.asked.add(page.url)
            await self._ask(page)

    async def _ask(self, page: FetchedRow) -> None:
        """Ask about a page, and first about earlier ones again whose answers are taken back."""
        waiting = [page]
        while waiting and not self.ended:
            page = waiting[-1]
            said = await self.answer(page, self.read(page.seq))
            if said is Said.END:
                self.ended = True
            elif said is Said.UNDO:
                waiting += self._take_back()
            else:
                self._answered.append((waiting.pop(), said))
                if said is not None:
                    self.send(page.url, said)

    def _take_back(self) -> list[FetchedRow]:
        """Take the last answer back; returns its page, if there is one."""
        if not self._answered:
            return []
        page, said = self._answered.pop()
        if said is not None:
            self.send(page.url, None)
        return [page]

    async def run(
        self,
        pages: Callable[[], int],
        wanted: Callable[[], bool],
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        """Ask until all questions are asked or no more are wanted; `pages` tells how far the crawl is."""
        while not self.ended and self.count < self.schedule.questions and wanted():
            await self.ask_due(pages())
            await sleep(POLL)

    def _next(self) -> FetchedRow | None:
        rows = self.reader.rows(after=max(0, self.reader.status().concluded - LATEST))
        chosen = choose_pages(rows, 1, self.asked, random_seed=self.random_seed + self.count)
        return chosen[0] if chosen else None


def choose_pages(
    rows: Iterable[FetchedRow], n: int, asked: Collection[str], *, random_seed: int = 0
) -> list[FetchedRow]:
    """Up to n judged pages that are worth asking about and were not asked about before."""
    pages = [row for row in rows if row.relevance is not None]
    relevance = np.array([row.relevance for row in pages], np.float64)
    marks = np.array([0.0 if row.url in asked else np.nan for row in pages])
    return [pages[at] for at in worth_asking(relevance, marks, n, random_seed=random_seed).tolist()]


def by_teacher(teacher: Teacher, topic: str) -> Answer:
    """Answers of a language model."""

    async def answer(page: FetchedRow, text: str) -> bool | None:
        if not teacher.asking:
            return None
        verdict: Verdict | None = await teacher.ask(topic, PageText(page.url, page.title, text))
        return None if verdict is None else verdict.on

    return answer
