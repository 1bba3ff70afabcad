"""`lagotto topic show DIR`: the weight table of a crawl and its versions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.servers import Served, demo_served


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with demo_served() as served:
        yield served


def crawl(run: Run, server: Served, strategy: str, pages: int, *more: object) -> None:
    options = [*server.options("truffles"), "--strategy", strategy, "--max-pages", pages, "-o", "c"]
    done = run("crawl", "truffles mushroom", *options, *more)
    assert done.code == 0, done.err


def test_the_log_s_table_and_what_rose_and_fell(run: Run, server: Served, tmp_path: Path) -> None:
    log = tmp_path / "queries.txt"
    log.write_text("truffles\ntruffles oak\noak\nmushroom\n")
    more = [
        "--query-log",
        log,
        "--option",
        "interval=10 pages",
        "--option",
        "page_threshold=0",
        "--concurrency",
        1,
    ]
    crawl(run, server, "dynamic", 5, *more)
    first = json.loads(run("topic", "show", "c", "--json").out)
    assert [version["weights"] for version in first] == [{"oak": 1.0, "truffles": 1.0}]
    assert first[0]["below"] == {"mushroom": 0.5}
    with log.open("a") as file:
        file.write("mushroom\n" * 4 + "truffles\n" * 3)
    assert run("resume", "c", "--max-pages", 15).code == 0
    versions = json.loads(run("topic", "show", "c", "--json").out)
    assert [version["weights"] for version in versions] == [
        {"oak": 1.0, "truffles": 1.0},
        {"mushroom": 2.0, "truffles": 2.0},
    ]
    assert [version["pages"] for version in versions] == [1, 10]
    said = run("topic", "show", "c", "--picture", "weights.svg")
    lines = said.out.splitlines()
    assert lines[0] == "2 versions of the weight table (query log), the last after 10 pages"
    assert lines[2].split() == ["mushroom", "-", "2.0000", "+2.0000", "new"]
    assert lines[3].split() == ["truffles", "1.0000", "2.0000", "+1.0000", "rose"]
    assert lines[4].split() == ["oak", "1.0000", "-", "-1.0000", "gone"]
    assert "below the threshold: oak 0.5" in said.out
    assert "mushroom</text>" in (tmp_path / "weights.svg").read_text()


@pytest.mark.parametrize(
    ("strategy", "source"), [("hybrid", "words and topic pages"), ("linkrank", "vocabularies")]
)
def test_strategies_that_learn_from_the_first_pages(
    run: Run, server: Served, strategy: str, source: str
) -> None:
    crawl(run, server, strategy, 14, "--option", "first_pages=10")
    versions = json.loads(run("topic", "show", "c", "--json").out)
    assert [version["source"] for version in versions] == ["words", source]
    assert versions[1]["pages"] >= 10


def test_scent_shows_the_words_of_its_judge(run: Run, server: Served) -> None:
    crawl(run, server, "scent", 30)
    versions = json.loads(run("topic", "show", "c", "--json").out)
    assert versions[0]["weights"].keys() == {"truffl", "mushroom"}
    assert len(versions) > 2
    assert len(versions[-1]["weights"]) > 10
    said = run("topic", "show", "c", "--top", 5).out
    assert "... and" in said
    assert len(said.splitlines()[1].split("p.")) <= 7


def test_versions_survive_a_crawl_that_is_resumed_without_a_change(run: Run, server: Served) -> None:
    crawl(run, server, "best-first", 3)
    assert run("resume", "c", "--max-pages", 6).code == 0
    assert len(json.loads(run("topic", "show", "c", "--json").out)) == 1


def test_what_cannot_be_shown_is_told(run: Run, server: Served, tmp_path: Path) -> None:
    crawl(run, server, "best-first", 2)
    assert "must end in .svg" in run("topic", "show", "c", "--picture", "x.png").err
    assert "only the table of a crawl" in run("topic", "show", "sun", "--picture", "x.svg").err
    assert run("topic", "show", "sun").code == 2
