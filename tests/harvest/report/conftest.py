"""Crawls to report on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harvest.subtopics.made import SUBJECTS, MadeCrawl


@pytest.fixture
def crawl(tmp_path: Path) -> Iterator[MadeCrawl]:
    """A crawl about renewable energy: 40 pages on topic and 40 off it."""
    made = MadeCrawl(tmp_path / "crawl")
    made.fetch("solar", "wind")
    made.fetch(*list(SUBJECTS)[2:], relevance=0.1)
    yield made
    made.close()
