"""Terms: stop words out, stems, phrases, and how to show them."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.base.text import (
    SNOWBALL,
    base_language,
    count_terms,
    merge_phrases,
    phrase_term,
    readable_terms,
    stop_words,
    terms,
    tokens,
)
from lagotto.base.text import stems as stems_module
from lagotto.base.text.stems import STOP_WORD_LANGUAGES, TermsOf

QUERIES = [
    "Kejriwal new manifesto for lok sabha polls 2014.",
    "Manifesto of BJP for lok sabha polls 2014.",
    "lok sabha polls 2014 dates",
]


def test_the_queries_of_the_dynamic_paper() -> None:
    found = [readable_terms(query, phrases=["lok sabha"]) for query in QUERIES]
    assert [sorted(shown.values()) for shown in found] == [
        ["2014", "kejriwal", "lok sabha", "manifesto", "new", "poll"],
        ["2014", "bjp", "lok sabha", "manifesto", "poll"],
        ["2014", "date", "lok sabha", "poll"],
    ]
    assert terms(QUERIES[2], phrases=["lok sabha"]) == ["lok sabha", "poll", "2014", "date"]


def test_terms_keep_their_order_and_repeat() -> None:
    assert terms("The polls, the poll and polling of 2014") == ["poll", "poll", "poll", "2014"]
    assert count_terms("The polls, the poll and polling of 2014") == {"poll": 3, "2014": 1}
    assert terms(tokens("The polls")) == terms("The polls")


@pytest.mark.parametrize("language", ["zh", "ja", "ru", "ar", "hi"])
def test_latin_words_on_pages_of_another_script_are_stemmed_as_english(language: str) -> None:
    assert terms("the cycling routes", language) == terms("the cycling routes", "en") == ["cycl", "rout"]


def test_latin_words_between_characters_of_another_script_are_stemmed_too() -> None:
    assert terms("騎cycling車", "zh") == ["騎", "cycl", "車"]
    assert terms("騎the車", "zh") == ["騎", "the", "車"]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("de", "Die Häuser der Städte", ["haus", "stadt"]),
        ("fr", "Les maisons de l'école", ["maison", "écol"]),
        ("es", "las elecciones de los países", ["eleccion", "pais"]),
        ("ru", "книги и журналы", ["книг", "журнал"]),
        ("en-GB", "the houses", ["hous"]),
        ("nb", "husene og det", ["hus"]),
        ("ja", "the houses", ["hous"]),
        ("", "the houses", ["the", "houses"]),
    ],
)
def test_terms_by_language(language: str, text: str, expected: list[str]) -> None:
    assert terms(text, language) == expected


@given(st.text(), st.sampled_from(["en", "de", "ru", "tr", "ja", "xx", "EN_us"]))
def test_terms_never_raise_and_are_never_empty(text: str, language: str) -> None:
    assert all(terms(text, language))


@given(st.text(st.sampled_from("aé東京 s_.-\u00ad")), st.sampled_from(["en", "fr", "xx"]))
def test_terms_are_counted_as_they_come(text: str, language: str) -> None:
    counted = count_terms(text, language)
    assert list(counted.items()) == list(Counter(terms(text, language)).items())
    assert terms(text, language) == [term for token in tokens(text) for term in TermsOf(language).of(token)]


def test_every_stemmer_exists() -> None:
    for language in SNOWBALL:
        assert TermsOf(language)["2014"] == "2014"


def test_stop_word_lists_are_words_as_the_tokeniser_makes_them() -> None:
    assert len(STOP_WORD_LANGUAGES) >= 15
    for language in STOP_WORD_LANGUAGES:
        listed = stop_words(language)
        assert len(listed) > 100
        assert [word for word in listed if terms(word, "") != [word]] == []
        assert terms(" ".join(listed), language) == []


def test_topical_words_are_no_stop_words() -> None:
    for language in STOP_WORD_LANGUAGES:
        assert stop_words(language).isdisjoint({"new", "energy", "solar", "power", "2014"})


def test_the_memo_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stems_module, "MEMO_SIZE", 100)
    memo = TermsOf("en")
    for i in range(1000):
        assert memo[f"words{i}"] == f"words{i}"
    assert len(memo) <= 100
    assert memo["x" * 5000] == ""
    assert "x" * 5000 not in memo


@pytest.mark.parametrize(
    ("phrases", "expected"),
    [
        (["solar power"], ["solar power", "plant", "solar", "cell"]),
        (["Solar Powers"], ["solar power", "plant", "solar", "cell"]),
        (["solar power", "solar power plants"], ["solar power plant", "solar", "cell"]),
        (["power of the plant"], ["solar", "power plant", "solar", "cell"]),
        (["solar"], ["solar", "power", "plant", "solar", "cell"]),
        (["the of", "", "cell wall"], ["solar", "power", "plant", "solar", "cell"]),
    ],
)
def test_phrases_become_one_term(phrases: list[str], expected: list[str]) -> None:
    assert terms("solar power plants, solar cells", phrases=phrases) == expected


@given(st.lists(st.sampled_from("abc")), st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=3)))
def test_merging_changes_no_word_and_no_order(letters: list[str], phrases: list[list[str]]) -> None:
    found = [letter * 2 for letter in letters]
    merged = merge_phrases(found, [" ".join(letter * 2 for letter in phrase) for phrase in phrases])
    assert " ".join(merged).split() == found


def test_a_phrase_and_its_term() -> None:
    assert phrase_term("State of the Art") == "state art"
    assert readable_terms("the state of the art", phrases=["state of the art"]) == {
        "state art": "state of the art"
    }


def test_terms_are_shown_as_words() -> None:
    assert readable_terms("universities energies houses analysis running") == {
        "universiti": "universities",
        "energi": "energies",
        "hous": "houses",
        "analysi": "analysis",
        "run": "running",
    }
    assert readable_terms("runs running run") == {"run": "run"}


def test_language_tags() -> None:
    assert base_language(" pt-BR ") == "pt"
    assert base_language("zh_Hans_CN") == "zh"
    assert base_language("") == ""


@pytest.mark.parametrize("language", ["zh", "ja", "ru", "el", "zh-TW"])
def test_latin_words_on_pages_in_another_script_have_the_stems_of_english(language: str) -> None:
    topic = terms("cycling routes", "en")
    assert terms("cycling and the routes", language) == topic
    assert terms("велосипеды", "ru") == ["велосипед"]


def test_latin_words_keep_the_stems_of_a_language_in_latin_letters() -> None:
    assert terms("cycling", "fr") == ["cycling"]
