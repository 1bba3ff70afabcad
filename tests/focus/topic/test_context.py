"""Related words beside a table's keywords."""

from __future__ import annotations

from lagotto.focus.topic.context import CONTEXT, SIZE, related_words, with_context
from lagotto.focus.topic.table import WeightTable


def test_words_of_like_meaning_and_words_under_a_keyword_are_related() -> None:
    related = related_words("bird")
    assert {"owl", "parrot"} <= related.keys()
    assert all(0 <= relation <= 1 for relation in related.values())


def test_keywords_keep_their_weight_and_related_words_weigh_less() -> None:
    table = WeightTable({"bird": 2.0, "owl": 1.0}, below={"nest": 0.5}, version=3)
    wide = with_context(table)
    assert (wide["bird"], wide["owl"], wide.version) == (2.0, 1.0, 3)
    added = wide.keys() - table.keys()
    assert 0 < len(added) <= SIZE
    assert all(wide[word] <= CONTEXT * 2.0 for word in added)
    assert dict(wide.below) == {"nest": 0.5}


def test_a_phrase_has_the_context_of_its_words_taken_together() -> None:
    assert {"boil", "fluid"} <= related_words("heat pump").keys()


def test_unknown_words_and_languages_add_nothing() -> None:
    assert dict(with_context(WeightTable({"xyzzyq": 1.0}))) == {"xyzzyq": 1.0}
    assert dict(with_context(WeightTable({"bird": 1.0}, language="eu"))) == {"bird": 1.0}
