from __future__ import annotations

from pathlib import Path

import pytest

import lagotto.focus.topic
from lagotto.base.errors import InputError
from lagotto.focus.topic import Document, Topic, WeightTable


def test_words_with_quoted_and_listed_phrases() -> None:
    topic = Topic('solar  "heat pump"', phrases=["Lok Sabha"])
    assert topic.words == 'solar "heat pump"'
    assert topic.phrases == ("lok sabha", "heat pump")
    assert dict(topic.word_table or {}) == {"solar": 1.0, "heat pump": 1.0, "lok sabha": 1.0}


def test_phrases_of_the_log_and_of_a_saved_table(tmp_path: Path) -> None:
    log = tmp_path / "q.log"
    log.write_text('"wind farm" prices\nsolar\n')
    table = WeightTable({"heat pump": 1.0}, {"heat pump": "heat pumps"})
    assert Topic(query_log=log, table=table).phrases == ("wind farm", "heat pumps")


def test_a_saved_table_goes_before_words() -> None:
    table = WeightTable({"solar": 2.0})
    assert Topic("wind", table=table).word_table is table


def test_without_words_there_is_no_table_of_words() -> None:
    topic = Topic(relevant=[Document({"solar": 1})])
    assert topic.word_table is None


def test_names_of_the_words_and_of_the_log_are_phrases(tmp_path: Path) -> None:
    log = tmp_path / "q.log"
    log.write_text("R packages\nCOVID-19 figures in R\n")
    assert Topic("learn C++", query_log=log).phrases == ("C++", "R", "COVID-19")


def test_a_topic_must_be_something(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no topic"):
        Topic("  ")
    with pytest.raises(InputError, match="no query log"):
        Topic("solar", query_log=tmp_path / "none")


def test_the_public_names_are_there() -> None:
    assert sorted(lagotto.focus.topic.__all__) == sorted(set(lagotto.focus.topic.__all__))
    assert all(hasattr(lagotto.focus.topic, name) for name in lagotto.focus.topic.__all__)
