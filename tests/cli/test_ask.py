"""`lagotto ask`, and questions to teachers during a crawl."""

from __future__ import annotations

import asyncio
import io
import json
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import lagotto
from lagotto.store import storage_at
from tests.cli.conftest import Run
from tests.focus.teaching.model_server import Model, serving, user_text, verdict
from tests.servers import demo_served


@pytest.fixture
def crawled(run: Run, tmp_path: Path) -> set[str]:
    """A crawl in `c`; the truth about it."""
    with demo_served() as server:
        options = [*server.options("truffles"), "-o", "c", "--max-pages", 60, "--concurrency", 1]
        assert run("crawl", "truffles mushroom", *options).code == 0
        return server.web.labels("truffles")


def keys(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Type these answers, one a line."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(text) + "\n"))


def test_answers_are_marks_and_what_they_change_is_shown(
    run: Run, crawled: set[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    keys(monkeypatch, "yxnsyuynq")
    said = run("ask", "c", "-n", 10)
    assert said.code == 0, said.err
    assert "1 of 10" in said.out
    with storage_at(tmp_path / "c").reader() as reader:
        marks = reader.marks()
    assert [mark.on for mark in marks] == [True, False, True, False]
    assert "4 pages marked;" in said.out
    assert "with a new verdict" in said.out
    keys(monkeypatch, "sssssq")
    again = run("ask", "c", "-n", 5)
    assert all(mark.url not in again.out for mark in marks)
    assert "no page was marked" in again.out


def test_questions_show_what_a_reader_reads(crawled: set[str], tmp_path: Path) -> None:
    asked = lagotto.questions(tmp_path / "c", n=20)
    assert len(asked) == 20
    with storage_at(tmp_path / "c").reader() as reader:
        stored = {each.page.url: reader.text(each.page.seq) or "" for each in asked}
    menus = [each for each in asked if stored[each.page.url].lower().count("home") and each.text]
    assert menus, "many pages of this web begin with a menu"
    assert not any(each.text.lstrip().startswith("Home") for each in menus)
    assert all(len(each.text) < len(stored[each.page.url]) for each in menus)


def test_bad_input_is_told(run: Run) -> None:
    assert run("ask", "nowhere").code == 2
    assert run("ask", "c", "-n", 0).code == 2


@contextmanager
def model_served(model: Model) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Serve a model from a thread, beside a command that runs in this one."""
    asked: list[dict[str, Any]] = []
    address: list[str] = []
    ready, done = threading.Event(), threading.Event()

    def remember(request: dict[str, Any]) -> Any:
        asked.append(request)
        return model(request)

    async def serve() -> None:
        async with serving(remember) as server:
            address.append(server.url)
            ready.set()
            await asyncio.to_thread(done.wait)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    ready.wait()
    try:
        yield address[0], asked
    finally:
        done.set()
        thread.join()


def test_a_teacher_marks_pages_of_a_running_crawl(run: Run, tmp_path: Path) -> None:
    def model(asked: dict[str, Any]) -> str:
        page = user_text(asked).split("--- ")[1].lower()  # Between the two fences.
        found = re.search(r"\btruffle\w*", page)
        return verdict(found is not None, found[0] if found else "")

    with demo_served() as server, model_served(model) as (url, asked):
        options = [*server.options("truffles"), "-o", "c", "--max-pages", 60, "--delay", 0.02]
        teacher = ["--teacher", url, "--teacher-model", "small", "--teacher-calls", 4]
        ended = run("crawl", "truffles mushroom", *options, *teacher)
    assert ended.code == 0, ended.err
    assert "the teacher answered" in ended.out
    assert 1 <= len(asked) <= 4
    with storage_at(tmp_path / "c").reader() as reader:
        marks = reader.marks()
    assert marks
    assert {mark.who for mark in marks} == {"teacher small"}
    rows = {row["url"]: row for row in map(json.loads, run("export", "c").out.splitlines())}
    assert all(rows[mark.url]["relevant"] is mark.on for mark in marks)


def test_a_teacher_without_a_model_is_refused(run: Run) -> None:
    said = run(
        "crawl", "truffles", "--seed", "http://a.example/", "-o", "c", "--teacher", "http://127.0.0.1/"
    )
    assert said.code == 2
    assert "--teacher-model" in said.err
    assert not Path("c").exists()
