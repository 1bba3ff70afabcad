"""A crawl directory of somebody else's: nothing is written through the symbolic links in it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lagotto.base.batch import Command
from lagotto.base.errors import CrawlDirectoryError
from lagotto.store import WarcWriter
from lagotto.store.sqlite.storage import SqliteStorage
from tests.store.blocking import Blocking
from tests.store.crawls import a_crawl

MINE = b"a file of the user's that is long enough to be cut" * 20


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine"
    path.write_bytes(MINE)
    return path


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    (tmp_path / "crawl").mkdir()
    a_crawl(tmp_path / "crawl")
    return tmp_path / "crawl"


def test_the_lock_is_not_written_through_a_link(crawl: Path, mine: Path) -> None:
    (crawl / "crawl.lock").unlink()
    (crawl / "crawl.lock").symlink_to(mine)
    with pytest.raises(CrawlDirectoryError, match=r"crawl\.lock cannot be used"):
        Blocking.open(crawl)
    assert mine.read_bytes() == MINE


def test_commands_are_not_written_through_a_link(crawl: Path, mine: Path) -> None:
    (crawl / "commands.jsonl").symlink_to(mine)
    with pytest.raises(CrawlDirectoryError, match=r"commands\.jsonl cannot be used"):
        SqliteStorage(crawl).send(Command(b"{}"))
    assert mine.read_bytes() == MINE


def test_answers_are_not_cut_through_a_link(tmp_path: Path, mine: Path) -> None:
    folder = tmp_path / "warc"
    folder.mkdir()
    (folder / "lagotto-00000.warc.gz").symlink_to(mine)
    with pytest.raises(CrawlDirectoryError, match="is a symbolic link"):
        WarcWriter(folder, {"lagotto-00000.warc.gz": 10})
    assert mine.read_bytes() == MINE
    shutil.rmtree(folder)


def test_the_configuration_takes_the_place_of_a_link(tmp_path: Path, mine: Path) -> None:
    directory = tmp_path / "crawl"
    Blocking.create(directory, config=b'strategy = "bfs"\n').close()
    (directory / "config.toml").unlink()
    (directory / "config.toml").symlink_to(tmp_path / "none")
    Blocking.open(directory).close()
    assert not (directory / "config.toml").is_symlink()
    assert not (tmp_path / "none").exists()
