"""Limits of a crawl: which is reached, and whether one more link may be leased."""

from __future__ import annotations

import pytest

from lagotto.base.batch import Spent
from lagotto.crawling.worker.statistics import Limits


@pytest.mark.parametrize(
    ("limits", "spent", "requests", "seconds", "why"),
    [
        (Limits(), Spent(pages=10**6, bytes=10**12), 10**9, 10**9, ""),
        (Limits(pages=5), Spent(pages=4), 4, 0, ""),
        (Limits(pages=5), Spent(pages=5), 5, 0, "the budget of 5 pages is used"),
        (Limits(pages=1), Spent(pages=1), 1, 0, "the budget of 1 page is used"),
        (Limits(pages=5), Spent(), 1099, 0, ""),
        (Limits(pages=5), Spent(), 1100, 0, "the budget of 1100 requests is used (see --max-requests)"),
        (Limits(requests=7), Spent(), 7, 0, "the budget of 7 requests is used (see --max-requests)"),
        (Limits(bytes=100), Spent(bytes=100), 0, 0, "the budget of 100 bytes is used"),
        (Limits(seconds=2.5), Spent(), 0, 2.5, "the time of 2.5 s is used"),
    ],
)
def test_the_limit_that_is_reached_is_named(
    limits: Limits, spent: Spent, requests: int, seconds: float, why: str
) -> None:
    assert limits.used_up(spent, requests, seconds) == why


@pytest.mark.parametrize(
    ("limits", "running", "in_flight", "room"),
    [
        (Limits(concurrency=2), 1, 3, True),
        (Limits(concurrency=2), 2, 2, False),
        (Limits(concurrency=2), 1, 4, False),
        (Limits(concurrency=1), 0, 1, False),
        (Limits(pages=10), 0, 0, True),
        (Limits(pages=9), 0, 1, False),
        (Limits(requests=20), 1, 1, True),
        (Limits(requests=20), 4, 4, False),
    ],
)
def test_what_is_under_way_counts_against_the_limits(
    limits: Limits, running: int, in_flight: int, room: bool
) -> None:
    within = limits.covers_one_more(Spent(pages=8), 16 + running, in_flight)
    assert (limits.allow_one_more(running, in_flight) and within) is room
