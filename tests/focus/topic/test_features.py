from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import mutual_info_score

from lagotto.focus.topic.features import choose_features, mutual_information


def test_mutual_information_by_hand() -> None:
    # 3 of 4 relevant and 1 of 4 irrelevant examples have the term: 0.75·log2(1.5) + 0.25·log2(0.5)
    assert mutual_information(3, 4, 1, 4) == pytest.approx(0.75 * np.log2(1.5) + 0.25 * np.log2(0.5))


@given(st.integers(1, 50), st.integers(1, 50), st.data())
def test_the_same_as_scikit_learn(relevant: int, irrelevant: int, data: st.DataObject) -> None:
    having = data.draw(st.integers(0, relevant))
    having_not = data.draw(st.integers(0, irrelevant))
    present = [1] * having + [0] * (relevant - having) + [1] * having_not + [0] * (irrelevant - having_not)
    kind = [1] * relevant + [0] * irrelevant
    expected = mutual_info_score(present, kind) / np.log(2)
    assert mutual_information(having, relevant, having_not, irrelevant) == pytest.approx(expected, abs=1e-9)


def test_the_telling_words_come_first() -> None:
    relevant = [{"solar": 1, "page": 1}, {"solar": 2, "page": 1}, {"solar": 1, "panel": 1, "page": 3}]
    irrelevant = [{"goal": 1, "page": 1}, {"goal": 1, "page": 1, "panel": 1}, {"ball": 1, "page": 9}]
    found = choose_features(relevant, irrelevant)
    # page and panel stand on both sides alike, ball on a single page.
    assert list(found) == ["solar", "goal"]
    assert found["solar"] == pytest.approx(1.0)


def test_no_more_than_asked_for() -> None:
    relevant = [{"a": 1, "b": 1, "c": 1}] * 3
    assert list(choose_features(relevant, [{"x": 1}] * 3, size=2)) == ["a", "b"]
