from __future__ import annotations

from lagotto.base.urls import LONGEST_SEED
from lagotto.crawling import config as configuration
from lagotto.crawling.inputs import notes, seed_urls

SEED = "https://example.org/"


def test_a_phrase_without_a_word_to_search_for_is_told() -> None:
    config = configuration.from_values({"topic": '"the who" band', "seeds": [SEED]})
    assert notes(config) == ['left out the phrase "the who": all its words are too common to be searched for']


def test_other_phrases_are_not_told() -> None:
    config = configuration.from_values({"topic": '"heat pump" "vitamin C"', "seeds": [SEED]})
    assert notes(config) == []


def test_seeds_that_are_too_long_are_told_and_left_out() -> None:
    long = SEED + "x" * LONGEST_SEED
    config = configuration.from_values({"topic": "solar", "seeds": [SEED, long]})
    assert seed_urls(config) == [SEED]
    assert "is too long" in notes(config)[0]
