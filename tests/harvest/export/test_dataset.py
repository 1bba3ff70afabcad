"""Datasets: Parquet shards and a card, as the `datasets` library loads them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import pytest

from lagotto.base.batch import Batch, Version
from lagotto.base.errors import InputError
from lagotto.base.facts import OptOut, PageFacts, Use
from lagotto.base.views import Judging
from lagotto.crawling.rejudging import KIND
from lagotto.harvest.export import dataset, export
from lagotto.harvest.export.pages import CHUNK_COLUMNS, COLUMNS
from lagotto.lab.checks.store_calls import outcome, seed
from lagotto.store.sqlite.reader import SqliteReader
from tests.harvest.export import shelf
from tests.store.blocking import Blocking

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")


def card(folder: Path) -> tuple[dict[str, Any], str]:
    _, front_matter, text = (folder / "README.md").read_text("utf-8").split("---\n", 2)
    return yaml.safe_load(front_matter), text


def columns_and_rows(folder: Path) -> tuple[list[str], list[tuple[Any, ...]]]:
    found = duckdb.sql(f"SELECT * FROM '{folder}/data/train-*.parquet' ORDER BY ALL")
    assert found is not None
    return found.columns, found.fetchall()


@pytest.fixture
def licensed(tmp_path: Path) -> Iterator[SqliteReader]:
    """Three pages: one with a licence, one that opts out of text and data mining, one in German."""
    store = Blocking.create(tmp_path / "licensed")
    store.hold_all()
    facts = [
        PageFacts(license="https://creativecommons.org/licenses/by/4.0/"),
        PageFacts(opt_outs=[OptOut(Use.TDM, "header"), OptOut(Use.AI, "meta", "noai")]),
        None,
    ]
    for n, each in enumerate(facts):
        url = f"http://{'ab'[n % 2]}.example/{n}"
        store.add_seeds([seed(url)])
        done = outcome(seed(url), content=n + 1)
        assert done.page is not None
        done.page.facts, done.page.language, done.page.text = each, "de-AT" if n == 2 else "en", "=Text\x00 |"
        store.commit([done])
    yield store.reader()
    store.close()


def test_rows_are_pages_with_their_text(reader: SqliteReader, tmp_path: Path) -> None:
    assert export(reader, "dataset", tmp_path / "out", topic="herons".strip) == 5
    columns, rows = columns_and_rows(tmp_path / "out")
    assert columns == [*COLUMNS, "text"]
    assert [row[-1] for row in rows][1] == "About 1\n\nSome text, link."
    assert {row[columns.index("status")] for row in rows} == {200}


def test_the_card_tells_topic_dates_counts_and_languages(reader: SqliteReader, tmp_path: Path) -> None:
    export(reader, "dataset", tmp_path / "out", topic='herons: "grey" | *'.strip, relevant_only=True)
    facts, text = card(tmp_path / "out")
    assert facts["pretty_name"] == 'Web pages: herons: "grey" | *'
    assert facts["size_categories"] == ["n<1K"]
    assert facts["configs"][0]["data_files"] == [{"split": "train", "path": "data/train-*.parquet"}]
    assert "3 pages from 2 hosts, fetched between 2023-11-14 and 2023-11-14 by Lagotto" in text
    assert r'looked for: herons: "grey" \| \*.' in text
    assert "3 of 3 pages were judged to be on topic" in text
    assert "| a.example | 2 |" in text


def test_the_card_says_how_sure_the_verdicts_are(reader: SqliteReader, tmp_path: Path) -> None:
    judging = Judging(
        strategy="scent",
        pages=5,
        last_page=5,
        relevant=3,
        marks=0,
        recall=0.5,
        recall_low=0.0,
        recall_high=1.0,
        precision=0.8,
        precision_low=0.5,
        precision_high=0.9,
        cut=0.4,
        near=1,
    )
    store = Blocking.open(tmp_path / "crawl")
    store.write(Batch(versions=[Version(KIND, msgspec.json.encode(judging))]))
    store.close()
    export(reader, "dataset", tmp_path / "out", topic="herons".strip)
    text = card(tmp_path / "out")[1]
    assert "3 of 5 pages on topic; precision about 0.80 (90 % interval 0.50 to 0.90)" in text
    assert "cut at relevance 0.40, 1 page within 0.1 of it" in text


def test_one_page_of_one_host_is_no_plural(reader: SqliteReader, tmp_path: Path) -> None:
    export(reader, "dataset", tmp_path / "out", topic="herons".strip, top=1)
    assert "\n1 page from 1 host, fetched" in card(tmp_path / "out")[1]
    export(reader, "dataset", tmp_path / "chunks", topic="herons".strip, top=1, chunks=1000)
    assert "\n1 chunk of pages from 1 host, fetched" in card(tmp_path / "chunks")[1]


def test_pages_that_opt_out_are_left_out_and_counted(licensed: SqliteReader, tmp_path: Path) -> None:
    assert export(licensed, "dataset", tmp_path / "out", topic="birds".strip) == 2
    facts, text = card(tmp_path / "out")
    assert facts["language"] == ["de", "en"]
    assert "Respected here: tdm; 1 of 3 pages were left out for that." in text
    assert "| tdm (header) | 1 |" in text
    assert "| ai (meta) | 1 |" in text
    assert "| https://creativecommons.org/licenses/by/4.0/ | 1 |\n| none stated | 1 |" in text
    assert export(licensed, "dataset", tmp_path / "all", topic="birds".strip, respect="none") == 3
    assert "Respected here: none; 0 of 3 pages" in card(tmp_path / "all")[1]


def test_a_hub_reads_the_card(reader: SqliteReader, tmp_path: Path) -> None:
    hub = pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")
    export(reader, "dataset", tmp_path / "out", topic="herons".strip)
    found = hub.DatasetCard.load(tmp_path / "out" / "README.md")
    assert found.data.pretty_name == "Web pages: herons"
    assert found.data.size_categories == ["n<1K"]


def test_shards_hold_everything_once(
    reader: SqliteReader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dataset, "ROWS", 2)
    export(reader, "dataset", tmp_path / "out", topic="herons".strip)
    assert sorted(path.name for path in (tmp_path / "out" / "data").iterdir()) == [
        f"train-{n:05}.parquet" for n in range(3)
    ]
    columns, rows = columns_and_rows(tmp_path / "out")
    assert sorted(row[columns.index("url")] for row in rows) == sorted([shelf.HOME, *shelf.URLS])


def test_rows_may_be_chunks(reader: SqliteReader, tmp_path: Path) -> None:
    count = export(reader, "dataset", tmp_path / "out", topic="herons".strip, chunks=3)
    columns, rows = columns_and_rows(tmp_path / "out")
    assert (columns, len(rows)) == (list(CHUNK_COLUMNS), count)
    assert count > 5
    assert f"{count} chunks of pages from 2 hosts" in card(tmp_path / "out")[1]


def test_ids_of_chunks_stay_the_same(reader: SqliteReader, tmp_path: Path) -> None:
    export(reader, "dataset", tmp_path / "one", chunks=3)
    export(reader, "dataset", tmp_path / "two", chunks=3, sort="relevance", relevant_only=True)
    first, second = (
        {row[0]: row[4] for row in columns_and_rows(tmp_path / name)[1]} for name in ("one", "two")
    )
    assert second.items() < first.items()


def test_a_crawl_without_pages_gives_an_empty_dataset(empty: SqliteReader, tmp_path: Path) -> None:
    assert export(empty, "dataset", tmp_path / "out", topic="herons".strip) == 0
    columns, rows = columns_and_rows(tmp_path / "out")
    assert (columns, rows) == ([*COLUMNS, "text"], [])
    assert "0 pages from 0 hosts, fetched by Lagotto" in card(tmp_path / "out")[1]


def test_it_needs_a_folder(reader: SqliteReader, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="takes no --with-text"):
        export(reader, "dataset", tmp_path / "out", with_text=True)
