"""`lagotto crawl --serve`: a server beside the crawl, and neither ends with the other."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.servers import Served, demo_served


@pytest.fixture(scope="module")
def demo() -> Iterator[Served]:
    with demo_served() as found:
        yield found


def started(demo: Served, folder: Path, *more: str) -> tuple[subprocess.Popen[str], httpx.Client]:
    """A crawl with its server, and a client that knows the token."""
    command = [sys.executable, "-m", "lagotto", "crawl", "birds", "-o", str(folder), "--serve", "--quiet"]
    environment = {name: value for name, value in os.environ.items() if name != "LAGOTTO_TOKEN"}
    process = subprocess.Popen(
        [*command, *demo.options("birds"), *more],
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert process.stderr is not None
    line = process.stderr.readline()
    found = re.fullmatch(r"open (http://127\.0\.0\.1:\d+/)#token=(\S+)\n", line)
    assert found is not None, line
    return process, httpx.Client(
        base_url=found[1], headers={"Authorization": f"Bearer {found[2]}"}, timeout=60
    )


def wait_for(client: httpx.Client, state: str) -> None:
    """Wait until the crawl is in a state."""
    deadline = time.monotonic() + 120
    while client.get("/api/crawls").json()[0]["state"] != state:
        assert time.monotonic() < deadline, state
        time.sleep(0.1)


def is_up(client: httpx.Client) -> bool:
    try:
        return client.get("/").status_code == 200
    except httpx.TransportError:
        return False


def test_the_server_stays_when_the_crawl_has_ended(demo: Served, tmp_path: Path) -> None:
    process, client = started(demo, tmp_path / "a", "--max-pages", "10")
    with client, process:
        wait_for(client, "finished")
        assert process.stderr is not None
        assert "can still be looked at" in process.stderr.readline()
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
        assert not is_up(client)


def test_the_server_survives_a_killed_crawl(demo: Served, tmp_path: Path) -> None:
    process, client = started(demo, tmp_path / "a", "--delay", "0.2")
    with client, process:
        server = client.get("/api/crawls").json()
        assert server[0]["state"] == "running"
        [child] = _children(process.pid, "serve")
        process.kill()
        process.wait(60)
        wait_for(client, "stopped")
        os.kill(child, signal.SIGTERM)
        deadline = time.monotonic() + 60
        while is_up(client):
            assert time.monotonic() < deadline
            time.sleep(0.1)


def test_a_crawl_survives_its_killed_server(demo: Served, tmp_path: Path) -> None:
    process, client = started(demo, tmp_path / "a", "--max-pages", "40", "--delay", "0.1")
    with client, process:
        [child] = _children(process.pid, "serve")
        os.kill(child, signal.SIGKILL)
        assert process.wait(120) == 0
        assert not is_up(client)


def _children(pid: int, word: str) -> list[int]:
    """Processes that a process started and whose command line has a word."""
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            if word.encode() in Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0"):
                found.append(int(child))
    return found
