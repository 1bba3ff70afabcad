"""Ctrl-C: once ends the crawl cleanly, and what was fetched is there."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

import pytest

import lagotto.cli.running as cli_running
from lagotto.crawling.config import Config
from lagotto.crawling.session import Crawl
from tests.cli.conftest import Run
from tests.servers import demo_served


def test_ctrl_c_stops_cleanly_and_the_crawl_can_go_on(run: Run, tmp_path: Path) -> None:
    with demo_served() as server:
        command = [sys.executable, "-m", "lagotto", "crawl", "truffles", *server.options("truffles")]
        process = subprocess.Popen(
            [*command, "-o", str(tmp_path / "c")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        deadline = time.monotonic() + 60
        while run("status", "c").code or "0 with status" in run("status", "c").out:
            assert time.monotonic() < deadline
            time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "stopped by the user" in out
    assert "Traceback" not in err
    assert "good     The last process closed it cleanly." in run("doctor", "c").out


def test_a_second_ctrl_c_stops_at_once(run: Run, tmp_path: Path) -> None:
    """A server that never answers keeps a request under way; the link stays queued."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        options = ["--seed", url, "--allow-private", "127.0.0.0/8", "--no-robots", "-o", str(tmp_path / "c")]
        command = [sys.executable, "-m", "lagotto", "crawl", "truffles", *options]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        connection, _ = silent.accept()
        connection.recv(1000)
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        assert "Ctrl-C again" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        connection.close()
    assert "stopped at once" in err
    assert "Traceback" not in err
    assert "1 queued" in run("status", "c").out


class SlowToClose(Crawl):
    """A crawl that is interrupted twice while it runs, and again while it closes."""

    closed = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        for _ in range(3):
            os.kill(os.getpid(), signal.SIGINT)
            await asyncio.sleep(0.02)
        self.closed = True


async def interrupted(*shown: object) -> None:
    """Stands in for the progress of a crawl that takes long."""
    for _ in range(2):
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(0.02)
    await asyncio.sleep(60)


def test_five_fast_ctrl_c_leave_the_crawl_the_time_to_close(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli_running, "show_progress", interrupted)
    slow = SlowToClose(Config(), tmp_path)
    before = signal.getsignal(signal.SIGINT)
    try:
        cli_running.run(slow)
    finally:
        signal.signal(signal.SIGINT, before)
    assert slow.closed
    said = capfd.readouterr().err
    assert (said.count("Ctrl-C again"), said.count("stopped at once")) == (1, 1)


def test_help_names_every_command(run: Run) -> None:
    said = run("--help")
    assert said.code == 0
    assert all(name in said.out for name in ("crawl", "resume", "topic", "lab", "doctor"))
