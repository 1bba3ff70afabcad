"""A crawl that is killed while it takes a command takes it once, wholly, when it is resumed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import lagotto
from lagotto.base.events import CommandTaken
from lagotto.base.protocols import Reader
from lagotto.crawling.steering import commands
from lagotto.crawling.steering.commands import AnyCommand
from lagotto.crawling.steering.effect import effect_at, send
from lagotto.lab.demo import DemoWeb
from lagotto.store import storage_at
from tests.conftest import PROJECT
from tests.servers import demo_served

TAKING = 3
"""Taking the command is the third transaction of a process: shards and seeds come before it."""


def crawled(directory: Path, strategy: str) -> Path:
    """A crawl of thirty pages that has stopped."""
    words, seeds = DemoWeb().topics()["truffles"]
    with demo_served() as server:
        lagotto.crawl(
            words,
            seeds=list(seeds),
            directory=directory,
            strategy=strategy,
            max_pages=30,
            delay=0.0,
            proxy=server.proxy,
        )
    return directory


def open_crawl(directory: Path, crash_at: str = "") -> int:
    command = [sys.executable, "-m", "tests.crawling.steering.open_crawl", str(directory)]
    return subprocess.run(command, cwd=PROJECT, env={**os.environ, "LAGOTTO_CRASH_AT": crash_at}).returncode


def page_of(reader: Reader) -> str:
    return next(row.url for row in reader.rows() if row.relevant is not None)


def all_kinds(page: str) -> list[AnyCommand]:
    return [
        commands.Mark(page, False),
        commands.EditTopic({"oak": 2.0}),
        commands.Mark(page, None),
        commands.AddSeeds(["http://never.example/new"]),
        commands.Exclude("e"),
        commands.BlockHost("never.example"),
        commands.Unexclude("e"),
        commands.Pause(),
        commands.SetOptions({"max_pages": 31}),
        commands.Unpause(),
    ]


@pytest.mark.parametrize("point", ["commit.before", "commit.inside", "commit.after"])
def test_every_command_is_taken_once(tmp_path: Path, point: str) -> None:
    directory = crawled(tmp_path / "crawl", "best-first")
    storage = storage_at(directory)
    with storage.reader() as reader:
        before = len(reader.learned().samples)
        todo = all_kinds(page_of(reader))
    send(storage, todo, "anna")
    for at in (TAKING, TAKING + 2):
        assert open_crawl(directory, f"{point}:{at}") == -signal.SIGKILL
    with storage.reader() as reader:
        # A process that is killed in a commit has not made it, one that is killed after it has.
        assert sum(each.applied for each in reader.commands()) == (4 if point == "commit.after" else 2)
    assert open_crawl(directory) == 0
    with storage.reader() as reader:
        sent = reader.commands()
        assert [(each.n, each.applied, each.who) for each in sent] == [
            (n, True, "anna") for n in range(1, 11)
        ]
        events = [event for event in reader.events(limit=10_000) if isinstance(event, CommandTaken)]
        assert [event.command for event in events] == list(range(1, 11))
        assert len(reader.learned().samples) == before + 1, "only the changed words teach something here"
        assert reader.status().aside == 0
        assert reader.history("http://never.example/new") is not None
        assert reader.marks() == []
    effect = effect_at(storage)
    assert (effect.rules.blocked, effect.config.max_pages, effect.paused) == ({"never.example"}, 31, False)


def test_a_mark_and_the_scores_that_follow_are_one_transaction(tmp_path: Path) -> None:
    """A kill just after the commit loses nothing: the queue is as it is without a kill."""
    crawl = crawled(tmp_path / "crawl", "scent")
    storage = storage_at(crawl)
    with storage.reader() as reader:
        page, before = page_of(reader), reader.best_queued(50)
    send(storage, [commands.Mark(page, False)], "anna")
    assert open_crawl(crawl, f"commit.after:{TAKING}") == -signal.SIGKILL
    with storage.reader() as reader:
        after = reader.best_queued(50)
    assert after != before
    assert open_crawl(crawl) == 0
    with storage.reader() as reader:
        assert reader.best_queued(50) == after
