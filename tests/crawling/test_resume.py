"""A crawl that was killed and resumed goes on as if nothing had happened, with every strategy."""

from __future__ import annotations

import dataclasses
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lagotto.api import CrawlResult
from lagotto.base.records import FetchedRow
from lagotto.crawling import config as configuration
from lagotto.crawling.session import Crawl
from lagotto.crawling.worker.memory import Memory
from lagotto.focus import registry
from tests.servers import Served, demo_served

PAGES = 60
KILLED_AT = (20, 43)
# So often that snapshots and samples both have a part in a crawl this short.
ROUNDS = {"snapshot_every": 15}
_CHILD = f"""
import sys
from lagotto.crawling.worker.memory import Memory
Memory.__init__.__kwdefaults__.update({ROUNDS!r})
from lagotto.cli import main
sys.argv = ["lagotto", *sys.argv[1:]]
main()
"""


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("server") / "requests.log"


@pytest.fixture(scope="module")
def server(log: Path) -> Iterator[Served]:
    with demo_served(log) as served:
        yield served


def values(server: Served, strategy: str) -> dict[str, Any]:
    words, seeds = server.web.topics()["birds"]
    return {
        "topic": words,
        "seeds": list(seeds),
        "strategy": strategy,
        "proxy": server.proxy,
        "delay": 0.0,
        "concurrency": 1,
        # Crawl-delays would let the order depend on the time.
        "obey_robots": False,
        "max_pages": PAGES,
        "parsers": 1,
    }


async def uninterrupted(server: Served, strategy: str, directory: Path) -> list[FetchedRow]:
    async with Crawl(configuration.from_values(values(server, strategy)), directory) as crawl:
        await crawl.run()
    return rows(directory)


def killed_twice(server: Served, strategy: str, directory: Path, log: Path) -> list[FetchedRow]:
    """The same crawl from the command line, killed when the server has served so many pages."""
    config = directory.with_suffix(".toml")
    config.write_bytes(msgspec.toml.encode(values(server, strategy)))
    arguments = ["crawl", "--config", str(config), "-o", str(directory)]
    before = served(log)
    for count in KILLED_AT:
        process = start(arguments)
        while served(log) - before < count:
            assert process.poll() is None, "the crawl ended before it was killed"
            time.sleep(0.002)
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
        arguments = ["resume", str(directory)]
    assert start(arguments).wait(120) == 0
    return rows(directory)


def start(arguments: list[str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", _CHILD, *arguments]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def served(log: Path) -> int:
    """Requests that were no robots.txt."""
    return sum(b"/robots.txt\t" not in line for line in log.read_bytes().splitlines())


def rows(directory: Path) -> list[FetchedRow]:
    found = list(CrawlResult(directory, "", 0, 0).pages(with_text=True))
    return [dataclasses.replace(row, fetched_at="") for row in found]


@pytest.mark.timeout(180)
@pytest.mark.parametrize("strategy", registry.BUILT_IN)
async def test_what_was_learned_and_the_order_survive_two_kills(
    server: Served, log: Path, strategy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Memory.__init__, "__kwdefaults__", ROUNDS)
    expected = await uninterrupted(server, strategy, tmp_path / "whole")
    found = killed_twice(server, strategy, tmp_path / "killed", log)
    assert sum(row.status == 200 for row in expected) == PAGES
    assert [row.url for row in found] == [row.url for row in expected]
    assert found == expected
