"""What was committed comes home from the log while the crawl goes on."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from lagotto.lab.checks.store_calls import seed
from lagotto.store.sqlite import database
from lagotto.store.sqlite.database import COMMITS, Checkpoints
from tests.store.blocking import Blocking


def commit(store: Blocking, times: int) -> None:
    for number in range(times):
        store.add_seeds([seed(f"http://one.example/{number}/{'x' * 900}")])


def wait_until(happened: Callable[[], bool], seconds: float = 30) -> None:
    """The thread has its own pace; only if it never gets there is something wrong."""
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_commits_come_home_without_closing(tmp_path: Path) -> None:
    with closing(Blocking.create(tmp_path)) as store:
        file = tmp_path / database.FILE
        store.hold_all()
        empty = file.stat().st_size
        commit(store, COMMITS - 3)
        time.sleep(0.1)
        assert file.stat().st_size == empty, "a few commits are not worth it"
        commit(store, COMMITS)
        wait_until(lambda: file.stat().st_size > empty + 500 * COMMITS)


def test_a_lost_database_ends_the_thread_alone(tmp_path: Path) -> None:
    file = tmp_path / "none.db"
    file.write_bytes(b"no database at all, but long enough to be looked at" * 20)
    checkpoints = Checkpoints(file)
    for _ in range(COMMITS):
        checkpoints.committed()
    thread = checkpoints._thread
    assert thread is not None
    wait_until(lambda: not thread.is_alive())
    checkpoints.close()
