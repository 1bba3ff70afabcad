"""Crawls to export."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lagotto.store.sqlite.reader import SqliteReader
from tests.harvest.export import shelf
from tests.store.blocking import Blocking


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[SqliteReader]:
    """A crawl of five pages and a dead link."""
    shelf.make(tmp_path / "crawl")
    with SqliteReader.open(tmp_path / "crawl") as reader:
        yield reader


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[SqliteReader]:
    """A crawl that has not fetched anything."""
    Blocking.create(tmp_path / "empty").close()
    with SqliteReader.open(tmp_path / "empty") as reader:
        yield reader
