from __future__ import annotations

from math import log, nan

import numpy as np
import pytest

from lagotto.focus.judging import FetchedPage, Gathering
from lagotto.focus.judging.harvest import coverage, density

WORDS = {"bird": 0.75, "feather": 0.25}


def page(id: int, links: list[int], **known: object) -> FetchedPage:
    return FetchedPage(id=id, host=f"h{id % 2}", counts={"bird": id, "x": 40}, links=links, **known)  # type: ignore[arg-type]


def gathered(*pages: FetchedPage) -> Gathering:
    gathering = Gathering(WORDS)
    for number, each in enumerate(pages):
        gathering.add(each, np.array([number, 7], np.int32), np.array([1.0, 2.0], np.float32), 0.1 * number)
    return gathering


def test_words_are_covered_by_share_and_frequency() -> None:
    assert coverage({"bird": 3}, WORDS) == pytest.approx(0.75 * 3 / 4.5)
    assert coverage({"fish": 3}, WORDS) == 0.0
    assert coverage({"bird": 10_000, "feather": 10_000}, WORDS) == pytest.approx(1.0, abs=0.001)


def test_density_counts_words_against_length_but_short_pages_as_of_20() -> None:
    assert density({"bird": 2, "x": 98}, WORDS) == pytest.approx(log(1 + 1000 * 1.5 / 100))
    assert density({"bird": 1}, WORDS) == pytest.approx(log(1 + 1000 * 0.75 / 20))
    assert density({"x": 5}, WORDS) == 0.0


def test_links_join_pages_of_the_harvest_once_and_never_a_page_with_itself() -> None:
    children, parents = gathered(page(5, [9, 9, 5, 77]), page(9, [5]), page(6, [9])).links()
    assert set(zip(children.tolist(), parents.tolist(), strict=True)) == {(1, 0), (0, 1), (1, 2)}


def test_harvest_has_a_row_a_page() -> None:
    pages = page(5, [9, 77], seed=True), page(9, [], mark=False, link_score=2.5)
    idf = np.arange(10, dtype=np.float32)
    harvest = gathered(*pages).harvest(np.zeros(2), np.zeros(2), idf)
    assert harvest.weights.tolist() == [0.0, 14.0, 1.0, 14.0]
    assert harvest.out_links.tolist() == [2, 0]
    assert harvest.seeds.tolist() == [True, False]
    assert harvest.marks.tolist()[1] == 0.0
    assert np.isnan(harvest.marks[0])
    assert harvest.link_scores[1] == 2.5
    assert harvest.about.tolist() == [0.0, 0.1]
    assert len(set(harvest.hosts.tolist())) == 1
    assert page(1, []).link_score is nan


def test_an_empty_harvest() -> None:
    harvest = Gathering(WORDS).harvest(np.zeros(0), np.zeros(0), np.ones(3, np.float32))
    assert len(harvest) == 0


def test_the_share_of_the_words_in_the_title() -> None:
    gathering = gathered(page(1, [], titled=["bird", "x"]), page(2, []))
    harvest = gathering.harvest(np.zeros(2), np.full(2, 0.7), np.ones(9, np.float32))
    assert harvest.titled[0] > harvest.titled[1] == 0.0
