"""Jobs: queued, run, stopped, forgotten."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from lagotto.base.errors import InputError, UnknownName
from lagotto.serve import jobs as module
from lagotto.serve.jobs import Job, Jobs


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    found = Jobs()
    yield found
    found.close()
    assert not found.folder.exists()


def running(*arguments: str) -> Callable[[Job], None]:
    """Work that runs a command of Lagotto."""

    def work(job: Job) -> None:
        job.run_lagotto(arguments)

    return work


def wait(job: Job) -> Job:
    deadline = time.monotonic() + 60
    while job.ended_at is None:
        assert time.monotonic() < deadline
        time.sleep(0.005)
    return job


def test_a_job_leaves_result_and_file(jobs: Jobs) -> None:
    def work(job: Job) -> None:
        job.file = job.folder / "a.txt"
        job.file.write_text("abc")
        job.result = {"rows": 3}

    row = wait(jobs.start("export", "birds", work)).row()
    assert (row.state, row.result, row.file, row.size) == ("done", {"rows": 3}, "a.txt", 3)
    assert [each.id for each in jobs.all()] == [row.id]
    job = jobs.find(row.id)
    jobs.forget(job)
    assert not job.folder.exists()
    with pytest.raises(UnknownName, match="there is no job"):
        jobs.find(row.id)


def test_failures_are_told(jobs: Jobs) -> None:
    def refuse(job: Job) -> None:
        raise InputError("that makes no sense; do something else")

    def break_down(job: Job) -> None:
        raise ZeroDivisionError

    assert wait(jobs.start("a", "", refuse)).row().problem == "that makes no sense; do something else"
    broken = wait(jobs.start("a", "", break_down)).row()
    assert (broken.state, broken.problem.startswith("a defect of Lagotto")) == ("failed", True)


def test_a_job_is_stopped(jobs: Jobs) -> None:
    def work(job: Job) -> None:
        while True:
            job.check()
            time.sleep(0.001)

    job = jobs.start("a", "", work)
    job.stop()
    assert wait(job).state == "stopped"


def test_a_process_is_stopped_and_its_errors_are_told(jobs: Jobs) -> None:
    failing = wait(jobs.start("a", "", running("status", "/nowhere")))
    assert (failing.state, "no crawl" in failing.problem) == ("failed", True)
    working = jobs.start("a", "", running("lab", "serve", "demo", "--port", "0"))
    while working.state == "queued":
        time.sleep(0.01)
    working.stop()
    assert wait(working).state == "stopped"


def test_waiting_jobs_are_joined_and_bounded(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WAITING", 1)
    go, taken = threading.Event(), []

    def busily(job: Job) -> None:
        go.wait(60)

    busy = [jobs.start("marks", "birds", busily)]
    while busy[0].state == "queued":
        time.sleep(0.005)
    busy.append(jobs.start("marks", "birds", busily))
    while any(job.state == "queued" for job in busy):
        time.sleep(0.005)
    assert jobs.join("marks", "birds", {"b": 2}) is None, "those that run take no more"
    waiting = jobs.start("marks", "birds", lambda job: taken.append(job.input), {"a": 1})
    assert jobs.join("marks", "birds", {"b": 2}) is waiting
    assert jobs.join("marks", "owls", {"c": 3}) is None
    with pytest.raises(InputError, match="waiting already"):
        jobs.start("marks", "birds", lambda job: None)
    go.set()
    wait(waiting)
    assert taken == [{"a": 1, "b": 2}]


def test_old_jobs_are_forgotten(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT", 2)
    ids = [wait(jobs.start("a", "", lambda job: None)).id for _ in range(5)]
    jobs.start("a", "", lambda job: None)
    assert {row.id for row in jobs.all()} >= set(ids[-2:])
    assert len(jobs.all()) <= 4
