"""What was committed comes home from the log while the crawl goes on."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from lagotto.lab.checks.store_calls import seed
from lagotto.store import durable
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


def test_answers_are_synced_before_the_commits_that_name_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    newest = tmp_path / "warc" / "lagotto-00001.warc.gz"
    with closing(Blocking.create(tmp_path)) as store:
        (tmp_path / "warc").mkdir()
        for path in (tmp_path / "warc" / "lagotto-00000.warc.gz", newest):
            path.write_bytes(b"answers")
        store.hold_all()
        file = tmp_path / database.FILE
        empty, synced = file.stat().st_size, dict[int, int]()

        def note(descriptor: int) -> None:
            synced.setdefault(os.fstat(descriptor).st_ino, file.stat().st_size)

        monkeypatch.setattr(durable, "sync", note)
        commit(store, COMMITS)
        wait_until(lambda: file.stat().st_size > empty)
    assert synced[newest.stat().st_ino] == empty
    assert len({inode for inode, size in synced.items() if size == empty}) == 1, "older files are synced"


def test_a_failed_checkpoint_does_not_end_the_thread(tmp_path: Path) -> None:
    file = tmp_path / "none.db"
    file.write_bytes(b"no database at all, but long enough to be looked at" * 20)
    checkpoints = Checkpoints(file)
    for _ in range(COMMITS):
        checkpoints.committed()
    thread = checkpoints._thread
    assert thread is not None
    wait_until(lambda: not checkpoints._due.is_set())
    assert thread.is_alive()
    checkpoints.close()
    assert not thread.is_alive()
