from __future__ import annotations

import pytest

from lagotto.base.errors import InputError
from lagotto.focus.topic.results import table_from_counts, table_from_results


def test_weights_by_hand() -> None:
    texts = ["Solar power. Solar panels for power.", "Solar cells", "Wind power"]
    # tf·df: solar 3·2, power 3·2, panel 1·1, cell 1·1, wind 1·1; the largest is 6
    table = table_from_results(texts)
    assert table == pytest.approx({"solar": 1.0, "power": 1.0, "panel": 1 / 6, "cell": 1 / 6, "wind": 1 / 6})
    assert table.readable["cell"] == "cell"
    assert table.provenance == {"results": 3, "size": 100}


def test_pages_give_the_same_kind_of_table() -> None:
    assert table_from_counts([{"a": 2, "b": 1}, {"a": 2}], size=1) == {"a": 1.0}


def test_phrases_are_one_term() -> None:
    assert "heat pump" in table_from_results(["A heat pump", "Heat pumps"], phrases=["heat pump"])


@pytest.mark.parametrize("texts", [[], [""], ["the of and"]])
def test_results_without_words(texts: list[str]) -> None:
    with pytest.raises(InputError, match="no words"):
        table_from_results(texts)


def test_a_table_of_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="give at least 1"):
        table_from_counts([{"a": 1}], size=0)
