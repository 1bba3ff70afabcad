"""How often pages change, and when a visit is worth it."""

from __future__ import annotations

import numpy as np
import pytest

from lagotto.crawling.revisit.plan import DAY, LONGEST, SHORTEST, Rates, gains, intervals, least_gain


def test_rates_are_found_again() -> None:
    random = np.random.default_rng(1)
    true = [1 / DAY, 1 / (30 * DAY)]
    rates = Rates([("a.example", name) for name in ("news", "archive")])
    for _ in range(400):
        for page, rate in enumerate(true):
            wait = random.uniform(0.5, 5) * DAY
            rates.observe(page, wait, bool(random.random() < -np.expm1(-rate * wait)))
    rates.learn()
    assert rates.changes_a_day() == pytest.approx([1.0, 1 / 30], rel=0.35)


def test_a_page_without_visits_is_like_those_that_look_like_it() -> None:
    pages = [("a.example", "news")] * 20 + [("a.example", "old")] * 20
    rates = Rates([*pages, ("a.example", "news"), ("a.example", "old"), ("b.example", "other")])
    for page in range(40):
        for _ in range(5):
            rates.observe(page, DAY, page < 20)
    rates.learn()
    news, old, other = rates.changes_a_day()[40:]
    assert news > other > old


def test_intervals_keep_to_the_mean_and_leave_out_what_is_stale_at_once() -> None:
    rates = Rates([("h", name) for name in "abc"])
    for n in range(60):
        rates.observe(0, DAY / 24, True)
        rates.observe(1, 7 * DAY, n % 2 == 0)
        rates.observe(2, 60 * DAY, False)
    rates.learn()
    chances, weights = rates.probabilities(), np.ones(3)
    least = least_gain(chances, weights, 7 * DAY)
    found = intervals(chances, weights, least)
    assert float(np.mean(1 / found)) == pytest.approx(1 / (7 * DAY), rel=0.15)
    assert found[1] < found[2], "a page that changes weekly is visited more often than one that never does"
    assert found[1] < found[0], "a page that changes all the time is not worth it"
    assert all(SHORTEST <= each <= LONGEST for each in found)


def test_the_gain_grows_with_time() -> None:
    chances = Rates([("h", "p")] * 4).probabilities()
    found = gains(chances, np.array([0.0, 60.0, DAY, 30 * DAY]))
    assert found[0] == 0
    assert list(found) == sorted(found)
