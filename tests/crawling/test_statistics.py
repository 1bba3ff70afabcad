"""Running figures of a crawl."""

from __future__ import annotations

from lagotto.base.records import Outcome, Reason
from lagotto.crawling.worker.seeding import seed_lease
from lagotto.crawling.worker.statistics import Statistics


def test_failures_are_counted_by_status() -> None:
    statistics = Statistics()
    for status in (404, 404, 500):
        outcome = Outcome(seed_lease("http://a.example/"), 0.0, status=status, reason=Reason.HTTP_STATUS)
        statistics.add(outcome, 0.0)
    assert statistics.reasons == {"http-status 404": 2, "http-status 500": 1}
    assert (statistics.pages, statistics.concluded) == (0, 3)
