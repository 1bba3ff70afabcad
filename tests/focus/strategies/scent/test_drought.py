"""A drought: the latest pages beside the best time of the crawl."""

from __future__ import annotations

import numpy as np

from lagotto.focus.strategies.scent.drought import GATE, WINDOW, dry_since

RICH, POOR = 0.8, 0.8 * GATE / 2


def pages(*spans: tuple[int, float]) -> np.ndarray:
    return np.concatenate([np.full(length, relevance) for length, relevance in spans])


def test_a_crawl_that_goes_on_finding_is_not_dry() -> None:
    assert dry_since(pages((10 * WINDOW, RICH))) == 0
    assert dry_since(pages((5 * WINDOW, RICH), (5 * WINDOW, RICH / 2))) == 0


def test_a_drought_is_named_by_its_beginning_once_it_has_lasted() -> None:
    rich = 4 * WINDOW
    assert dry_since(pages((rich, RICH), (WINDOW, POOR))) == 0
    since = dry_since(pages((rich, RICH), (5 * WINDOW, POOR)))
    assert rich < since <= rich + WINDOW


def test_it_is_over_when_something_is_found_again() -> None:
    assert dry_since(pages((4 * WINDOW, RICH), (5 * WINDOW, POOR), (WINDOW, RICH))) == 0


def test_a_crawl_of_a_few_pages_tells_nothing() -> None:
    assert dry_since(pages((WINDOW, RICH), (WINDOW - 1, POOR))) == 0
    assert dry_since(np.zeros(0)) == 0
