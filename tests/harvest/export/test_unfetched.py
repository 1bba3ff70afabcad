"""The frontier and the failures as tables."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pandas
import pytest

from lagotto.harvest.export import export, export_rows
from lagotto.store.sqlite.reader import SqliteReader
from tests.store.crawls import BIRDS, GONE, HELD, HUB, MOVED, NEXT, SEED, SLOW, a_crawl


@pytest.fixture
def crawl(tmp_path: Path) -> Iterator[SqliteReader]:
    a_crawl(tmp_path / "small")
    with SqliteReader.open(tmp_path / "small") as reader:
        yield reader


def test_the_frontier(crawl: SqliteReader, tmp_path: Path) -> None:
    stream = io.BytesIO()
    assert export_rows(crawl, "frontier", stream) == 3
    rows = {row["url"]: row for row in csv.DictReader(io.StringIO(stream.getvalue().decode()))}
    assert {url: row["state"] for url, row in rows.items()} == {
        SLOW: "deferred",
        HELD: "held",
        NEXT: "queued",
    }
    assert (rows[NEXT]["score"], rows[NEXT]["parent"], rows[NEXT]["anchor"]) == ("0.875", MOVED, "an anchor")
    assert (rows[HELD]["parent"], rows[HELD]["host"], rows[HELD]["depth"]) == (BIRDS, "held.example", "3")
    assert rows[SLOW]["retry_at"] == "2023-11-14T22:15:00.000Z"
    assert (rows[SLOW]["waiting_for"], rows[SLOW]["parent"]) == ("timeout-total 30 s", SEED)
    assert export(crawl, "frontier", tmp_path / "f.parquet", top=2) == 2
    assert pandas.read_parquet(tmp_path / "f.parquet")["url"].tolist() == [NEXT, HELD]


def test_the_failures(crawl: SqliteReader, tmp_path: Path) -> None:
    assert export(crawl, "failures", tmp_path / "failures.jsonl") == 1
    [row] = map(json.loads, (tmp_path / "failures.jsonl").read_text().splitlines())
    assert (row["url"], row["status"], row["reason"], row["parent"]) == (GONE, 404, "http-status", HUB)
    assert row["meaning"] == "the server answered with status 404 (Not Found)"


def test_an_empty_crawl(empty: SqliteReader, tmp_path: Path) -> None:
    for format in ("frontier", "failures"):
        assert export(empty, format, tmp_path / format) == 0
        [header] = csv.reader((tmp_path / format).read_text().splitlines())
        assert header[0] in ("url", "seq")
