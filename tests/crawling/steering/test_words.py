"""Words and weights as they are typed."""

from __future__ import annotations

import pytest

from lagotto.base.errors import InputError
from lagotto.crawling.steering.compose import parse_words


def test_weights_phrases_and_removals() -> None:
    assert parse_words('  solar=2 "heat  pump"=.5 wind -nuclear -"coal mine" 5g=1 ') == {
        "solar": 2.0,
        "heat pump": 0.5,
        "wind": 1.0,
        "nuclear": 0.0,
        "coal mine": 0.0,
        "5g": 1.0,
    }


def test_a_hyphen_inside_a_word_is_part_of_it() -> None:
    assert parse_words("covid-19=3") == {"covid-19": 3.0}


@pytest.mark.parametrize(
    "text", ["", "solar=", "solar=x", "=2", '"open', "-solar=2", "a=-1", "a=inf", "a=nan"]
)
def test_what_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse_words(text)
