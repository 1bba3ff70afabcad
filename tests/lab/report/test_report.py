from __future__ import annotations

import csv
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from lagotto.lab.experiments.papers import (
    REPORTED,
    crawl_summary,
    harvest_at_marks,
    marks_within,
    segment_length,
)
from lagotto.lab.experiments.results import MEASURES, SHARE, Comparison, RunKey
from lagotto.lab.report import headline, tables_of, write_report
from lagotto.lab.report.page import page
from lagotto.lab.report.tables import Column, Table, best_rows, csv_text, html_text, markdown_text


@pytest.fixture(scope="module")
def written(compared: Comparison, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    assert write_report(compared, folder) == folder / "report.html"
    return folder


class Reader(HTMLParser):
    """Notes what a page asks for from elsewhere, and whether every element is closed."""

    VOID = frozenset({"meta", "path", "circle", "br", "wbr"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elsewhere: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        if tag not in self.VOID:
            self.open.append(tag)
        names = ("src", "href", "srcset", "data", "action", "xlink:href")
        self.elsewhere += [f"{name}={value}" for name, value in attributes if name in names]

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag


def test_the_page_needs_nothing_else(written: Path) -> None:
    text = (written / "report.html").read_text()
    reader = Reader()
    reader.feed(text)
    assert reader.open == []
    assert reader.elsewhere == []
    assert not {"script", "link", "img", "iframe"} & reader.seen
    assert "url(" not in text
    assert "@import" not in text
    assert len(text) < 2_000_000


def test_the_page_tells_what_was_compared(written: Path, compared: Comparison) -> None:
    text = (written / "report.html").read_text()
    assert compared.facts.content_hash in text
    assert headline(compared, "words") in text.replace("&#x27;", "'")
    assert all(name in text for name in compared.strategies)
    assert "prefers-color-scheme" in text
    # A dot chart, a chart of means, one of segments, one of reliability and one a topic, for each protocol.
    assert text.count("<svg viewBox") - text.count("aria-hidden") == 2 * (4 + len(compared.topics))


def test_names_are_escaped_wherever_they_stand(compared: Comparison) -> None:
    nasty = "<script>alert('x')</script>|*\""
    runs = {
        RunKey(key.protocol, key.strategy, nasty if key.topic == "chess" else key.topic, key.draw): run
        for key, run in compared.runs.items()
    }
    facts = msgspec.structs.replace(
        compared.facts, web=nasty, words={nasty: nasty}, relevant={nasty: 1}, settings={nasty: nasty}
    )
    text = page(Comparison(facts, runs, budget=compared.budget))
    reader = Reader()
    reader.feed(text)
    assert "script" not in reader.seen
    assert reader.open == []


def test_tables_are_written_as_csv_and_markdown(written: Path, compared: Comparison) -> None:
    with (written / "tables" / "words-summary.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["strategy"] for row in rows} == set(compared.strategies)
    shares = {row["strategy"]: float(row["share of oracle's area"]) for row in rows}
    assert shares["best-first"] == compared.mean(SHARE, "words", "best-first")
    with (written / "tables" / "examples-runs.csv").open() as file:
        assert len(list(csv.DictReader(file))) == len(compared.runs) / 2
    text = (written / "tables-words.md").read_text()
    assert text.count("### ") == len(tables_of(compared, "words"))


def test_pictures_are_drawn(written: Path, compared: Comparison) -> None:
    for protocol in ("words", "examples"):
        for name in ("shares", "curves", "segments", "topics"):
            drawn = ElementTree.parse(written / "pictures" / f"{protocol}-{name}.svg")
            texts = set(drawn.getroot().itertext())
            assert set(compared.ranking(protocol)) <= texts
        assert set(compared.topics) <= texts


def test_the_report_is_the_same_every_time(written: Path, compared: Comparison, tmp_path: Path) -> None:
    write_report(compared, tmp_path)
    for path in sorted(tmp_path.rglob("*.*")):
        assert path.read_bytes() == (written / path.relative_to(tmp_path)).read_bytes(), path


def test_the_headline_names_the_best_and_says_when_it_is_not_sure(compared: Comparison) -> None:
    sentence = headline(compared, "words")
    assert sentence.startswith(f"{compared.lead('words')} does best, with ")
    assert "Breadth first reaches" in sentence
    bounds = {key: run for key, run in compared.runs.items() if key.strategy not in compared.contenders}
    assert headline(Comparison(compared.facts, bounds, budget=30), "words").startswith("Only bounds ran")


def test_a_bound_that_is_ahead_is_told(compared: Comparison) -> None:
    swapped = {key: compared.runs[key._replace(strategy=_swap(key.strategy))] for key in compared.runs}
    sentence = headline(Comparison(compared.facts, swapped, budget=30), "words")
    assert sentence.startswith("No strategy is ahead of")


def _swap(name: str) -> str:
    return {"bfs": "best-first", "best-first": "random", "best-first:threshold=0.5": "random"}.get(name, name)


def test_marks_are_those_of_the_papers_within_the_budget() -> None:
    assert marks_within(2000) == [100, 500, 1000, 1500, 2000]
    assert marks_within(700) == [100, 500, 700]
    assert marks_within(30) == [30]
    assert (segment_length(25_000), segment_length(2000), segment_length(500)) == (500, 500, 50)
    assert REPORTED["dynamic"]["dynamic table"][4000] == 0.87
    assert REPORTED["hybrid"]["proposed"][100] == 0.86


def test_paper_tables_follow_from_the_runs(compared: Comparison) -> None:
    (harvest,) = harvest_at_marks(compared, "words", "bfs", [30])
    measure = next(measure for measure in MEASURES if measure.name == "harvest")
    assert harvest == pytest.approx(compared.mean(measure, "words", "bfs"))
    summary = crawl_summary(compared, "words", "bfs")
    assert summary.relative_time == 1.0
    assert summary.mean_of_segments == pytest.approx(harvest)
    assert summary.found == pytest.approx(30 * harvest)


def test_the_best_figure_is_bold_and_the_oracle_does_not_compete() -> None:
    columns = [
        Column("strategy", text=True),
        Column("share", 2, best=True),
        Column("ms", 1),
        Column("size", 0),
    ]
    table = Table(
        "t",
        "Title.",
        "Note.",
        columns,
        [["oracle", 1.0, 0.1, 5], ["a|b", 0.501, 2.0, 7], ["c", 0.499, 1.0, None], ["d", 0.1, 1.0, 1]],
    )
    assert best_rows(table) == [set(), {1, 2}, set(), set()]
    alike = table._replace(rows=[[name, 1.0, 1.0, 1] for name in "abc"])
    assert best_rows(alike) == [set()] * 4, "what all have is no distinction"
    assert "| a\\|b | **0.50** | 2.0 | 7 |" in markdown_text(table)
    assert "| c | **0.50** | 1.0 | - |" in markdown_text(table)
    assert csv_text(table).splitlines()[3] == "c,0.499,1.0,"
    assert re.search(r"<td class=best>0\.50</td>", html_text(table))
