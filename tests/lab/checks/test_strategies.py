"""The contract checks catch strategies that break their promises."""

from __future__ import annotations

import numpy as np
import pytest

from lagotto.base.records import Judgement, Lease, LinkScores, Page
from lagotto.focus.strategies.base import Strategy
from lagotto.lab.checks import check_strategy


class Good(Strategy):
    name = "good"
    summary = "Counts pages."
    link_parts = ("ones",)

    def __init__(self) -> None:
        self.pages = 0

    def judge(self, page: Page) -> Judgement:
        return Judgement(relevance=1 / (1 + self.pages), relevant=True)

    def score(self, page: Page, judgement: Judgement, lease: Lease) -> LinkScores:
        ones = np.ones(len(page.links))
        return LinkScores(ones, ones[:, None])

    def sample(self, page: Page, judgement: Judgement, lease: Lease) -> bytes | None:
        return b"1"

    def learn(self, sample: bytes) -> None:
        self.pages += int(sample)

    def save(self) -> bytes:
        return str(self.pages).encode()

    def load(self, state: bytes) -> None:
        self.pages = int(state)


class OutOfRange(Good):
    def judge(self, page: Page) -> Judgement:
        return Judgement(relevance=1.5, relevant=True)


class NotANumber(Good):
    def score(self, page: Page, judgement: Judgement, lease: Lease) -> LinkScores:
        return LinkScores(np.full(len(page.links), np.nan), np.ones((len(page.links), 1)))


class TooFewScores(Good):
    def score(self, page: Page, judgement: Judgement, lease: Lease) -> LinkScores:
        return LinkScores(np.ones(max(0, len(page.links) - 1)))


class ReadsWhatItDoesNotAskFor(Good):
    reads_link_words = False

    def score(self, page: Page, judgement: Judgement, lease: Lease) -> LinkScores:
        return LinkScores(np.array([float(len(link.anchor_terms)) for link in page.links]))


class LearnsWhileJudging(Good):
    def judge(self, page: Page) -> Judgement:
        self.pages += 1
        return super().judge(page)


class Forgets(Good):
    def load(self, state: bytes) -> None:
        self.pages = 0


def test_a_good_strategy_passes() -> None:
    check_strategy(Good)


@pytest.mark.parametrize(
    "broken", [OutOfRange, NotANumber, TooFewScores, LearnsWhileJudging, Forgets, ReadsWhatItDoesNotAskFor]
)
def test_a_broken_promise_is_caught(broken: type[Good]) -> None:
    with pytest.raises(AssertionError):
        check_strategy(broken)
