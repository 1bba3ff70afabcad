from __future__ import annotations

from lagotto.base.text import count_terms
from lagotto.focus.topic.phrases import clean_phrases, quoted_phrases, with_phrases


def test_quotes_of_several_kinds() -> None:
    assert quoted_phrases('"heat pump" “lok sabha” „gute frage“ «bon mot»') == [
        "heat pump",
        "lok sabha",
        "gute frage",
        "bon mot",
    ]


def test_what_is_no_phrase() -> None:
    assert quoted_phrases('"single" "the of" "" an "open quote') == []
    assert quoted_phrases('"' + "word " * 20 + '"') == []


def test_cleaning_takes_each_once() -> None:
    assert clean_phrases(["Heat  Pump", "heat pump", "solar", " "]) == ["heat pump"]


def test_a_page_whose_parser_did_not_know_the_phrase() -> None:
    text = "Lok Sabha polls. The Sabha and Lok."
    counts = count_terms(text)
    assert with_phrases(counts, text, ["lok sabha"]) == {"lok sabha": 1, "poll": 1, "sabha": 1, "lok": 1}


def test_pages_without_the_words_are_left_as_they_are() -> None:
    counts = {"lok": 1, "poll": 2}
    assert with_phrases(counts, "never read", ["lok sabha"]) is counts


def test_counts_that_have_the_phrase_already_are_left_as_they_are() -> None:
    counts = {"lok sabha": 1, "lok": 1, "sabha": 1}
    assert with_phrases(counts, "never read", ["lok sabha"]) is counts
