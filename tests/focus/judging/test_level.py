"""The level of verdicts, pinned on frozen harvests of the demo web (`scripts/make_verdict_pieces.py`)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs

from lagotto.focus.judging import Harvest, Rejudged, judge_again
from lagotto.focus.judging.level import line, own_signs, trust, two_groups
from lagotto.lab.experiments.measures import calibration_error, f1

PIECES = Path(__file__).with_name("pieces.npz")


@cache
def piece(name: str) -> tuple[Harvest, np.ndarray]:
    """A frozen harvest, and which of its pages are on topic."""
    with np.load(PIECES) as arrays:
        found = {key.removeprefix(f"{name}-"): arrays[key] for key in arrays if key.startswith(f"{name}-")}
    truth = found.pop("truth")
    kinds = {np.dtype(np.float16): np.float64, np.dtype(np.int32): np.int64}
    known = {key: array.astype(kinds.get(array.dtype, array.dtype)) for key, array in found.items()}
    known["weights"] = known["weights"].astype(np.float32)
    return Harvest(**known), truth


@cache
def judged(name: str) -> Rejudged:
    return judge_again(piece(name)[0])


def claimed(name: str) -> int:
    return int(judged(name).relevant.sum())


FLOORS = {
    "volcanoes-20": 0.97,
    "volcanoes-60": 0.93,
    "volcanoes-200": 0.92,
    "volcanoes-400": 0.88,
    "truffles-20": 0.94,
    "truffles-60": 0.95,
    "truffles-200": 0.9,
}
"""Least F1 of each piece."""


def figures(name: str) -> tuple[float, float]:
    """F1 and calibration error without the seeds."""
    harvest, truth = piece(name)
    found = ~harvest.seeds
    again = judged(name)
    return f1(truth[found], again.relevant[found]), calibration_error(truth[found], again.relevance[found])


@pytest.mark.parametrize(("name", "least"), list(FLOORS.items()))
def test_f1_at_any_length(name: str, least: float) -> None:
    """Without the pages' own signs it is .84 and .86 at 20 and 60 pages of volcanoes."""
    assert figures(name)[0] > least


def test_relevances_are_chances() -> None:
    assert np.mean([figures(name)[1] for name in FLOORS]) < 0.16


def test_an_exhausted_topic_is_claimed_no_more_when_the_crawl_doubles() -> None:
    """Eight pages of the topic are left for the second half."""
    assert 1 / 1.1 < claimed("volcanoes-400") / claimed("volcanoes-200") < 1.1
    assert judged("volcanoes-400").recall.estimate > judged("volcanoes-200").recall.estimate


@pytest.mark.parametrize("pages", [20, 60])
def test_nothing_is_claimed_where_the_web_has_no_such_topic(pages: int) -> None:
    assert claimed(f"absent-{pages}") == 0
    assert not judged(f"absent-{pages}").presence.clear


def reordered(harvest: Harvest, order: np.ndarray) -> Harvest:
    """The same pages in another order."""
    starts = np.concatenate([[0], np.cumsum(harvest.lengths)])
    terms = np.concatenate([np.arange(starts[row], starts[row + 1]) for row in order.tolist()])
    place = np.argsort(order)
    by_term = {"terms": harvest.terms[terms], "weights": harvest.weights[terms]}
    links = {"children": place[harvest.children], "parents": place[harvest.parents]}
    pages = {
        name: getattr(harvest, name)[order]
        for name in structs.asdict(harvest)
        if name not in (*by_term, *links, "embeddings", "asked")
    }
    return structs.replace(harvest, **pages, **by_term, **links)


def test_pages_of_two_merged_crawls_are_claimed_as_those_of_one() -> None:
    """The pages of the second crawl come after those of the first, whatever was fetched before what."""
    harvest, truth = piece("volcanoes-400")
    rows = np.arange(len(harvest))
    for order in (np.concatenate([rows[::2], rows[1::2]]), np.concatenate([rows[200:], rows[:200]])):
        again = judge_again(reordered(harvest, order))
        assert 1 / 1.3 < again.relevant.sum() / claimed("volcanoes-400") < 1.3
        assert f1(truth[order], again.relevant) > 0.8


def exhausted(pages: int, *, hits: int = 60, found_by: int = 200) -> tuple[np.ndarray, np.ndarray]:
    """Scores of a crawl that has found all there is by some page, and which of its pages are hits."""
    random = np.random.default_rng(3)
    on = np.zeros(max(pages, found_by), bool)
    on[random.choice(found_by, hits, replace=False)] = True
    scores = np.where(on, 3.5, 0.0) + random.normal(size=len(on))
    return scores[:pages], on[:pages]


def expected_pages(pages: int) -> float:
    """Pages that are expected on topic where the model takes half of them to be."""
    scores, _ = exhausted(pages)
    found = line(scores, 0.5, np.full(pages, -2.0)).log_odds(scores, np.full(pages, -2.0))
    return float((1 / (1 + np.exp(-found))).sum())


def test_pages_off_topic_change_nothing_once_a_topic_is_exhausted() -> None:
    """A model that splits all pages in two would expect 750 of 1,500 pages on topic."""
    at_700, at_1500 = expected_pages(700), expected_pages(1500)
    assert 45 < at_700 < 100
    assert at_1500 < 1.6 * at_700


def test_a_group_is_as_large_as_it_is() -> None:
    for pages in (400, 1500):
        scores, on = exhausted(pages)
        groups = two_groups(scores)
        assert groups.share == pytest.approx(on.mean(), abs=0.01)
        assert (groups.low, groups.high) == pytest.approx((0.0, 3.5), abs=0.4)


def test_scores_that_do_not_vary_make_no_groups() -> None:
    assert two_groups(np.full(50, 2.0)).chances(np.full(3, 2.0)) == pytest.approx([0.5] * 3)
    assert two_groups(np.zeros(0)).share == 0.5


def test_where_groups_overlap_the_slope_is_that_of_chances() -> None:
    """Pages whose chance grows by 1.6 in log odds a standard deviation are calibrated by no steeper line."""
    random = np.random.default_rng(5)
    scores = random.normal(size=20_000)
    on = random.random(20_000) < 1 / (1 + np.exp(1.0 - 1.6 * scores))
    drawn = line(scores, float(on.mean()), np.zeros(20_000))
    by_score = drawn.slope * scores + drawn.offset
    assert calibration_error(on, 1 / (1 + np.exp(-by_score))) < 0.02


def test_own_signs_count_in_small_crawls_and_the_comparison_in_large_ones() -> None:
    assert [round(trust(pages), 2) for pages in (0, 100, 900)] == [0.0, 0.42, 0.77]
    scores = np.array([1.0, 0.0])
    assert line(scores, 0.5, scores).log_odds(scores, np.array([2.0, -2.0])).tolist() == [2.0, -2.0]


def test_each_sign_of_the_words_raises_the_log_odds() -> None:
    one = np.ones(1)
    nothing = own_signs(0 * one, 0 * one, 0 * one, 0 * one, 0.5)
    assert nothing[0] < -2
    assert (own_signs(one, 0 * one, 0 * one, 0 * one, 1.0) > nothing).all()
    assert (own_signs(0 * one, one, 0 * one, 0 * one, 1.0) > nothing).all()
    assert (own_signs(0 * one, 0 * one, one, 0 * one, 1.0) > nothing).all()
    assert (own_signs(0 * one, 0 * one, 0 * one, one, 1.0) > nothing).all()
    assert own_signs(0 * one, 0 * one, None, np.array([np.nan]), 1.0)[0] < -1
