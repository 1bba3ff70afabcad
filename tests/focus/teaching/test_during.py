"""Questions during a crawl."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.base.protocols import Reader
from lagotto.base.records import FetchedRow
from lagotto.focus.teaching.during import Questions, Said, Schedule, by_teacher, choose_pages
from lagotto.focus.teaching.teacher import Teacher
from lagotto.store import storage_at
from tests.cli.conftest import Run
from tests.focus.teaching.model_server import serving, user_text, verdict
from tests.servers import demo_served


def row(number: int, relevance: float | None) -> FetchedRow:
    """A judged page."""
    url = f"http://a.example/{number}"
    return FetchedRow(number, url, url, 200, "", relevance, None, "", 0, "", None, "a.example", "", "", "")


@given(st.lists(st.floats(0, 1), max_size=60), st.integers(0, 30))
def test_no_page_is_chosen_twice(relevances: list[float], n: int) -> None:
    rows = [row(number, relevance) for number, relevance in enumerate(relevances)]
    chosen = [page.url for page in choose_pages(rows, n, ())]
    assert len(chosen) == len(set(chosen)) <= n
    assert not set(chosen) & {page.url for page in choose_pages(rows, n, chosen)}


def test_pages_that_were_not_judged_are_not_asked_about() -> None:
    assert choose_pages([row(1, None)], 5, ()) == []


@pytest.fixture
def reader(run: Run, tmp_path: Path) -> Reader:
    """A crawl of some pages."""
    with demo_served() as server:
        options = [*server.options("truffles"), "-o", "c", "--max-pages", 30]
        assert run("crawl", "truffles mushroom", *options).code == 0
    return storage_at(tmp_path / "c").reader()


async def test_a_teacher_is_asked_when_it_is_time_and_its_answers_are_sent(reader: Reader) -> None:
    marks: dict[str, bool | None] = {}

    def model(asked: dict[str, object]) -> str:
        page = user_text(asked)
        return verdict("truffle" in page.lower(), "")

    async def no_sleep(_: float) -> None: ...

    async with serving(model) as server, Teacher(server.url, "small", calls=5) as teacher:
        questions = Questions(
            reader,
            Schedule(5, 30),
            by_teacher(teacher, "truffles"),
            lambda url, on: marks.update({url: on}),
            lambda number: reader.text(number) or "",
        )
        await questions.run(lambda: 10, lambda: False, no_sleep)
        assert not server.asked, "it is too early"
        await questions.run(lambda: 30, lambda: True, no_sleep)
        assert len(server.asked) == 5
    assert set(marks) <= questions.asked
    assert all(on is False for on in marks.values()), "a yes without a quote is no answer"
    reader.close()


async def test_an_answer_can_be_taken_back_and_the_questions_ended(reader: Reader) -> None:
    said = iter([Said.UNDO, True, None, Said.UNDO, Said.UNDO, False, None, True, Said.END])
    asked: list[str] = []
    sent: list[tuple[str, bool | None]] = []

    async def answer(page: FetchedRow, _: str) -> bool | Said | None:
        asked.append(page.url)
        return next(said)

    questions = Questions(
        reader, Schedule(9, 30), answer, lambda url, on: sent.append((url, on)), lambda number: ""
    )
    await questions.ask_due(30)
    first, second, third = asked[0], asked[2], asked[3]
    # Nothing to take back, yes, skipped, third taken back to second, that one to first, and on from there.
    assert asked == [first, first, second, third, second, first, second, third, asked[-1]]
    assert sent == [(first, True), (first, None), (first, False), (third, True)]
    assert questions.ended
    await questions.ask_due(30)
    assert len(asked) == 9
    reader.close()
