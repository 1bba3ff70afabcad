"""What words are taken to mean before anything is fetched."""

from __future__ import annotations

from lagotto.focus.strategies.scent.words import meant_by


def test_similar_words_and_kin_come_strongest_first() -> None:
    found = meant_by({"bird": 1.0, "owl": 0.5}, "en", 30)
    for words, one in ((found.like, "sparrow"), (found.kin, "thrush")):
        assert len(words) == 30
        assert list(words.values()) == sorted(words.values(), reverse=True)
        assert not {"bird", "owl"} & words.keys()
        assert one in words


def test_a_language_without_vectors_and_no_words() -> None:
    assert meant_by({"vogel": 1.0}, "tlh") == ({}, {})
    assert meant_by({}, "en") == ({}, {})
