from __future__ import annotations

import numpy as np

from lagotto.judging import estimate_recall


def verdicts(*shares: float) -> np.ndarray:
    """Ten times as many pages as shares, each tenth with that share of hits, evenly."""
    return np.concatenate([np.arange(100) < 100 * share for share in shares])


def test_a_harvest_that_dries_up_is_nearly_complete() -> None:
    dry = estimate_recall(verdicts(0.9, 0.8, 0.4, 0.1, 0.0, 0.0))
    steady = estimate_recall(verdicts(0.4, 0.4, 0.4, 0.4, 0.4, 0.4))
    assert dry.estimate > 0.85 > 0.6 > steady.estimate


def test_interval_holds_the_estimate() -> None:
    for shares in ((0.9, 0.1, 0.0), (0.2, 0.2, 0.2), (0.0, 0.1, 0.9)):
        found = estimate_recall(verdicts(*shares))
        assert 0.0 <= found.low < found.estimate < found.high <= 1.0


def test_of_few_pages_or_none_on_topic_nothing_is_known() -> None:
    assert estimate_recall(np.ones(10, bool)).low == 0.0
    assert estimate_recall(np.zeros(500, bool)).high == 1.0
