from __future__ import annotations

import numpy as np
import pytest
from msgspec import structs

from lagotto.focus.judging import judge_again, worth_asking
from lagotto.focus.judging import marks as marks_module
from lagotto.focus.judging.marks import taught
from lagotto.lab.experiments.measures import average_precision, claimed_ratio
from tests.focus.judging.made import made_harvest


def test_without_marks_nothing_changes() -> None:
    log_odds = np.linspace(-2, 2, 20)
    found = taught(log_odds, np.full(20, np.nan), np.zeros((20, 3), np.float32), None, np.zeros(20, np.int64))
    assert (found == log_odds).all()


def test_marks_speak_for_pages_alike_and_for_pages_of_the_host() -> None:
    texts = np.array([[1, 0], [1, 0], [0, 1], [0, 1]], np.float32)
    hosts = np.array([0, 1, 2, 2])
    marks = np.array([1.0, np.nan, 0.0, np.nan])
    found = taught(np.zeros(4), marks, texts, None, hosts)
    assert found[0] > 0
    assert found[1] > 0 > found[3]
    alone = taught(np.zeros(4), marks, np.zeros((4, 2), np.float32), None, hosts)
    assert alone[3] < alone[1]


def test_marks_raise_order_and_mend_the_share() -> None:
    harvest, on = made_harvest(600, noise=2.0)
    before = judge_again(harvest)
    marked, _ = made_harvest(600, noise=2.0, marks=40)
    after = judge_again(marked)
    others = np.isnan(marked.marks)
    assert average_precision(on[others], after.relevance[others]) > (
        average_precision(on[others], before.relevance[others]) + 0.05
    )
    assert claimed_ratio(on, after.relevant) <= claimed_ratio(on, before.relevant)


def test_a_single_mark_moves_little() -> None:
    harvest, _ = made_harvest()
    marks = harvest.marks.copy()
    marks[20] = 0.0
    changed = judge_again(structs.replace(harvest, marks=marks))
    assert 0 < np.abs(changed.parts["marks"]).max() < 4.0


def test_of_many_marks_a_sample_is_learned_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marks_module, "MOST", 100)
    random = np.random.default_rng(0)
    on = np.arange(3000) % 2 == 0
    texts = np.where(on[:, np.newaxis], [1.0, 0.0], [0.0, 1.0]).astype(np.float32)
    marks = np.where(random.random(3000) < 0.9, on, np.nan)
    found = taught(np.zeros(3000), marks, texts, None, np.zeros(3000, np.int64))
    assert ((found > 0) == on).all()


def test_questions_are_new_and_from_the_upper_pages() -> None:
    relevance = np.linspace(1.0, 0.0, 400) ** 4
    marks = np.full(400, np.nan)
    marks[:5] = 1.0
    rows = worth_asking(relevance, marks, 20)
    assert len(set(rows.tolist())) == 20
    assert not set(rows.tolist()) & set(range(5))
    assert rows.max() < 5 + 2.5 * relevance.sum()
    assert (rows == worth_asking(relevance, marks, 20)).all()
    assert len(worth_asking(relevance[:3], marks[:3] * np.nan, 20)) == 3


@pytest.mark.parametrize("right", [1.0, 0.9])
def test_some_wrong_answers_are_borne(right: float) -> None:
    harvest, on = made_harvest(600, noise=2.0)
    random = np.random.default_rng(3)
    rows = worth_asking(judge_again(harvest).relevance, harvest.marks, 50)
    marks = harvest.marks.copy()
    marks[rows] = on[rows] ^ (random.random(len(rows)) > right)
    others = np.isnan(marks)
    after = judge_again(structs.replace(harvest, marks=marks)).relevance
    before = judge_again(harvest).relevance
    assert average_precision(on[others], after[others]) > average_precision(on[others], before[others])
