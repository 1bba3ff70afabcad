"""The examples of docs/python.md run as they stand, on the demo web instead of the real one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import lagotto
from lagotto.crawling.config import fields
from tests.conftest import PROJECT
from tests.servers import Served, demo_served
from tests.test_docs import blocks

PAGE = PROJECT / "docs" / "python.md"


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with demo_served() as served:
        yield served


def runnable(block: str, server: Served) -> str:
    """The example with a seed and a proxy of the demo web, and fewer pages."""
    seed = server.web.topics()["birds"].seeds[0]
    for pages, fewer in (("500", "20"), ("600", "25")):
        block = block.replace(f"max_pages={pages}", f'max_pages={fewer}, proxy="{server.proxy}", delay=0.0')
    return block.replace("solar power", "birds").replace("https://example.org/energy/", seed)


def test_every_example_runs(
    server: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed; it is in the extra dev")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for number, block in enumerate(blocks(PAGE, "python")):
        if "async def watch" in block:
            block = block.replace('"solar"', '"watched"')
        exec(compile(runnable(block, server), f"{PAGE.name} block {number}", "exec"), names)
    asyncio.run(names["watch"]())
    names["test_titles"]()
    assert names["result"].pages_fetched == 25
    assert names["frame"].shape[1] > 10
    assert "http://" in capsys.readouterr().out


def test_options_have_the_names_of_the_command_line() -> None:
    text = PAGE.read_text()
    aliases = [field.alias for field in fields().values() if field.alias and field.alias not in fields()]
    assert {"robots", "header", "seed", "example"} <= set(aliases)
    for alias in ("robots", "header", "seed", "example", "counter_example", "phrase", "option"):
        assert alias in aliases
        assert f"`{alias}`" in text


def test_options_by_their_names_reach_the_crawl(server: Served, tmp_path: Path) -> None:
    example = tmp_path / "example.html"
    example.write_text("<title>Birds</title><p>Birds have feathers, nests and songs.</p>")
    result = lagotto.crawl(
        "birds",
        directory=tmp_path / "c",
        seed=server.web.topics()["birds"].seeds[0],
        example=str(example),
        header="X-Purpose: test",
        robots=False,
        proxy=server.proxy,
        delay=0.0,
        parsers=1,
        max_pages=3,
    )
    assert result.pages_fetched == 3
