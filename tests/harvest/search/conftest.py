"""Crawls to search."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harvest.search.birds import Birds


@pytest.fixture
def birds(tmp_path: Path) -> Iterator[Birds]:
    """A crawl of five pages."""
    crawl = Birds(tmp_path / "crawl")
    yield crawl
    crawl.close()
