"""The network applied to many contexts at once."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.focus.strategies.neural import ContextReader
from lagotto.focus.topic import train

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


@given(st.dictionaries(TERMS, st.integers(1, 50)))
def test_a_page_is_read_as_the_network_reads_it(counts: dict[str, int]) -> None:
    known = any(term in READER.network.features for term in counts)
    expected = READER.network.relevance(counts) if known else 0.0
    assert READER.read(counts).output == pytest.approx(expected)


def test_strongest_features_speak_for_and_against() -> None:
    strongest = READER.read({"bird": 2, "bank": 1, "river": 5}).strongest
    assert strongest["bird"] > 0 > strongest["bank"]
    assert "river" not in strongest
    assert READER.read({"river": 1}) == (0.0, {})


def test_influence_is_the_slope_of_the_output() -> None:
    network, step = READER.network, 1e-6
    counts = {"bird": 1, "heron": 1, "loan": 1}
    places = [network.features.index(term) for term in counts]
    share = 1 / len(counts) ** 0.5

    def output(values: np.ndarray) -> float:
        return float(READER._forward((values @ network.hidden[places])[np.newaxis])[1][0])

    values = np.full(3, share)
    strongest = READER.read(counts).strongest
    for number, term in enumerate(counts):
        moved = values.copy()
        moved[number] += step
        slope = (output(moved) - output(values)) / step
        assert strongest[term] == pytest.approx(slope * share, rel=1e-3)
