"""Lessons: a language model and the user are asked about pages while a crawl runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager

from lagotto import assembly
from lagotto.config import Config
from lagotto.export.contents import reading_texts
from lagotto.protocols import Reader, Storage
from lagotto.steering.commands import Mark
from lagotto.steering.sending import send, user_name
from lagotto.teaching import Questions, Schedule, TeacherReport, by_teacher
from lagotto.teaching.during import Answer


@asynccontextmanager
async def lessons(
    config: Config, storage: Storage, reader: Reader, pages: Callable[[], int], answer: Answer | None
) -> AsyncIterator[TeacherReport | None]:
    """Ask the teacher that the configuration names, and the user through `answer`, until the crawl ends.

    Answers are sent to the crawl as marks. `pages` tells how many pages are fetched. Gives what asking the
    teacher costs, as it is counted; None without a teacher.
    """

    def questions(answer: Answer, number: int, who: str) -> Questions:
        def mark(url: str, on: bool | None) -> None:
            send(storage, [Mark(url, on)], who)

        def read(number: int) -> str:
            return next(reading_texts(reader, [number]))

        schedule = Schedule(number, config.max_pages)
        return Questions(reader, schedule, answer, mark, read, random_seed=config.random_seed)

    tasks: list[asyncio.Task[None]] = []
    report = None
    async with AsyncExitStack() as stack:
        if config.teacher:
            teacher = await stack.enter_async_context(assembly.make_teacher(config))
            report = teacher.report
            asked = questions(by_teacher(teacher, config.topic), config.teacher_calls, teacher.name)
            tasks.append(asyncio.create_task(asked.run(pages, lambda: teacher.asking)))
        if config.ask and answer is not None:
            asked = questions(answer, config.ask, user_name())
            tasks.append(asyncio.create_task(asked.run(pages, lambda: True)))
        try:
            yield report
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
