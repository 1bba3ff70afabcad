"""`lagotto search`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import lagotto
from tests.cli.conftest import Run
from tests.harvest.search.birds import HERON, STORK, WIND, Birds


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    birds = Birds(tmp_path / "crawl")
    birds.close()
    return birds.directory


def test_pages_are_shown_with_title_address_and_snippet(run: Run, crawl: Path) -> None:
    done = run("search", crawl, "shallow", "water")
    assert done.code == 0
    assert "  1. Grey heron\n" in done.out
    assert f"{HERON}  (relevance 0.90, 2023-11-14, 1 near-duplicate)" in done.out
    assert "The grey heron stands in shallow water." in done.out
    assert done.out.endswith("1 to 1 of 2 pages found; more with --offset 1\n")


def test_json_has_everything(run: Run, crawl: Path) -> None:
    found = json.loads(run("search", crawl, "heron", "--json", "-n", 1).out)
    assert found["hits"][0]["url"] == HERON
    assert found["hits"][0]["snippet"]["highlights"]
    assert found["total"] == 4


def test_pages_alike_and_next_pages(run: Run, crawl: Path) -> None:
    assert STORK in run("search", crawl, "--like", HERON).out
    assert run("search", crawl, "heron", "--offset", 50).out == "4 pages found; none after the first 50\n"


def test_nothing_found_is_no_error(run: Run, crawl: Path) -> None:
    done = run("search", crawl, "zeppelin")
    assert (done.code, done.out) == (0, "no page found\n")
    some = run("search", crawl, "zeppelin turbine")
    assert WIND in some.out
    assert some.err == "no page has all the words; these have some of them\n"


def test_a_damaged_index_is_made_anew_with_a_sentence(run: Run, crawl: Path) -> None:
    assert run("search", crawl, "heron").err == ""
    (crawl / "index" / "meta.json").write_text("damaged")
    done = run("search", crawl, "heron")
    assert HERON in done.out
    assert done.err.startswith("the search index was made anew: the old one could not be read (")
    assert run("search", crawl, "heron", "--rebuild").err == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["?!..."], "lagotto: there is no word to look for in '?!...'; write at least one\n"),
        ([], "There is nothing to look for"),
        (["heron", "--relevance-weight", "7"], "must lie between 0 and 1"),
        (["heron", "--near-duplicates", "hide"], "choose fold or keep"),
        (["after:soon"], "takes a date such as"),
        (["--like", "http://nowhere.example/"], "is no page of the crawl"),
        (["--like", "%%%"], "lagotto: "),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(
    run: Run, crawl: Path, arguments: list[str], said: str
) -> None:
    done = run("search", crawl, *arguments)
    assert (done.code, said in done.err, "Traceback" in done.err) == (2, True, False)


def test_a_result_searches_its_own_crawl(crawl: Path) -> None:
    result = lagotto.CrawlResult(crawl, "done", 5, 3)
    assert [hit.url for hit in result.search("turbines").hits] == [WIND]
