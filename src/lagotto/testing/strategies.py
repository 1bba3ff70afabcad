"""Contract checks that every strategy passes, ours and those of other packages.

from lagotto.testing import check_strategy

def test_my_strategy() -> None:
    check_strategy(lambda: MyStrategy(topic))
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from lagotto.records import DROPPED, Judgement, LinkScores, Page
from lagotto.strategies.base import Strategy
from lagotto.testing.pages import fictional_pages, lease_of


def check_strategy(make: Callable[[], Strategy]) -> None:
    """Run all checks; an assertion names the promise that is broken."""
    for check in (
        check_names,
        check_judgements,
        check_link_scores,
        check_reading_changes_nothing,
        check_same_samples_same_state,
        check_state_survives,
    ):
        check(make)


def check_names(make: Callable[[], Strategy]) -> None:
    """A strategy has a name and a one-line summary."""
    strategy = make()
    assert strategy.name, "the strategy has no name"
    assert strategy.summary, "the strategy has no summary"
    assert "\n" not in strategy.summary, "the summary must be one line"


def check_judgements(make: Callable[[], Strategy]) -> None:
    """Relevance lies between 0 and 1, whatever the page, before and after learning."""
    strategy = make()
    for _ in range(2):
        for page in fictional_pages():
            judgement = strategy.judge(page)
            assert 0.0 <= judgement.relevance <= 1.0, f"relevance {judgement.relevance} of {page.url}"
            assert isinstance(judgement.relevant, bool), "the verdict must be a bool"
            assert all(map(math.isfinite, judgement.parts.values())), f"{page.url}: {judgement.parts}"
            if strategy.shelves:
                assert judgement.shelf is not None, "a strategy that shelves must give a rank"
                assert math.isfinite(judgement.shelf), "the rank on the shelf must be finite"
        _teach(strategy)


def check_link_scores(make: Callable[[], Strategy]) -> None:
    """Every link gets a finite score or is dropped, with parts that have names."""
    strategy = make()
    for _ in range(2):
        for page in fictional_pages():
            scores = _score(strategy, page)[1]
            assert len(scores.values) == len(page.links), "one score for each link, in the same order"
            kept = scores.values[scores.values != DROPPED]
            assert np.isfinite(kept).all(), f"scores of {page.url}: {scores.values}"
            links, parts = scores.parts.shape
            assert links == len(page.links), "parts for each link"
            assert parts <= len(strategy.link_parts), "each part has a name"
        _teach(strategy)


def check_reading_changes_nothing(make: Callable[[], Strategy]) -> None:
    """`judge`, `score` and `sample` leave the learned state as it is."""
    strategy = make()
    _teach(strategy)
    before = strategy.save()
    for page in fictional_pages():
        _, _ = _score(strategy, page)
    assert strategy.save() == before, "only `learn` may change the state"


def check_same_samples_same_state(make: Callable[[], Strategy]) -> None:
    """What is learned depends on the samples alone."""
    first, second = make(), make()
    for sample in _teach(first):
        second.learn(sample)
    assert first.save() == second.save(), "replaying the samples must give the same state"
    _assert_alike(first, second)


def check_state_survives(make: Callable[[], Strategy]) -> None:
    """A strategy that loads what another saved goes on exactly like it."""
    first, second = make(), make()
    _teach(first)
    second.load(first.save())
    _assert_alike(first, second)
    _teach(first)
    _teach(second)
    _assert_alike(first, second)


def _score(strategy: Strategy, page: Page) -> tuple[Judgement, LinkScores]:
    judgement = strategy.judge(page)
    return judgement, strategy.score(page, judgement, lease_of(page))


def _teach(strategy: Strategy) -> list[bytes]:
    samples = []
    for page in fictional_pages():
        judgement, _ = _score(strategy, page)
        sample = strategy.sample(page, judgement, lease_of(page))
        if sample is not None:
            strategy.learn(sample)
            samples.append(sample)
    return samples


def _assert_alike(first: Strategy, second: Strategy) -> None:
    for page in fictional_pages():
        (one, scores), (other, others) = _score(first, page), _score(second, page)
        assert one == other, f"judgements of {page.url} differ: {one} and {other}"
        assert np.array_equal(scores.values, others.values), f"link scores of {page.url} differ"
