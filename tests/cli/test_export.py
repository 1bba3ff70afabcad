"""`lagotto export`: every format, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import lagotto
from lagotto.base.facts import OptOut, PageFacts, Use
from lagotto.harvest.export import FORMATS
from lagotto.lab.checks.store_calls import outcome, seed
from tests.cli.conftest import Run
from tests.harvest.export import shelf
from tests.store.blocking import Blocking


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    shelf.make(tmp_path / "crawl")
    return tmp_path / "crawl"


@pytest.mark.parametrize("format", sorted(FORMATS))
def test_every_format_goes_to_a_path(run: Run, crawl: Path, tmp_path: Path, format: str) -> None:
    done = run("export", crawl, "--format", format, "-o", tmp_path / "out")
    assert (done.code, done.out.endswith(f" in {tmp_path / 'out'}\n")) == (0, True), done.err
    again = run("export", crawl, "--format", format, "-o", tmp_path / "out")
    assert (again.code, "--force" in again.err) == (2, True)
    assert run("export", crawl, "--format", format, "-o", tmp_path / "out", "--force").code == 0


def test_the_ending_says_the_format(run: Run, crawl: Path, tmp_path: Path) -> None:
    assert run("export", crawl, "-o", tmp_path / "x.parquet").out == f"6 rows in {tmp_path / 'x.parquet'}\n"
    assert (tmp_path / "x.parquet").read_bytes()[:4] == b"PAR1"
    done = run("export", crawl, "--format", "csv", "-o", tmp_path / "y.parquet")
    assert (done.code, "ends like the format parquet" in done.err) == (2, True)
    assert not (tmp_path / "y.parquet").exists()


def test_what_is_counted_is_named(run: Run, crawl: Path, tmp_path: Path) -> None:
    counted = {"folder": "5 pages", "wacz": "5 pages", "graphml": "5 nodes", "failures": "1 row"}
    for format, said in counted.items():
        done = run("export", crawl, "--format", format, "-o", tmp_path / format)
        assert done.out == f"{said} in {tmp_path / format}\n"


def test_pages_are_chosen_and_sorted(run: Run, crawl: Path) -> None:
    done = run("export", crawl, "--top", 3, "--sort", "relevance", "--near-duplicates", "drop", "--text")
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert [row["url"] for row in rows] == [shelf.URLS[1], shelf.URLS[2], shelf.URLS[0]]
    assert rows[0]["text"] == "About 2\n\nSome text, link."
    chunks = run("export", crawl, "--min-relevance", 0.7, "--chunks", 3).out.splitlines()
    assert {json.loads(line)["url"] for line in chunks} == {shelf.URLS[1], shelf.URLS[3]}


def test_a_dash_is_the_standard_output(
    run: Run, crawl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("export", crawl, "-o", "-").out == run("export", crawl).out
    assert not Path("-").exists()


def test_pages_that_opt_out_are_told_of_wherever_the_rows_go(run: Run, tmp_path: Path) -> None:
    store = Blocking.create(tmp_path / "crawl")
    store.hold_all()
    url = "http://a.example/"
    store.add_seeds([seed(url)])
    reserved = outcome(seed(url))
    assert reserved.page is not None
    reserved.page.facts = PageFacts(opt_outs=[OptOut(Use.TDM, "header")])
    store.commit([reserved])
    store.close()
    told = "left out 1 page that opts out of tdm; --respect none keeps all\n"
    for options in (["--chunks", 50], ["--respect", "tdm"], ["--respect", "tdm", "-o", "-"]):
        assert run("export", "crawl", *options) == (0, "", told)
    assert run("export", "crawl", "--chunks", 50, "-o", "rows.jsonl").err == told
    assert run("export", "crawl").err == ""


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--format", "parquet"], "the format parquet needs a path"),
        (["--format", "wacz"], "the format wacz needs a path"),
        (["--format", "markdown"], "the format markdown needs a path"),
        (["--format", "docx"], "there is no format 'docx'"),
        (["--sort", "size"], "--sort cannot be 'size'"),
        (["--top", "0"], "--top must be"),
        (["--min-relevance", "2"], "--min-relevance must lie"),
        (["--format", "frontier", "--relevant-only"], "the format frontier takes no --relevant-only"),
    ],
)
def test_bad_input_gets_a_sentence(run: Run, crawl: Path, options: list[str], sentence: str) -> None:
    done = run("export", crawl, *options)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err


def test_from_python(crawl: Path, tmp_path: Path) -> None:
    result = lagotto.CrawlResult(crawl, "", 5, 3)
    assert result.export(tmp_path / "out.csv", format="csv", relevant_only=True) == 3
    assert lagotto.export_crawl(crawl, tmp_path / "out.csv", format="csv", force=True) == 6
    with pytest.raises(lagotto.LagottoError, match="exists"):
        lagotto.export_crawl(crawl, tmp_path / "out.csv", format="csv")
