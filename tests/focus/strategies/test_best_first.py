"""`best-first`: links of the most relevant pages first, none dropped."""

from __future__ import annotations

import pytest

from lagotto.focus.strategies.simple import BestFirst
from lagotto.focus.topic import Topic
from lagotto.lab.checks import lease_of
from tests.focus.strategies.tiny_crawl import TinyWeb, crawl, page

WEB = TinyWeb(
    page("seed", "bird loan", ["weak", "strong", "off"]),
    page("weak", "bird loan loan loan", ["weak-child"]),
    page("strong", "bird bird loan", ["strong-child"]),
    page("off", "loan", ["off-child"]),
    page("weak-child", "loan"),
    page("strong-child", "loan"),
    page("off-child", "bird"),
)


def test_links_of_the_most_relevant_page_come_first_and_none_is_lost() -> None:
    assert crawl(BestFirst(Topic("bird")), WEB, "seed") == [
        *("seed", "weak", "strong", "strong-child"),
        *("off", "weak-child", "off-child"),
    ]


def test_a_link_inherits_the_relevance_of_its_page() -> None:
    strategy = BestFirst(Topic("bird"))
    found = page("a", "bird bird loan", ["b", "c"])
    judgement = strategy.judge(found)
    scores = strategy.score(found, judgement, lease_of(found))
    assert judgement.relevance == pytest.approx(2 / 5**0.5)
    assert scores.values.tolist() == [judgement.relevance] * 2
    assert scores.parts.tolist() == [[judgement.relevance]] * 2
