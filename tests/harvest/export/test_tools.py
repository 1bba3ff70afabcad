"""Tables re-read by the tools that they are made for: pandas, polars and DuckDB."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pytest

from lagotto.harvest.export import export
from lagotto.harvest.export.pages import COLUMNS
from lagotto.lab.checks.store_calls import outcome, seed
from lagotto.store.sqlite.reader import SqliteReader
from tests.store.blocking import Blocking

TITLES = [
    "=1+1",
    "@SUM(A1)",
    '"quoted", comma',
    "two\nlines",
    "tab\there",
    "nul\x00 bell\x07",
    "鳥 naïve",
    "\ufeff-1",
]
READERS: dict[str, dict[str, Callable[[Path], Any]]] = {
    "csv": {"pandas": pandas.read_csv, "polars": polars.read_csv},
    "jsonl": {"pandas": lambda path: pandas.read_json(path, lines=True), "polars": polars.read_ndjson},
    "parquet": {"pandas": pandas.read_parquet, "polars": polars.read_parquet},
}


@pytest.fixture
def titles(tmp_path: Path) -> SqliteReader:
    """A crawl of pages with titles that are hard to write."""
    store = Blocking.create(tmp_path / "crawl")
    store.hold_all()
    for n, title in enumerate(TITLES):
        store.add_seeds([seed(f"http://a.example/{n}")])
        done = outcome(seed(f"http://a.example/{n}"), content=n + 1)
        assert done.page is not None
        done.page.title = title
        store.commit([done])
    store.close()
    return SqliteReader.open(tmp_path / "crawl")


@pytest.mark.parametrize(("format", "tool"), [(each, tool) for each in READERS for tool in READERS[each]])
def test_frames(titles: SqliteReader, tmp_path: Path, format: str, tool: str) -> None:
    path = tmp_path / f"pages.{format}"
    assert export(titles, format, path) == len(TITLES)
    frame = READERS[format][tool](path)
    assert list(frame.columns) == list(COLUMNS)
    assert list(frame["relevance"]) == [0.5] * len(TITLES)
    found = list(frame["title"])
    assert found[2:4] == TITLES[2:4]
    assert found[0] == ("'=1+1" if format == "csv" else "=1+1")
    titles.close()


@pytest.mark.parametrize("format", list(READERS))
def test_duckdb(titles: SqliteReader, tmp_path: Path, format: str) -> None:
    path = tmp_path / f"pages.{format}"
    export(titles, format, path)
    query = f"SELECT count(*), avg(relevance), count(DISTINCT title) FROM '{path}'"
    found = duckdb.sql(query)
    assert found is not None
    assert found.fetchall() == [(len(TITLES), 0.5, len(TITLES))]
    titles.close()
