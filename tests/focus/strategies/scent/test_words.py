from __future__ import annotations

import numpy as np
import pytest

from lagotto.base.hashing import hash_texts
from lagotto.base.text import count_terms, terms
from lagotto.focus.strategies.scent.buckets import BUCKETS, buckets, texts_of
from lagotto.focus.strategies.scent.judge import Judge
from lagotto.focus.strategies.scent.meaning import Meaning
from lagotto.focus.strategies.scent.term_tables import Table, TermRows
from lagotto.focus.strategies.scent.words import USUAL, Words, scale_of

SPORT = "Cricket and tennis are played with a ball; athletes compete in a tournament for the trophy."
CHEMISTRY = "The molecule bonds with oxygen; chemists measure the acid's reaction in a laboratory."


def of_page(meaning: Meaning, text: str) -> tuple[float, float]:
    found = buckets(count_terms(text))
    weights = np.ones(len(found))
    return meaning.of_page(found, weights), float(weights @ meaning.near[found])


def test_a_page_that_names_no_word_is_still_near_them() -> None:
    meaning = Meaning({"sport": 1.0, "game": 1.0}, "en", TermRows())
    about, near = of_page(meaning, SPORT)
    assert about > of_page(meaning, CHEMISTRY)[0] + 0.1
    assert near > of_page(meaning, CHEMISTRY)[1]


def test_a_topic_of_several_things_is_met_by_one_of_them() -> None:
    both = Meaning({"sport": 1.0, "chemistri": 1.0}, "en", TermRows())
    together = both._topic
    for text in (SPORT, CHEMISTRY):
        found = buckets(count_terms(text))
        page = both.vector(found, np.ones(len(found)))
        assert both.of_page(found, np.ones(len(found))) > float(page @ together) + 0.02


def test_a_phrase_means_what_its_parts_mean() -> None:
    phrase = Meaning({"sport game": 1.0}, "en", TermRows())
    words = Meaning({"sport": 1.0, "game": 1.0}, "en", TermRows())
    terms = words.likeness.nonzero()
    assert len(terms) > 40_000
    assert phrase.likeness[terms] == pytest.approx(words.likeness[terms], abs=1e-6)


@pytest.mark.parametrize(("words", "language"), [({}, "en"), ({"qqqzzz": 1.0}, "en"), ({"sport": 1.0}, "xx")])
def test_without_vectors_there_is_no_meaning(words: dict[str, float], language: str) -> None:
    meaning = Meaning(words, language, TermRows())
    assert not len(meaning.likeness.nonzero())
    assert of_page(meaning, SPORT) == (0.0, 0.0)


def test_examples_say_what_words_without_vectors_are_about() -> None:
    meaning = Meaning({"qqqzzz": 1.0}, "en", TermRows())
    example = buckets(count_terms(SPORT))
    meaning.lean(meaning.vector(example, np.ones(len(example)))[np.newaxis], np.zeros((0, 0)))
    alike, unlike = (
        of_page(meaning, "A match of football: the team scores and wins."),
        of_page(meaning, CHEMISTRY),
    )
    assert alike[0] > unlike[0] + 0.1
    tennis, oxygen = meaning.likeness[buckets(terms("tennis oxygen"))]
    assert tennis > oxygen + 0.1


def test_an_anchor_is_understood_by_its_meaning() -> None:
    judge = Judge({"sport": 1.0, "game": 1.0})
    plain = Judge({"sport": 1.0, "game": 1.0}, by_meaning=False)
    texts = texts_of(hash_texts(["sport"], terms("tennis"), terms("oxygen"), []))
    named, like, unlike, empty = judge.similarity(texts)
    assert named > like > unlike + 0.1
    assert empty == 0
    assert plain.similarity(texts)[1:].tolist() == [0, 0, 0]


def test_scores_compare_parts_in_deviations() -> None:
    words = Words({"sport": 1.0}, "en", TermRows(), by_meaning=True)
    parts = np.array([[0.1, 0.2, 0.0, 0.1], [0.5, 0.6, 0.4, 0.3], [0.3, 0.4, 0.2, 0.2]])
    scores = words.scores(parts, scale_of(parts))
    assert scores.argsort().tolist() == [0, 2, 1]
    assert scores.mean() == pytest.approx(0.0)


def test_a_part_that_hardly_differs_decides_nothing() -> None:
    parts = np.tile([0.3, 0.4, 0.0, 0.1], (5, 1))
    parts[0, 2] = 1e-6
    assert (np.abs((parts - scale_of(parts).means) / scale_of(parts).deviations) < 0.01).all()
    assert (USUAL.deviations > 0).all()


def test_the_title_counts_and_repetition_counts_less_each_time() -> None:
    words = Words({"sport": 1.0}, "en", TermRows(), by_meaning=False)
    none, ones = np.zeros(0, np.int32), np.zeros(0)
    once, often, titled = (
        words.signs({"sport": n}, title, none, ones)[0] for n, title in ((1, []), (9, []), (1, ["sport"]))
    )
    assert once < often < 2 * once
    assert titled == pytest.approx(once + 0.5)
    query = Table(TermRows(), np.float64)
    words.ask(query, np.ones(BUCKETS))
    assert query[query.nonzero()].sum() == pytest.approx(1.0)


def test_kin_is_found_in_pages_and_anchors() -> None:
    judge = Judge({"africa": 1.0, "countri": 1.0})
    plain = Judge({"africa": 1.0, "countri": 1.0}, by_meaning=False)
    lusaka, lima = judge.similarity(texts_of(hash_texts(terms("Lusaka"), terms("Lima"))))
    assert lusaka > lima + 0.1
    page = count_terms("Lusaka and Ndola lie by the railway.")
    assert judge.word_parts(judge.read(page, []))["kin"] > 0.3
    assert "kin" not in plain.word_parts(plain.read(page, []))
