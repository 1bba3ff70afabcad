"""The network applied to many contexts at once."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.strategies.contextreader import ContextReader
from lagotto.topic import train

RELEVANT = [{"bird": 3, "heron": 1}, {"bird": 1, "nest": 2}, {"heron": 2, "nest": 1}]
IRRELEVANT = [{"bank": 3, "loan": 1}, {"bank": 1, "debt": 2}, {"loan": 2, "debt": 1}]
READER = ContextReader(train("birds", RELEVANT, IRRELEVANT, held_out=0.0))
TERMS = st.sampled_from(["bird", "heron", "nest", "bank", "loan", "debt", "river", "stone"])


@given(st.lists(st.lists(TERMS, max_size=20), max_size=10))
def test_many_at_once_are_as_one_by_one(texts: list[list[str]]) -> None:
    outputs = READER.outputs(texts)
    assert len(outputs) == len(texts)
    for terms, output in zip(texts, outputs.tolist(), strict=True):
        known = any(term in READER.network.features for term in terms)
        assert output == pytest.approx(READER.network.relevance(Counter(terms)) if known else 0.0)


def test_strongest_features_speak_for_and_against() -> None:
    strongest = READER.strongest({"bird": 2, "bank": 1, "river": 5})
    assert strongest["bird"] > 0 > strongest["bank"]
    assert "river" not in strongest
    assert READER.strongest({"river": 1}) == {}


def test_influence_follows_the_slope_of_the_output() -> None:
    counts = {"bird": 1, "heron": 1, "loan": 1}
    exact = {part.feature: part.change for part in READER.network.explain(counts)}
    strongest = READER.strongest(counts)
    assert {term: share > 0 for term, share in strongest.items()} == {
        term: change > 0 for term, change in exact.items()
    }
