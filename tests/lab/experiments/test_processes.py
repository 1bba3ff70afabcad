from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lagotto.lab.experiments.processes import process_pool
from tests.conftest import PROJECT

PARENT = """
import time
from lagotto.lab.experiments.processes import process_pool

if __name__ == "__main__":
    with process_pool(1, int) as pool:
        print(pool.submit(__import__("os").getpid).result(), flush=True)
        time.sleep(60)
"""


def test_processes_do_not_know_the_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["lagotto", "--labels", "secret.csv"])
    with process_pool(1, int) as pool:
        assert "secret.csv" not in pool.submit(_command_line).result()


def _command_line() -> list[str]:
    return sys.argv


def test_processes_end_with_a_parent_that_was_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    with subprocess.Popen([sys.executable, script], cwd=PROJECT, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 30
    while _lives(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _lives(child)


def _lives(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_an_error_ends_the_processes_at_once() -> None:
    started = time.monotonic()
    used: list[int] = []

    def fail() -> None:
        with process_pool(1, int) as pool:
            used.append(pool.submit(os.getpid).result())
            pool.submit(time.sleep, 600)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    (process,) = used
    while _lives(process) and time.monotonic() < started + 60:
        time.sleep(0.05)
    assert not _lives(process)
