from __future__ import annotations

import pytest

from lagotto.base.text import terms
from lagotto.focus.strategies.scent.buckets import buckets
from lagotto.focus.strategies.scent.meaning import Meaning, kin_of
from lagotto.focus.strategies.scent.term_tables import TermRows


def kin(words: str, *asked: str, language: str = "en") -> list[float]:
    weights = dict.fromkeys(terms(words), 1.0)
    rows = TermRows()
    found = kin_of(weights, language, Meaning(weights, language, rows), rows)
    return [float(found[buckets(terms(word))].max()) for word in asked]


def test_what_falls_under_a_word_is_its_kin() -> None:
    heron, zambia, badger = kin("birds", "heron", "Zambia", "badger")
    assert heron > 0.5
    assert zambia == badger == 0.0
    assert kin("africa", "zambia")[0] > 0.5


def test_the_other_words_say_which_sense_is_meant() -> None:
    whooping, davit = kin("crane feather beak", "whooping", "davit")
    assert whooping > davit
    whooping, davit = kin("crane hook load", "whooping", "davit")
    assert whooping < davit


def test_kin_of_two_words_is_more_than_kin_of_one() -> None:
    zambia, france = kin("africa country", "Zambia", "France")
    assert zambia > france > 0.0


def test_a_word_counts_by_its_weight() -> None:
    rows = TermRows()
    meaning = Meaning({"bird": 1.0, "fish": 1.0}, "en", rows)
    found = kin_of({"bird": 1.0, "fish": 0.1}, "en", meaning, rows)
    heron, trout = found[buckets(["heron", "trout"])]
    assert heron > 3 * trout > 0.0


def test_of_many_words_the_heaviest_are_looked_up() -> None:
    words = {f"word{number}": 2.0 for number in range(10)} | {"bird": 1.0}
    rows = TermRows()
    assert not len(kin_of(words, "en", Meaning(words, "en", rows), rows).nonzero())


@pytest.mark.parametrize(("words", "language"), [({}, "en"), ({"qqqzzz": 1.0}, "en"), ({"bird": 1.0}, "xx")])
def test_without_a_thesaurus_there_is_no_kin(words: dict[str, float], language: str) -> None:
    rows = TermRows()
    assert not len(kin_of(words, language, Meaning(words, language, rows), rows).nonzero())
