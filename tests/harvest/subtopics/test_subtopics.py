"""Subtopics of a crawl: groups, names, growth, what is kept, bad input."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from pathlib import Path

import pytest

import lagotto
from lagotto.base.errors import InputError, UnknownName
from lagotto.harvest.subtopics import Subtopics
from lagotto.harvest.subtopics.saved import FILE
from lagotto.harvest.subtopics.subtopics import FOLDER, PARTS
from lagotto.store import storage_at
from tests.harvest.subtopics.made import SUBJECTS, MadeCrawl, subject_of


def subjects(crawl: MadeCrawl, found: Subtopics) -> dict[int, Counter[str]]:
    """Id of each subtopic -> the true subjects of its pages."""
    counts: dict[int, Counter[str]] = {each.id: Counter() for each in found.subtopics}
    with storage_at(crawl.directory).reader() as reader:
        for row in reader.rows():
            if row.seq in found.of_page:
                counts[found.of_page[row.seq]][subject_of(row.url)] += 1
    return counts


def names(found: Subtopics) -> dict[int, str]:
    return {each.id: each.name for each in found.subtopics}


def test_pages_of_a_subject_come_together_under_its_name(crawl: MadeCrawl) -> None:
    crawl.fetch(*SUBJECTS)
    found = lagotto.subtopics(crawl.directory)
    assert [len(each) for each in subjects(crawl, found).values()] == [1, 1, 1, 1]
    named = {next(iter(counts)): names(found)[id] for id, counts in subjects(crawl, found).items()}
    assert all(
        set(named[subject].lower().split()) & set(words.split()) for subject, words in SUBJECTS.items()
    )
    assert (found.pages, found.unsorted) == (80, 0)
    assert sum(each.pages for each in found.subtopics) == 80
    assert sum(each.share for each in found.subtopics) == pytest.approx(1.0)


def test_names_are_neither_furniture_nor_the_topic_itself(crawl: MadeCrawl) -> None:
    crawl.fetch(*SUBJECTS)
    found = lagotto.subtopics(crawl.directory).subtopics
    text = " ".join(word for each in found for word in [each.name, *each.keywords]).lower()
    assert not [word for word in ("skip", "menu", "copyright", "renewable energy") if word in text]
    assert len({each.name for each in found}) == 4


def test_typical_pages_and_growth(crawl: MadeCrawl) -> None:
    crawl.fetch("solar", "wind")
    crawl.fetch("battery", last=40)
    found = lagotto.subtopics(crawl.directory)
    for each in found.subtopics:
        assert len(each.growth) == PARTS
        assert sum(each.growth) == each.pages
        [subject] = {subject_of(page.url) for page in each.typical}
        assert (sum(each.growth[: PARTS // 2]) == 0) == (subject == "battery")


def test_new_pages_join_the_groups_and_nothing_else_moves(crawl: MadeCrawl) -> None:
    crawl.fetch(*SUBJECTS)
    before = lagotto.subtopics(crawl.directory)
    crawl.fetch("wind", first=20, last=30)
    after = lagotto.subtopics(crawl.directory)
    assert names(after) == names(before)
    assert all(after.of_page[number] == id for number, id in before.of_page.items())
    assert sum(1 for found in subjects(crawl, after).values() if found["wind"]) == 1


def test_groups_that_are_made_again_keep_their_ids_and_names(crawl: MadeCrawl) -> None:
    crawl.fetch("solar", "wind", "battery")
    before = lagotto.subtopics(crawl.directory)
    crawl.fetch("solar", "wind", "battery", first=20, last=40)
    crawl.fetch("hydro", last=40)
    after = lagotto.subtopics(crawl.directory)
    kept = names(after)
    assert len(kept) == 4
    assert {id: kept[id] for id in kept if id <= 3} == names(before)
    moved = [number for number, id in before.of_page.items() if after.of_page[number] != id]
    assert not moved
    assert subjects(crawl, after)[4].keys() == {"hydro"}
    rebuilt = lagotto.subtopics(crawl.directory, rebuild=True)
    assert names(rebuilt) == kept


def test_a_number_of_groups_is_obeyed_and_kept(crawl: MadeCrawl) -> None:
    crawl.fetch(*SUBJECTS)
    assert len(lagotto.subtopics(crawl.directory, number=2).subtopics) == 2
    assert len(lagotto.subtopics(crawl.directory).subtopics) == 2
    assert len(lagotto.subtopics(crawl.directory, rebuild=True).subtopics) == 4


@pytest.mark.parametrize("number", [-1, 0, 1, 201])
def test_a_number_that_makes_no_sense_is_refused(crawl: MadeCrawl, number: int) -> None:
    with pytest.raises(InputError, match="2 to 200 subtopics"):
        lagotto.subtopics(crawl.directory, number=number)


def test_pages_that_lose_their_verdict_leave_and_come_back(crawl: MadeCrawl) -> None:
    crawl.fetch(*SUBJECTS)
    before = lagotto.subtopics(crawl.directory)
    crawl.judge(1, 0.1)
    without = lagotto.subtopics(crawl.directory)
    assert without.pages == 79
    assert 1 not in without.of_page
    crawl.judge(1, 0.9)
    assert lagotto.subtopics(crawl.directory).of_page == before.of_page


def test_pages_off_topic_are_left_out(crawl: MadeCrawl) -> None:
    crawl.fetch("solar", "wind")
    crawl.fetch("hydro", relevance=0.1)
    assert not any(each["hydro"] for each in subjects(crawl, lagotto.subtopics(crawl.directory)).values())


def test_few_pages_make_no_groups(crawl: MadeCrawl) -> None:
    assert lagotto.subtopics(crawl.directory) == Subtopics([], 0, 0)
    crawl.fetch("solar", last=9)
    found = lagotto.subtopics(crawl.directory)
    assert (found.subtopics, found.pages, found.unsorted) == ([], 9, 9)
    with pytest.raises(UnknownName, match="at least ten pages"):
        found.find("solar")


def test_titles_do_where_no_text_was_kept(tmp_path: Path) -> None:
    crawl = MadeCrawl(tmp_path / "crawl", keep_text=False)
    crawl.fetch(*SUBJECTS)
    found = lagotto.subtopics(crawl.directory)
    assert found.unsorted == 0
    assert len(found.subtopics) > 1
    crawl.close()


def test_subtopics_are_found_by_id_name_and_beginning(crawl: MadeCrawl) -> None:
    crawl.fetch(*SUBJECTS)
    found = lagotto.subtopics(crawl.directory)
    first = found.subtopics[0]
    assert found.find(first.id) == found.find(str(first.id)) == found.find(first.name.upper()) == first
    assert found.find(first.name[:-1]) == first
    assert len(found.numbers(first.name)) == first.pages
    with pytest.raises(UnknownName, match=f"no subtopic 'nuclear'; there are: .*{first.id} {first.name}"):
        found.find("nuclear")


@pytest.mark.parametrize("damage", [b"", b"\x00" * 100, b"not a file of groups"])
def test_a_damaged_file_is_made_again(crawl: MadeCrawl, damage: bytes) -> None:
    crawl.fetch(*SUBJECTS)
    before = lagotto.subtopics(crawl.directory)
    (crawl.directory / FOLDER / FILE).write_bytes(damage)
    assert lagotto.subtopics(crawl.directory).of_page == before.of_page


def test_the_groups_of_another_crawl_are_not_taken(crawl: MadeCrawl, tmp_path: Path) -> None:
    crawl.fetch("solar", "wind")
    lagotto.subtopics(crawl.directory)
    other = MadeCrawl(tmp_path / "other")
    other.fetch("hydro", "battery")
    shutil.copytree(crawl.directory / FOLDER, other.directory / FOLDER)
    found = lagotto.subtopics(other.directory)
    assert set(found.of_page) == set(range(1, 41))
    assert {subject for each in subjects(other, found).values() for subject in each} == {"hydro", "battery"}
    other.close()


def test_a_crawl_that_may_only_be_read_is_sorted_too(
    crawl: MadeCrawl, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    crawl.fetch(*SUBJECTS)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(os, "access", lambda path, mode: not Path(path).is_relative_to(crawl.directory))
    assert len(lagotto.subtopics(crawl.directory).subtopics) == 4
    assert not (crawl.directory / FOLDER).exists()
    assert list((tmp_path / "cache").rglob(FILE))


def test_large_harvests_are_sampled_and_the_rest_sorted(
    crawl: MadeCrawl, monkeypatch: pytest.MonkeyPatch
) -> None:
    crawl.fetch(*SUBJECTS, last=30)
    monkeypatch.setattr("lagotto.harvest.subtopics.sorting.SAMPLE", 60)
    seen: list[tuple[int, int]] = []
    found = lagotto.subtopics(crawl.directory, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(60, 60)]
    assert found.unsorted == 0
    assert [len(each) for each in subjects(crawl, found).values()] == [1, 1, 1, 1]
