from __future__ import annotations

import math
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.base.errors import InputError
from lagotto.focus.topic.table import WeightTable

TABLE = WeightTable({"lok sabha": 1.5, "poll": 1.5, "manifesto": 1.0}, {"lok sabha": "Lok Sabha"}, version=3)


def test_is_a_mapping_heaviest_first() -> None:
    table = WeightTable({"b": 1.0, "c": 2.0, "a": 1.0})
    assert list(table.items()) == [("c", 2.0), ("a", 1.0), ("b", 1.0)]
    assert "c" in table
    assert table == {"a": 1.0, "b": 1.0, "c": 2.0}


def test_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        TABLE.weights["poll"] = 2.0  # type: ignore[index]
    with pytest.raises(AttributeError):
        TABLE.version = 4  # type: ignore[misc]


def test_does_not_keep_hold_of_what_it_was_made_from() -> None:
    weights = {"poll": 1.0}
    table = WeightTable(weights)
    weights["poll"] = 9.0
    assert table["poll"] == 1.0


def test_cosine_over_the_whole_page_by_hand() -> None:
    # |t| = sqrt(1.5² + 1.5² + 1²), |p| = sqrt(2² + 1² + 2²) = 3, dot = 1.5·2 + 1·1 = 4
    page = {"poll": 2, "manifesto": 1, "weather": 2}
    assert TABLE.cosine(page) == pytest.approx(4 / (math.sqrt(5.5) * 3))


def test_cosine_over_the_keywords_by_hand() -> None:
    # the same page, its norm over poll and manifesto only: sqrt(2² + 1²)
    page = {"poll": 2, "manifesto": 1, "weather": 2}
    assert TABLE.keyword_cosine(page) == pytest.approx(4 / (math.sqrt(5.5) * math.sqrt(5)))


def test_the_keyword_form_does_not_see_the_rest_of_the_page() -> None:
    page = {"poll": 1, "weather": 1000}
    assert TABLE.keyword_cosine(page) == TABLE.keyword_cosine({"poll": 1}) > 100 * TABLE.cosine(page)


def test_factors_weigh_the_pages_side() -> None:
    page = {"poll": 2, "manifesto": 1}
    factors = {"poll": 0.5, "manifesto": 3.0}
    expected = (1.5 * 1.0 + 1.0 * 3.0) / (math.sqrt(5.5) * math.sqrt(10))
    assert TABLE.keyword_cosine(page, factors) == pytest.approx(expected)


def test_length_cancels_out() -> None:
    page = {"poll": 2, "manifesto": 1, "weather": 2}
    assert TABLE.cosine({term: 7 * count for term, count in page.items()}) == pytest.approx(
        TABLE.cosine(page)
    )


@pytest.mark.parametrize("page", [{}, {"weather": 3}])
def test_nothing_in_common_is_zero(page: dict[str, int]) -> None:
    assert TABLE.cosine(page) == TABLE.keyword_cosine(page) == TABLE.cosine_of(list(page)) == 0.0
    assert WeightTable({}).cosine({"poll": 1}) == 0.0


def test_short_texts_by_their_terms() -> None:
    assert TABLE.cosine_of(["poll", "poll", "weather"]) == TABLE.cosine({"poll": 2, "weather": 1})


def test_phrases_are_told_as_the_user_wrote_them() -> None:
    assert TABLE.phrases == ("Lok Sabha",)


@pytest.mark.parametrize("weight", [0.0, -1.0, math.nan, math.inf])
def test_weights_are_positive_numbers(weight: float) -> None:
    with pytest.raises(InputError, match="weight of 'poll'"):
        WeightTable({"poll": weight})


def test_saved_and_loaded_to_the_last_digit(tmp_path: Path) -> None:
    table = WeightTable(
        {"poll": 1 / 3, "universiti": 0.1 + 0.2},
        {"universiti": "universities"},
        "en",
        source="query log",
        provenance={"alpha": 0.5},
        version=7,
    )
    table.save(tmp_path / "t.json")
    again = WeightTable.load(tmp_path / "t.json")
    assert again == table
    assert list(again) == list(table)
    assert (again.readable, again.version, again.source) == (table.readable, 7, "query log")
    assert again.provenance == {"alpha": 0.5}


def test_travels_to_other_processes() -> None:
    again = pickle.loads(pickle.dumps(TABLE))
    assert again == TABLE
    assert (again.readable, again.version, again.phrases) == (TABLE.readable, 3, ("Lok Sabha",))


def test_a_plain_object_is_a_table_too() -> None:
    assert WeightTable.from_json('{"solar": 1.0, "power": 0.5}') == {"solar": 1.0, "power": 0.5}


@pytest.mark.parametrize("stored", ["", "[]", '{"solar": "x"}', '{"kind": "network"}'])
def test_what_is_no_table(stored: str) -> None:
    with pytest.raises(InputError, match="no weight table"):
        WeightTable.from_json(stored)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        WeightTable.load(tmp_path / "none.json")


counts = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 10**6), max_size=8)
weights = st.dictionaries(st.sampled_from("abcdefgh"), st.floats(1e-6, 1e6), max_size=8)


@given(weights, counts)
def test_both_cosines_lie_between_0_and_1(weights: dict[str, float], counts: dict[str, int]) -> None:
    table = WeightTable(weights)
    assert 0.0 <= table.cosine(counts) <= table.keyword_cosine(counts) + 1e-9 <= 1.0 + 1e-9


@given(st.dictionaries(st.text(max_size=5), st.floats(1e-300, 1e300), max_size=5), st.text(max_size=3))
def test_json_keeps_every_table(weights: dict[str, float], language: str) -> None:
    table = WeightTable(weights, language=language)
    assert WeightTable.from_json(table.to_json()) == table
