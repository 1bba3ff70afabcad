"""Cosines with their strongest terms."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.focus.strategies.parts.words import cosine_parts, judge_by, keyword_cosine_parts, page_terms
from lagotto.focus.topic import WeightTable
from tests.focus.strategies.tiny_crawl import page

TERMS = st.sampled_from([f"term{number}" for number in range(15)])
TABLES = st.dictionaries(TERMS, st.floats(1e-6, 1e6), min_size=1).map(WeightTable)
COUNTS = st.dictionaries(TERMS, st.integers(1, 1000))


@given(TABLES, COUNTS)
def test_the_cosine_is_the_table_s_own(table: WeightTable, counts: dict[str, int]) -> None:
    parts = cosine_parts(table, counts)
    assert parts["cosine"] == pytest.approx(table.cosine(counts))
    assert 0.0 <= parts["cosine"] <= 1.0


@given(TABLES, COUNTS, st.dictionaries(TERMS, st.floats(0.0, 5.0)))
def test_the_keyword_cosine_is_the_table_s_own(
    table: WeightTable, counts: dict[str, int], factors: dict[str, float]
) -> None:
    known = {term: factors.get(term, 1.0) for term in table}
    expected = table.keyword_cosine(counts, known)
    assert keyword_cosine_parts(table, counts, known)["cosine"] == pytest.approx(expected)


@given(TABLES, COUNTS)
def test_the_strongest_terms_are_shown_with_their_shares(table: WeightTable, counts: dict[str, int]) -> None:
    parts = cosine_parts(table, counts)
    shown = {part: share for part, share in parts.items() if part != "cosine"}
    products = [table[term] * counts[term] for term in table.keys() & counts.keys()]
    whole = table.norm * math.hypot(*counts.values())
    assert list(shown.values()) == pytest.approx([p / whole for p in sorted(products, reverse=True)[:8]])
    assert len(shown) == min(8, len(table.keys() & counts.keys()))


def test_terms_are_shown_as_a_person_would_write_them() -> None:
    table = WeightTable({"universiti": 1.0}, {"universiti": "university"})
    assert list(cosine_parts(table, {"universiti": 1})) == ["cosine", "term:university"]


def test_a_threshold_is_exclusive() -> None:
    table = WeightTable({"bird": 1.0})
    found = page("a", "bird river stone cloud")
    assert judge_by(table, found, 0.5).relevant is False
    assert judge_by(table, found, 0.49).relevant is True


def test_phrases_of_the_table_are_found_on_a_page_whose_parser_did_not_know_them() -> None:
    table = WeightTable({"lok sabha": 1.0})
    found = page("a", "Lok Sabha polls, sabha")
    assert page_terms(found, table) == {"lok sabha": 1, "poll": 1, "sabha": 1}
    assert page_terms(found, WeightTable({"poll": 1.0})) is found.terms
