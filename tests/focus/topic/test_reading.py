from __future__ import annotations

import pytest

from lagotto.focus.topic import doubts, read_as, table_from_words


def said(words: str, language: str = "en") -> str:
    return " | ".join(doubts(table_from_words(words, language=language)))


def test_the_forms_of_a_word_are_read_as_one() -> None:
    table = table_from_words("birds birding feathers")
    assert read_as(table) == "reads the words, in all their forms, as language en: bird, feather"


@pytest.mark.parametrize("words", ["xyzzyplugh", "tricot aiguilles laine", "火山 地震"])
def test_words_of_another_language_or_none_are_doubted(words: str) -> None:
    assert "not known as words of language en" in said(words)
    assert "--language" in said(words)


def test_common_words_with_many_senses_are_named() -> None:
    found = said("shakespeare plays")
    assert "common words, which tell little by themselves: play; with many senses: play" in found
    assert "shakespeare" not in found


def test_a_word_alone_with_several_senses_wants_a_second_one() -> None:
    assert "'java' has several senses" in said("java")
    assert "senses" not in said("java coffee")


def test_plain_words_raise_no_doubt() -> None:
    assert said("volcanoes eruption") == ""


def test_nothing_is_said_of_a_language_without_tables() -> None:
    assert said("tricot aiguilles laine", "fr") == ""
