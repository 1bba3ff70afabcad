"""Names with signs, single letters, hyphens and digits."""

from __future__ import annotations

import pytest

from lagotto.base.text import count_terms, terms
from lagotto.base.text.names import has_name, is_name, names_in


@pytest.mark.parametrize("word", ["C++", "c#", "R", "x", ".NET", "COVID-19", "X-ray", "3.11", "AT&T", "A+"])
def test_names(word: str) -> None:
    assert is_name(word)


@pytest.mark.parametrize(
    "word", ["", "polls", "5G", "2014", "solar-power", "Wi-Fi", "don't", "a", "I", "++", "7", "..."]
)
def test_usual_words_are_no_names(word: str) -> None:
    assert not is_name(word)


def test_names_are_found_between_punctuation() -> None:
    assert names_in("(C++), R. 'C#'; .NET! R") == ["C++", "R", "C#", ".NET"]


@pytest.mark.parametrize(
    "text",
    ["COVID-19", "covid 19", "Covid19.", "the COVID\u201119 pandemic", "(COVID-19)", "COVID-19, 20"],
)
def test_a_hyphen_may_be_written_in_any_way(text: str) -> None:
    assert has_name(text, "COVID-19")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("C", "C++ and C#, C'est, A.C., vitamin-C, Ca"),
        ("C++", "C+++ or xC++ or C++11"),
        ("R", "r, Rr, R2, R&D"),
        (".NET", "example.net"),
        ("COVID-19", "COVID-190"),
    ],
)
def test_a_part_of_something_else_is_no_name(name: str, text: str) -> None:
    assert not has_name(text, name)


def test_a_small_letter_is_found_in_either_case() -> None:
    assert has_name("The R manual", "r")
    assert not has_name("the variable r", "R")


def test_names_are_terms_beside_words_and_phrases() -> None:
    text = "Learning C++ templates and the heat pump"
    assert terms(text, phrases=["C++", "heat pump"]) == ["learn", "c++", "templat", "heat pump"]
    assert terms(text, phrases=["C++ templates"]) == ["learn", "c++ templat", "heat", "pump"]
    assert count_terms("C and C++ and C++", phrases=["C++", "C"]) == {"c": 1, "c++": 2}


def test_without_names_single_letters_are_dropped_as_before() -> None:
    assert terms("C++ and R in COVID-19") == ["covid", "19"]
