from __future__ import annotations

import numpy as np
from msgspec import structs

from lagotto.focus.judging.presence import presence
from tests.focus.judging.made import made_harvest


def test_counts_pages_that_name_the_words() -> None:
    harvest, _ = made_harvest(present=False)
    coverage = np.zeros(len(harvest))
    coverage[[5, 9]] = 0.2, 0.4
    found = presence(structs.replace(harvest, coverage=coverage), None)
    assert (found.naming, found.best, found.here) == (2, 9, False)
    assert found.pages == len(harvest) - 2


def test_each_kind_of_evidence_raises_the_chance() -> None:
    harvest, _ = made_harvest(present=False)
    low = presence(structs.replace(harvest, coverage=np.full(len(harvest), 0.3)), None).chance
    more_named = structs.replace(harvest, coverage=np.full(len(harvest), 0.6))
    assert presence(more_named, None).chance > low
    about = structs.replace(harvest, coverage=np.full(len(harvest), 0.3), about=np.full(len(harvest), 0.7))
    assert presence(about, None).chance > low


def test_few_pages_prove_no_absence() -> None:
    few, _ = made_harvest(20, present=False)
    many, _ = made_harvest(200, present=False)
    assert presence(few, None).here
    assert not presence(many, None).here


def test_a_page_marked_on_topic_proves_presence() -> None:
    harvest, _ = made_harvest(present=False)
    marks = harvest.marks.copy()
    marks[7] = 1.0
    assert presence(structs.replace(harvest, marks=marks), None).chance == 1.0


def test_without_word_vectors_words_alone_tell() -> None:
    here, _ = made_harvest()
    nothing = np.zeros(len(here))
    assert presence(structs.replace(here, about=nothing), None).here
    absent, _ = made_harvest(present=False)
    assert not presence(structs.replace(absent, about=nothing), None).here


def test_seeds_are_no_evidence() -> None:
    harvest, _ = made_harvest(present=False)
    coverage = np.where(harvest.seeds, 1.0, 0.0)
    found = presence(structs.replace(harvest, coverage=coverage), None)
    assert found.naming == 0
    assert not found.here


def test_a_seed_about_the_words_speaks_for_presence_and_one_off_the_topic_for_nothing() -> None:
    harvest, _ = made_harvest(present=False)
    usual = np.full(len(harvest), 0.3)

    def chance(of_seeds: float) -> float:
        about = np.where(harvest.seeds, of_seeds, 0.4)
        return presence(structs.replace(harvest, coverage=usual, about=about), None).chance

    assert chance(0.7) > chance(0.4) > chance(0.3)
    assert chance(0.3) == chance(-0.2)
