"""Crawls to sort."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harvest.subtopics.made import MadeCrawl


@pytest.fixture
def crawl(tmp_path: Path) -> Iterator[MadeCrawl]:
    """An empty crawl about renewable energy."""
    made = MadeCrawl(tmp_path / "crawl")
    yield made
    made.close()
