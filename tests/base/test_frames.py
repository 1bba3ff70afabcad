"""Rows of a crawl become tables of pandas and polars."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

import lagotto
from lagotto.harvest.export.pages import COLUMNS
from tests.site import Site

PAGES = {
    "/": '<title>Birds</title><p>The heron and other birds.</p><a href="/a">birds</a><a href="/b">none</a>',
    "/a": "<title>Herons</title><p>A heron is a bird of birds.</p>",
}


async def small_crawl(directory: Path) -> lagotto.CrawlResult:
    async with Site(PAGES) as site:
        config = lagotto.Config(
            topic="birds",
            seeds=[f"http://{site.hosts[0]}/"],
            strategy="bfs",
            concurrency=1,
            delay=0.0,
            parsers=1,
            allow_private=["127.0.0.0/8"],
        )
        async with lagotto.Crawl(config, directory) as crawl:
            why = await crawl.run()
    return lagotto.CrawlResult(directory, why, crawl.statistics.pages, crawl.statistics.relevant)


async def test_pandas_makes_columns_of_the_fields(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed; it is in the extra dev")
    result = await small_crawl(tmp_path / "c")
    frame = pandas.DataFrame(result.pages())
    assert list(frame.columns) == [*COLUMNS, "text"]
    assert frame["status"].tolist() == [200, 200, 404]
    assert frame["relevant"].tolist() == [row.relevant for row in result.pages()]
    with_text = pandas.DataFrame(result.pages(relevant_only=True, with_text=True))
    assert "A heron is a bird of birds." in with_text["text"].tolist()


async def test_polars_makes_columns_of_the_fields(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars", reason="polars is not installed; pip install polars")
    result = await small_crawl(tmp_path / "c")
    frame = polars.DataFrame(result.pages())
    assert frame.columns == [*COLUMNS, "text"]
    assert frame["title"].to_list() == ["Birds", "Herons", ""]


async def test_rows_are_dataclasses(tmp_path: Path) -> None:
    result = await small_crawl(tmp_path / "c")
    assert [dataclasses.asdict(row)["depth"] for row in result.pages()] == [0, 1, 1]
