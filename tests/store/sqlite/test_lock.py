"""One process a crawl directory."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lagotto.base.errors import InUse
from lagotto.store.sqlite.lock import FILE, Lock, holder, last_trace
from tests.conftest import PROJECT
from tests.store.blocking import Blocking

HOLD = """
import sys, time
from pathlib import Path
from tests.store.blocking import Blocking
store = Blocking.create(Path(sys.argv[1]))
print("held", flush=True)
time.sleep(60)
"""


@pytest.fixture
def other_process(tmp_path: Path) -> subprocess.Popen[str]:
    """A process that holds `tmp_path / "crawl"`."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path / "crawl")], stdout=subprocess.PIPE, text=True, cwd=PROJECT
    )
    assert process.stdout is not None
    with process.stdout:
        assert process.stdout.readline() == "held\n"
    return process


def test_a_second_process_is_refused_until_the_first_is_dead(
    tmp_path: Path, other_process: subprocess.Popen[str]
) -> None:
    directory = tmp_path / "crawl"
    try:
        with pytest.raises(InUse, match=f"process {other_process.pid} "):
            Blocking.open(directory)
        assert holder(directory) == other_process.pid
    finally:
        other_process.kill()
        other_process.wait()
    assert holder(directory) is None
    store = Blocking.open(directory)
    assert any("unclean" in note for note in store.notes)
    store.close()
    again = Blocking.open(directory)
    assert again.notes == []
    again.close()


def test_the_same_process_is_refused_too(tmp_path: Path) -> None:
    store = Blocking.create(tmp_path)
    with pytest.raises(InUse, match=f"process {os.getpid()} "):
        Blocking.open(tmp_path)
    store.close()


def test_a_forked_child_does_not_keep_the_lock_of_a_killed_parent(tmp_path: Path) -> None:
    code = """
import os, sys, time
from pathlib import Path
from lagotto.store.sqlite.lock import Lock
lock = Lock(Path(sys.argv[1]))
if os.fork() == 0:
    print(os.getpid(), flush=True)
    time.sleep(60)
os.wait()
"""
    parent = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True, cwd=PROJECT
    )
    assert parent.stdout is not None
    with parent.stdout:
        child = int(parent.stdout.readline())
    assert holder(tmp_path) is not None
    parent.kill()
    parent.wait()
    try:
        Lock(tmp_path).abandon()
    finally:
        os.kill(child, signal.SIGKILL)


def test_the_trace_tells_how_the_last_process_ended(tmp_path: Path) -> None:
    assert last_trace(tmp_path) is None
    assert holder(tmp_path) is None
    store = Blocking.create(tmp_path)
    running = last_trace(tmp_path)
    assert running is not None
    assert (running.pid, running.digest) == (os.getpid(), "")
    store.kill()
    killed = last_trace(tmp_path)
    assert killed == running
    store = Blocking.open(tmp_path)
    store.close()
    closed = last_trace(tmp_path)
    assert closed is not None
    assert closed.digest


@pytest.mark.parametrize("content", [b"", b"{", b'{"pid": "x"}', b"\xff" * 300, b"[]"])
def test_an_unreadable_trace_is_an_unclean_stop(tmp_path: Path, content: bytes) -> None:
    Blocking.create(tmp_path).close()
    (tmp_path / FILE).write_bytes(content)
    store = Blocking.open(tmp_path)
    assert len(store.notes) == 1
    store.close()


def test_a_stopped_process_still_holds(tmp_path: Path, other_process: subprocess.Popen[str]) -> None:
    other_process.send_signal(signal.SIGSTOP)
    try:
        time.sleep(0.05)
        with pytest.raises(InUse):
            Blocking.open(tmp_path / "crawl")
    finally:
        other_process.kill()
        other_process.wait()
