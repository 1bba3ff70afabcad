"""`lagotto status`: what the strategy itself says of a crawl."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import lagotto
from tests.cli.conftest import Run
from tests.servers import demo_served


@pytest.mark.parametrize("strategy", ["scent", "bfs"])
def test_the_outlook_is_told_at_the_end_and_afterwards(run: Run, tmp_path: Path, strategy: str) -> None:
    with demo_served() as server:
        options = [*server.options("truffles"), "--strategy", strategy, "--max-pages", "40"]
        crawled = run("crawl", "truffles", *options, "-o", "c")
    assert crawled.code == 0, crawled.err
    said = run("status", "c", "--outlook").out
    figures = json.loads(run("status", "c", "--outlook", "--json").out)["outlook"]
    assert figures == lagotto.outlook(tmp_path / "c")
    assert "outlook" not in json.loads(run("status", "c", "--json").out)
    if strategy == "scent":
        line = next(line for line in crawled.out.splitlines() if line.startswith("the best links promise"))
        assert line in said
        assert f"promise {figures['expected']:.2f} relevant pages a fetch" in said
    else:
        assert "this strategy has none of its own" in said
        assert "the best links promise" not in crawled.out
