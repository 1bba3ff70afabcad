from __future__ import annotations

import numpy as np

from lagotto.focus.judging import Recall, estimate_recall

NONE = np.zeros(0, np.int64)


def verdicts(*shares: float) -> np.ndarray:
    """A hundred pages for each share, with that share of hits."""
    return np.concatenate([np.arange(100) < 100 * share for share in shares]).astype(np.float64)


def estimated(relevance: np.ndarray, links: int) -> Recall:
    """Recall where each page has links from the first so many pages, which are on topic."""
    others = np.arange(links, len(relevance))
    children, parents = np.repeat(others, links), np.tile(np.arange(links), len(others))
    return estimate_recall(relevance, np.ones(len(relevance), np.bool_), children, parents)


def test_a_harvest_that_dries_up_is_nearly_complete() -> None:
    dry = estimated(verdicts(0.9, 0.8, 0.4, 0.1, 0.0, 0.0), 3)
    steady = estimated(verdicts(0.4, 0.4, 0.4, 0.4, 0.4, 0.4), 3)
    assert dry.estimate > 0.9
    assert steady.estimate < dry.low


def test_pages_linked_once_tell_of_pages_linked_not_at_all() -> None:
    relevance = verdicts(0.4, 0.4, 0.4, 0.4)
    assert estimated(relevance, 5).estimate > 0.35
    assert estimated(relevance, 1).estimate < 0.2


def test_links_from_pages_off_topic_say_nothing() -> None:
    relevance = np.concatenate([np.zeros(5), verdicts(0.4, 0.4, 0.4, 0.4)])
    assert estimated(relevance, 5) == estimated(relevance, 0)


def test_seeds_do_not_count_as_found() -> None:
    relevance, found = verdicts(0.5, 0.5), np.ones(200, np.bool_)
    alone = estimate_recall(relevance, found, NONE, NONE)
    seeded = np.concatenate([np.ones(100), relevance]), np.concatenate([np.zeros(100, np.bool_), found])
    assert estimate_recall(*seeded, NONE, NONE) == alone


def test_interval_holds_the_estimate() -> None:
    for shares in ((0.9, 0.1, 0.0), (0.2, 0.2, 0.2), (0.0, 0.1, 0.9)):
        found = estimated(verdicts(*shares), 2)
        assert 0.0 <= found.low < found.estimate < found.high <= 1.0


def test_of_few_pages_or_none_on_topic_nothing_is_known() -> None:
    assert estimated(np.ones(10), 2).low == 0.0
    assert estimated(np.zeros(500), 2).high == 1.0
