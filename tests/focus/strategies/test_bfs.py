"""`bfs`: one depth after the other, in the order of discovery."""

from __future__ import annotations

from lagotto.base.records import Outcome
from lagotto.focus.strategies.simple import BreadthFirst
from lagotto.focus.topic import Topic
from tests.focus.strategies.tiny_crawl import TinyCrawl, TinyWeb, crawl, page

WEB = TinyWeb(
    page("seed", "bird", ["a", "b"]),
    page("a", "bank", ["c", "b"]),
    page("b", "bird", ["d"]),
    page("c", "bird bird", ["e"]),
    page("d", "bank loan"),
    page("e", "bird heron"),
    page("other", "loan", ["d", "f"]),
    page("f", "bird"),
)


def is_relevant(outcome: Outcome) -> bool:
    return outcome.judgement is not None and outcome.judgement.relevant


def test_levels_are_finished_one_after_the_other() -> None:
    assert crawl(BreadthFirst(Topic("bird")), WEB, "seed", "other") == [
        *("seed", "other"),
        *("a", "b", "d", "f"),
        *("c", "e"),
    ]


def test_cosine_with_the_words_is_judged_but_steers_nothing() -> None:
    birds, banks = TinyCrawl(WEB, "seed"), TinyCrawl(WEB, "seed")
    assert birds.run(BreadthFirst(Topic("bird"))) == banks.run(BreadthFirst(Topic("bank loan")))
    relevant = [
        name for name, outcome in zip(birds.order, birds.outcomes, strict=True) if is_relevant(outcome)
    ]
    assert relevant == ["seed", "b", "c", "e"]
