"""Words of a text in any script."""

# ruff: noqa: RUF001 - characters that look like others are what is tested here.

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.base.text import words
from lagotto.base.text.tokens import MAX_LENGTH


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Solar-power, in 2014!", ["solar", "power", "in", "2014"]),
        ("a I x 7", []),
        ("snake_case don't naïve", ["snake", "case", "don", "naïve"]),
        ("“curly” — dash… ‘quotes’ l’homme", ["curly", "dash", "quotes", "homme"]),
        ("STRASSE Straße ÉCOLE", ["strasse", "straße", "école"]),
        ("ﬁne ｗｉｄｅ １２", ["fine", "wide", "12"]),
        ("soft\u00adhyphen zero\u200bwidth", ["softhyphen", "zerowidth"]),
        ("e\u0301cole", ["école"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("שָׁלוֹם", ["שָׁלוֹם"]),
        ("東京都庁", ["東京", "京都", "都庁"]),
        ("茶", ["茶"]),
        ("iPhone用ケース", ["iphone", "用ケ", "ケー", "ース"]),
        ("서울시", ["서울", "울시"]),
        ("a" * (MAX_LENGTH + 1), []),
        ("\ud800broken", ["broken"]),
        ("", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@given(st.text())
def test_words_are_short_lower_case_and_survive_another_reading(text: str) -> None:
    for word in words(text):
        assert 1 <= len(word) <= MAX_LENGTH
        assert word == word.lower()
        assert not any(character.isspace() for character in word)
        assert words(word) == [word]
