"""`lagotto subtopics`, and exports of a subtopic."""

from __future__ import annotations

import json
from pathlib import Path

import lagotto
from tests.cli.conftest import Run
from tests.harvest.subtopics.made import SUBJECTS, MadeCrawl


def made(directory: Path) -> Path:
    crawl = MadeCrawl(directory)
    crawl.fetch(*SUBJECTS)
    crawl.close()
    return directory


def test_groups_are_shown_with_sizes_bars_and_a_typical_page(run: Run, tmp_path: Path) -> None:
    said = run("subtopics", made(tmp_path / "crawl"))
    lines = said.out.splitlines()
    assert lines[0] == "80 pages on topic in 4 subtopics"
    assert [line.split()[0] for line in lines[1::2]] == ["1", "2", "3", "4"]
    assert all("█" in line for line in lines[1::2])
    assert all("http://site" in line for line in lines[2::2])


def test_json_has_all_of_it(run: Run, tmp_path: Path) -> None:
    found = json.loads(run("subtopics", made(tmp_path / "crawl"), "--json").out)
    assert found["pages"] == 80
    assert {each["pages"] for each in found["subtopics"]} == {20}
    assert set(found["of_page"].values()) == {1, 2, 3, 4}


def test_a_subtopic_is_exported_by_name_and_number(run: Run, tmp_path: Path) -> None:
    crawl = made(tmp_path / "crawl")
    first = lagotto.subtopics(crawl).subtopics[0]
    by_name = run("export", crawl, "--subtopic", first.name)
    assert len(by_name.out.splitlines()) == 20
    assert by_name.out == run("export", crawl, "--subtopic", first.id).out
    path = tmp_path / "a.jsonl"
    assert lagotto.export_crawl(crawl, path, subtopic=first.name) == 20


def test_bad_input_is_one_sentence(run: Run, tmp_path: Path) -> None:
    crawl = made(tmp_path / "crawl")
    unknown = run("export", crawl, "--subtopic", "nuclear")
    assert (unknown.code, unknown.out) == (2, "")
    assert unknown.err.startswith("lagotto: there is no subtopic 'nuclear'; there are: 1 ")
    assert run("subtopics", crawl, "--number", 1).code == 2
    assert run("subtopics", tmp_path / "nothing").code == 2
    frontier = run("export", crawl, "--format", "frontier", "--subtopic", "1")
    assert "takes no --subtopic" in frontier.err


def test_few_pages_are_no_error(run: Run, tmp_path: Path) -> None:
    crawl = MadeCrawl(tmp_path / "crawl")
    crawl.close()
    assert run("subtopics", tmp_path / "crawl").out == "0 pages on topic are too few for subtopics\n"
