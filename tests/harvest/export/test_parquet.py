"""Parquet, read by pandas, pyarrow and DuckDB."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pandas
import pyarrow.parquet
import pytest

from lagotto.harvest.export import export
from lagotto.harvest.export.pages import CHUNK_COLUMNS, COLUMNS
from lagotto.store.sqlite.reader import SqliteReader
from tests.conftest import PROJECT
from tests.harvest.export.shelf import URLS


def test_pandas_reads_it(reader: SqliteReader, tmp_path: Path) -> None:
    path = tmp_path / "pages.parquet"
    assert export(reader, "parquet", path, with_text=True, html=True, markdown=True) == 6
    frame = pandas.read_parquet(path)
    assert list(frame.columns) == [*COLUMNS, "text", "html", "markdown"]
    assert frame["relevance"].tolist()[:5] == [0.0, 0.25, 0.75, 0.5, 0.75]
    assert pandas.isna(frame["relevance"][5])
    assert str(frame["fetched_at"][1]) == "2023-11-14 22:13:21+00:00"
    assert frame["html"][1].startswith("<title>Page</title><nav>Menu</nav>")
    assert frame["markdown"][1] == "# About 1\n\nSome **text**, [link](http://b.example/x)."
    assert frame["text"][1] == "About 1\n\nSome text, link."
    assert frame["html"][5] is None or pandas.isna(frame["html"][5])


def test_duckdb_reads_it(reader: SqliteReader, tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb", reason="DuckDB (65 MB) is not installed")
    path = tmp_path / "pages.parquet"
    export(reader, "parquet", path)
    query = f"SELECT host, count(*) FROM '{path}' WHERE relevant GROUP BY host ORDER BY host"
    assert duckdb.sql(query).fetchall() == [("a.example", 2), ("b.example", 1)]


def test_chunks(reader: SqliteReader, tmp_path: Path) -> None:
    path = tmp_path / "chunks.parquet"
    export(reader, "parquet", path, chunks=100, top=1)
    table = pyarrow.parquet.read_table(path)
    assert table.column_names == list(CHUNK_COLUMNS)
    assert table["url"].to_pylist() == [URLS[1]]


def test_an_empty_crawl_gives_an_empty_file_with_columns(empty: SqliteReader, tmp_path: Path) -> None:
    assert export(empty, "parquet", tmp_path / "none.parquet") == 0
    frame = pandas.read_parquet(tmp_path / "none.parquet")
    assert (len(frame), list(frame.columns)) == (0, list(COLUMNS))


WITHOUT = """
import sys
sys.modules["pyarrow"] = None
from lagotto.cli import main
main()
"""


def test_a_sentence_says_what_to_install(reader: SqliteReader, tmp_path: Path) -> None:
    command = ["export", str(tmp_path / "crawl"), "--format", "parquet", "-o", str(tmp_path / "x.parquet")]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, *command], cwd=PROJECT, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "pip install pyarrow" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["crawl"]
