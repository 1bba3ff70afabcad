from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.base.errors import InputError
from lagotto.focus.topic.vocabulary import Vocabularies, build_vocabularies, cluster, default_clusters

FOOTBALL = [
    {"goal": 3, "ball": 2, "referee": 1},
    {"goal": 2, "ball": 4, "league": 2},
    {"goal": 5, "league": 1},
]
SAILING = [{"boat": 3, "wind": 2, "mast": 1}, {"boat": 2, "wind": 4, "harbour": 2}, {"boat": 5, "harbour": 1}]


def test_similarity_is_the_mean_of_the_k_largest_by_hand() -> None:
    vocabularies = (frozenset({"a", "b", "c", "d"}), frozenset({"a", "b"}), frozenset({"a"}))
    page = {"a", "b", "c", "x"}
    # shares: 3/4, 2/4, 1/4
    assert Vocabularies(vocabularies, k=1).similarity(page) == 0.75
    assert Vocabularies(vocabularies, k=2).similarity(page) == 0.625
    assert Vocabularies(vocabularies, k=3).similarity(page) == 0.5
    assert Vocabularies(vocabularies, k=9).similarity(page) == 0.5


def test_similarity_of_nothing() -> None:
    assert Vocabularies((frozenset({"a"}),)).similarity(set()) == 0.0
    assert Vocabularies(()).similarity({"a"}) == 0.0


def test_a_pages_terms_may_be_given_as_the_keys_of_its_counts() -> None:
    assert Vocabularies((frozenset({"a"}),)).similarity({"a": 3, "b": 1}.keys()) == 0.5


def test_sub_domains_are_found_and_rare_terms_left_out() -> None:
    found = build_vocabularies(FOOTBALL + SAILING, clusters=2)
    assert set(found.sub_domains) == {
        frozenset({"goal", "ball", "league"}),
        frozenset({"boat", "wind", "harbour"}),
    }
    assert found.documents == 6


def test_min_occurrence_counts_over_the_pages_of_a_cluster() -> None:
    (vocabulary,) = build_vocabularies(FOOTBALL, clusters=1, min_occurrence=0).sub_domains
    assert "referee" in vocabulary
    (vocabulary,) = build_vocabularies(FOOTBALL, clusters=1).sub_domains
    assert vocabulary == {"goal", "ball", "league"}


def test_terms_must_occur_more_often_than_min_occurrence() -> None:
    documents = [{"goal": 2, "ball": 1, "league": 3}]
    (vocabulary,) = build_vocabularies(documents, clusters=1, min_occurrence=2).sub_domains
    assert vocabulary == {"league"}


def test_vocabularies_are_shown_as_a_table() -> None:
    table = Vocabularies((frozenset({"goal", "ball"}), frozenset({"goal"}))).table()
    assert dict(table) == {"goal": 1.0, "ball": 0.5}


def test_the_same_seed_gives_the_same_vocabularies() -> None:
    documents = (FOOTBALL + SAILING) * 5
    one = build_vocabularies(documents, clusters=3, pages=2, seed=4)
    assert one == build_vocabularies(documents, clusters=3, pages=2, seed=4)


def test_fewer_documents_than_clusters() -> None:
    assert cluster(FOOTBALL[:1], 5) == [[0]]
    assert cluster([FOOTBALL[0]] * 4, 3) == [[0, 1, 2, 3]]
    assert sorted(map(len, cluster(FOOTBALL[:2], 5))) == [1, 1]


def test_default_number_of_clusters() -> None:
    assert [default_clusters(n) for n in (1, 2, 5, 20, 50, 1000)] == [1, 2, 2, 4, 10, 10]


def test_saved_and_loaded() -> None:
    found = build_vocabularies(FOOTBALL + SAILING, clusters=2, k=1, language="de")
    assert Vocabularies.from_json(found.to_json()) == found
    with pytest.raises(InputError, match="no vocabularies"):
        Vocabularies.from_json(b"[]")


def test_documents_are_needed() -> None:
    nothing: list[list[dict[str, int]]] = [[], [{}, {}]]
    for documents in nothing:
        with pytest.raises(InputError, match="no topic documents"):
            build_vocabularies(documents)
    with pytest.raises(InputError, match="from 1 up"):
        build_vocabularies(FOOTBALL, k=0)


words = st.frozensets(st.sampled_from("abcdefgh"), max_size=8)


@given(st.lists(words, max_size=5), words, st.integers(1, 4))
def test_similarity_lies_between_0_and_1(
    vocabularies: list[frozenset[str]], page: frozenset[str], k: int
) -> None:
    assert 0.0 <= Vocabularies(tuple(vocabularies), k).similarity(page) <= 1.0
