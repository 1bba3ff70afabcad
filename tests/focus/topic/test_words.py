from __future__ import annotations

import pytest

from lagotto.base.errors import InputError
from lagotto.focus.topic import Topic
from lagotto.focus.topic.phrases import with_phrases
from lagotto.focus.topic.table import table_from_words, words_of
from lagotto.parse.page import parse_page


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


@pytest.mark.parametrize("name", ["C++", "C#", "R", "5G", "COVID-19", ".NET", "F-16", "AT&T", "Notepad++"])
def test_a_name_is_a_topic_and_its_pages_are_found(name: str) -> None:
    topic = Topic(name)
    (keyword,) = topic.word_table or {}
    body = f"<title>About</title><p>All about {name}, and more. {name}.</p><a href=x>The {name} guide</a>"
    page = parse_page("http://a.org/", body.encode(), phrases=topic.phrases)
    assert page.terms[keyword] == 3
    assert keyword in page.links[0].anchor_terms
    other = parse_page("http://a.org/", b"<p>Write c, c+, net, r2, 19 and 5", phrases=topic.phrases)
    assert keyword not in other.terms


def test_a_single_letter_beside_other_words() -> None:
    assert dict(table_from_words("R statistics")) == {"r": 1.0, "statist": 1.0}
    assert dict(table_from_words("what do I need a C compiler for")).keys() == {"need", "c", "compil"}
    assert dict(table_from_words('"vitamin C" deficiency')) == {"vitamin c": 1.0, "defici": 1.0}


def test_a_single_digit_is_a_part_of_a_phrase() -> None:
    topic = Topic('"Formula 1" racing')
    assert dict(topic.word_table or {}) == {"formula 1": 1.0, "race": 1.0}
    page = parse_page("http://a.org/", b"<p>Formula 1 cars, Formula 3 cars, 1.5 l", phrases=topic.phrases)
    assert page.terms["formula 1"] == 1
    assert with_phrases({"formula": 1}, "Formula 1 cars", topic.phrases)["formula 1"] == 1
    assert dict(table_from_words("racing 1")) == {"race": 1.0}, "by itself a digit says nothing"


def test_names_keep_their_spelling_to_be_shown() -> None:
    table = table_from_words("C++ or COVID-19")
    assert dict(table.readable) == {"c++": "C++", "covid-19": "COVID-19"}
    assert table.phrases == ("C++", "COVID-19")


def test_an_argument_with_a_space_is_a_phrase() -> None:
    assert words_of(["solar", "heat pump"]) == 'solar "heat pump"'
    assert words_of(["solar", 'a "heat pump"']) == 'solar a "heat pump"'
