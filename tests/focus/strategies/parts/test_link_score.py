"""The link score of four parts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.base.records import Link
from lagotto.focus.strategies.static import PARTS, score_parts
from lagotto.focus.topic import WeightTable

TERMS = st.sampled_from([f"term{number}" for number in range(12)])
TABLES = st.dictionaries(TERMS, st.floats(1e-6, 1e6), min_size=1).map(WeightTable)


@given(TABLES, st.lists(TERMS), st.lists(TERMS), st.lists(TERMS), st.floats(0, 1))
def test_each_part_is_the_cosine_of_its_words(
    table: WeightTable, url: list[str], anchor: list[str], surrounding: list[str], parent: float
) -> None:
    link = Link("http://a.example/", url_terms=url, anchor_terms=anchor, context_terms=surrounding)
    (row,) = score_parts([link], table, parent).tolist()
    words = {"url": url, "anchor": anchor, "surrounding": surrounding}
    for name, score in zip(PARTS, row, strict=True):
        expected = parent if name == "parent" else table.cosine_of(words[name])
        assert score == pytest.approx(expected), name


def test_phrases_are_one_term_also_where_the_parser_did_not_know_them() -> None:
    table = WeightTable({"lok sabha": 1.0})
    links = [
        Link("http://a.example/", anchor_terms=["lok", "sabha"]),
        Link("http://b.example/", anchor_terms=["lok sabha"]),
        Link("http://c.example/", anchor_terms=["sabha", "lok"]),
    ]
    assert score_parts(links, table, 0.25)[:, 1].tolist() == [1.0, 1.0, 0.0]


def test_a_page_without_links_has_no_rows() -> None:
    assert score_parts([], WeightTable({"bird": 1.0}), 0.5).shape == (0, 4)
