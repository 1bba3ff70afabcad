from __future__ import annotations

import pytest

from lagotto.errors import InputError
from lagotto.topic.words import table_from_words


def test_words_and_quoted_phrases() -> None:
    table = table_from_words('Solar power, "heat pumps" and solar cells')
    assert table == {"solar": 1.0, "power": 0.5, "heat pump": 0.5, "cell": 0.5}
    assert table.phrases == ("heat pumps",)
    assert table.source == "words"


def test_a_listed_phrase_joins_its_words() -> None:
    assert table_from_words("lok sabha polls", phrases=["Lok Sabha"]) == {"lok sabha": 1.0, "poll": 1.0}


def test_a_listed_phrase_is_part_of_the_topic() -> None:
    table = table_from_words("solar", phrases=["heat pumps"])
    assert table == {"solar": 1.0, "heat pump": 1.0}
    assert table.readable["heat pump"] == "heat pumps"


def test_other_languages() -> None:
    assert table_from_words("die Wahlen", language="de") == {"wahl": 1.0}


@pytest.mark.parametrize("words", ["", "  ", "the of and", "!?"])
def test_words_that_say_nothing(words: str) -> None:
    with pytest.raises(InputError, match="says nothing"):
        table_from_words(words)
