"""One table for whatever the user gave."""

from __future__ import annotations

from pathlib import Path

import pytest

from lagotto.base.errors import InputError
from lagotto.focus.strategies.parts.words import beside_words, focus_table
from lagotto.focus.strategies.simple import BreadthFirst
from lagotto.focus.topic import Document, Topic, Vocabularies, WeightTable


def test_words_come_before_all_else(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("heron\n")
    assert set(focus_table(Topic("bird", query_log=log))) == {"bird"}
    assert set(focus_table(Topic(query_log=log))) == {"heron"}
    assert set(focus_table(Topic("x", table=WeightTable({"nest": 2.0})))) == {"nest"}


def test_examples_and_results_where_there_are_no_words() -> None:
    assert "heron" in focus_table(Topic(relevant=[Document({"heron": 2, "nest": 1})]))
    assert "heron" in focus_table(Topic(results=["a heron"]))


def test_vocabularies_alone_are_refused_in_a_sentence() -> None:
    topic = Topic(vocabularies=Vocabularies((frozenset({"bird"}),)))
    with pytest.raises(InputError, match="say what the topic is in a few"):
        BreadthFirst(topic)


def test_words_weigh_twice_what_was_found() -> None:
    words = WeightTable({"bird": 1.0})
    found = WeightTable({"bird": 0.3, "heron": 1.0, "nest": 0.5})
    assert dict(beside_words(words, found)) == {"bird": 1.0, "heron": 0.5, "nest": 0.25}
