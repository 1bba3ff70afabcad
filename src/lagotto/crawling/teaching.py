"""Lessons: a language model and the user are asked about pages while a crawl runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager

from lagotto.base.protocols import Reader, Storage
from lagotto.crawling import assembly
from lagotto.crawling.config import Config
from lagotto.crawling.steering.commands import Mark
from lagotto.crawling.steering.effect import send, user_name
from lagotto.focus.teaching import Questions, Schedule, TeacherReport, by_teacher
from lagotto.focus.teaching.during import Answer
from lagotto.parse.stored import reading_texts


@asynccontextmanager
async def lessons(
    config: Config,
    storage: Storage,
    reader: Reader,
    pages: Callable[[], int],
    leads: Callable[[], bool],
    answer: Answer | None,
) -> AsyncIterator[TeacherReport | None]:
    """Ask the teacher that the configuration names, and the user through `answer`, until the crawl ends.

    Answers are sent to the crawl as marks. `pages` tells how many pages are fetched. Of several workers only
    the one that leads asks the teacher. Gives what that costs, as it is counted; None without a teacher.
    """

    def questions(answer: Answer, number: int, who: str, *, asked_by: str = "") -> Questions:
        def mark(url: str, on: bool | None) -> None:
            send(storage, [Mark(url, on)], who)

        def read(number: int) -> str:
            return next(reading_texts(reader, [number]))

        schedule = Schedule(number, config.max_pages)
        seed = config.random_seed
        return Questions(reader, schedule, answer, mark, read, asked_by=asked_by, random_seed=seed)

    tasks: list[asyncio.Task[None]] = []
    report = None
    async with AsyncExitStack() as stack:
        if config.teacher:
            teacher = await stack.enter_async_context(assembly.make_teacher(config))
            report = teacher.report
            by_model = by_teacher(teacher, config.topic)
            asked = questions(by_model, config.teacher_calls, teacher.name, asked_by=teacher.name)
            due = asked.run(lambda: pages() if leads() else 0, lambda: teacher.asking)
            tasks.append(asyncio.create_task(due))
        if config.ask and answer is not None:
            asked = questions(answer, config.ask, user_name())
            tasks.append(asyncio.create_task(asked.run(pages, lambda: True)))
        try:
            yield report
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
