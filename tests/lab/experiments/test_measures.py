from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lagotto.lab.experiments.measures import (
    area_share,
    average_precision,
    band_of_mean,
    bootstrap,
    brier_score,
    calibration_error,
    claimed_ratio,
    f1,
    harvest_at,
    harvest_curve,
    paired_bootstrap,
    r_precision,
    recall_at,
    reliability,
    segments,
)

some_hits = st.lists(st.booleans(), max_size=60).map(lambda hits: np.array(hits, bool))


def hits(text: str) -> np.ndarray:
    return np.array([character == "x" for character in text], bool)


def test_curve_is_flat_after_a_crawl_that_ended_early() -> None:
    assert harvest_curve(hits("x-x"), 5).tolist() == [1, 1, 2, 2, 2]
    assert harvest_curve(hits(""), 3).tolist() == [0, 0, 0]
    assert harvest_curve(hits("xxxx"), 2).tolist() == [1, 2]


def test_harvest_and_recall_count_pages_never_fetched_as_misses() -> None:
    assert harvest_at(hits("x-x"), 2) == 0.5
    assert harvest_at(hits("x-x"), 6) == pytest.approx(2 / 6)
    assert recall_at(hits("x-x"), 3, relevant=8) == 0.25
    assert recall_at(hits("x-x"), 3, relevant=0) == 0.0


def test_r_precision_is_taken_at_the_number_of_relevant_pages_or_at_the_budget() -> None:
    assert r_precision(hits("xx--x"), relevant=4, budget=5) == 0.5
    assert r_precision(hits("xx--x"), relevant=100, budget=5) == 0.6
    assert r_precision(hits("xx"), relevant=0, budget=5) == 0.0


def test_area_share_rewards_finding_early() -> None:
    best, early, late = hits("xxx---"), hits("xx---x"), hits("---xxx")
    assert area_share(best, best, 6) == 1.0
    assert area_share(best, best, 6) > area_share(early, best, 6) > area_share(late, best, 6) > 0
    assert area_share(early, hits("------"), 6) == 0.0


@given(some_hits, st.integers(1, 80))
def test_curves_only_rise_and_end_at_what_was_found(found: np.ndarray, budget: int) -> None:
    curve = harvest_curve(found, budget)
    assert len(curve) == budget
    assert (np.diff(curve) >= 0).all()
    assert curve[-1] == found[:budget].sum() == pytest.approx(harvest_at(found, budget) * budget)


@given(some_hits, st.integers(1, 10), st.integers(1, 8))
def test_the_mean_of_segments_is_the_overall_harvest(found: np.ndarray, count: int, length: int) -> None:
    figures = segments(found, count * length, length)
    assert len(figures.segment) == len(figures.cumulative) == count
    assert figures.mean_of_segments == pytest.approx(harvest_at(found, count * length))
    assert figures.cumulative[-1] == pytest.approx(harvest_at(found, count * length))


def test_segments_show_why_a_paper_reports_more_than_it_found() -> None:
    # `linkrank`'s paper finds 19,904 of 25,000 pages, which is 79.6 %, and reports an average harvest of
    # 85.5 %: the mean of the cumulative harvest, which counts what was found early again and again.
    found = np.zeros(25_000, bool)
    found[:15_000] = True
    found[15_000 : 15_000 + 2 * 4_904 : 2] = True
    figures = segments(found, 25_000)
    assert figures.mean_of_segments == pytest.approx(19_904 / 25_000)
    assert figures.mean_of_cumulative > 0.9 > figures.mean_of_segments


def test_segments_leave_out_what_is_no_whole_segment() -> None:
    assert segments(hits("xx-x"), 4, 3).segment == [pytest.approx(2 / 3)]


def test_bootstrap_of_equal_figures_is_certain() -> None:
    interval = bootstrap([0.5] * 7)
    assert (interval.mean, interval.low, interval.high) == (0.5, 0.5, 0.5)


def test_bootstrap_is_the_same_every_time_and_holds_the_mean() -> None:
    figures = [0.1, 0.5, 0.3, 0.9, 0.2]
    interval = bootstrap(figures)
    assert interval == bootstrap(figures)
    assert min(figures) < interval.low < interval.mean < interval.high < max(figures)


def test_pairs_take_out_what_topics_have_in_common() -> None:
    second = [0.1, 0.5, 0.3, 0.9, 0.2]
    paired = paired_bootstrap([figure + 0.05 for figure in second], second)
    assert paired.sure
    assert paired.difference.mean == pytest.approx(0.05)
    assert (paired.wins, paired.losses, paired.topics) == (5, 0, 5)
    assert not bootstrap(second).low > 0.3


@pytest.mark.parametrize(("topics", "sure"), [(1, False), (4, False), (5, True)])
def test_few_topics_are_never_sure(topics: int, sure: bool) -> None:
    assert paired_bootstrap([0.52] * topics, [0.5] * topics).sure == sure


def test_a_tie_is_neither_won_nor_lost_and_one_outlier_is_not_sure() -> None:
    paired = paired_bootstrap([0.2, 0.2, 0.9], [0.2, 0.3, 0.2])
    assert (paired.wins, paired.losses, paired.topics) == (1, 1, 3)
    assert not paired.sure


def test_band_lies_around_the_mean_curve() -> None:
    curves = np.cumsum(np.random.default_rng(3).random((6, 40)) > 0.5, axis=1).astype(float)
    low, high = band_of_mean(curves)
    assert (low <= curves.mean(axis=0)).all()
    assert (high >= curves.mean(axis=0)).all()
    assert low[-1] < high[-1]


def test_average_precision() -> None:
    assert average_precision(hits("x-x-"), np.array([4.0, 3.0, 2.0, 1.0])) == pytest.approx((1 + 2 / 3) / 2)
    assert average_precision(hits("--"), np.array([1.0, 2.0])) == 0.0


def test_pages_of_equal_score_count_together_in_any_order() -> None:
    equal = np.zeros(4)
    assert average_precision(hits("xx--"), equal) == average_precision(hits("--xx"), equal) == 0.5


@given(some_hits)
def test_claiming_the_truth_is_perfect(truth: np.ndarray) -> None:
    assert f1(truth, truth) == (1.0 if truth.any() else 0.0)
    assert claimed_ratio(truth, truth) == 1.0
    assert brier_score(truth, truth.astype(float)) == 0.0
    assert calibration_error(truth, truth.astype(float)) == 0.0


def test_verdicts_against_truth() -> None:
    assert f1(hits("xx--"), hits("x-x-")) == 0.5
    assert claimed_ratio(hits("xxxx"), hits("x---")) == claimed_ratio(hits("x---"), hits("xxxx")) == 4.0
    assert claimed_ratio(hits("----"), hits("xx--")) == 2.0


def test_calibration() -> None:
    chances = np.full(10, 0.7)
    assert calibration_error(hits("xxxxxxx---"), chances) == pytest.approx(0.0)
    assert calibration_error(hits("xx--------"), chances) == pytest.approx(0.5)
    assert brier_score(hits("x-"), np.array([0.5, 0.5])) == 0.25


def test_reliability_has_a_bin_for_each_range_of_chances_that_has_pages() -> None:
    bins = reliability(hits("x-xx"), np.array([0.05, 0.05, 0.95, 1.0]))
    assert [(one.pages, one.share) for one in bins] == [(2, 0.5), (2, 1.0)]
    assert [one.chance for one in bins] == pytest.approx([0.05, 0.975])
