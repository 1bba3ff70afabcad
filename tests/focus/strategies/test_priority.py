"""`priority`: the figure of its paper, page by page."""

from __future__ import annotations

import pytest

from lagotto.focus.strategies.simple import Priority
from lagotto.focus.topic import Topic
from tests.focus.strategies.tiny_crawl import TinyCrawl, TinyWeb, page

# Texts with exactly the cosines of the paper's figure: 7/10, 1/2, 4/5, 1/4 and 3/5.
SEVEN_TENTHS = "computer " * 7 + "river " * 7 + "stone cloud"
HALF = "computer river stone cloud"
FOUR_FIFTHS = "computer " * 4 + "river " * 3
QUARTER = "computer " + " ".join(f"word{number}" for number in range(15))
THREE_FIFTHS = "computer " * 3 + "river " * 4

FIGURE = TinyWeb(
    page("seed", "a page without the focus word", ["page1", "page2", "pageN"]),
    page("page1", SEVEN_TENTHS, ["page11"]),
    page("page2", HALF, ["page21"]),
    page("pageN", FOUR_FIFTHS, ["pageN1", "pageNM"]),
    page("pageN1", QUARTER, ["pageN11"]),
    page("pageNM", THREE_FIFTHS, ["pageNM1"]),
    page("page11", "river"),
    page("page21", "river"),
    page("pageN11", "river"),
    page("pageNM1", "river"),
)


def test_order_of_the_paper_s_figure() -> None:
    crawl = TinyCrawl(FIGURE, "seed")
    assert crawl.run(Priority(Topic("computer"))) == [
        "seed",
        *("page1", "page2", "pageN"),  # all children of the seed are downloaded first
        *("pageN1", "pageNM"),  # then those of the best of them, 0.8
        "page11",  # 0.7 is still the best, though 0.25 and 0.6 came later
        "pageNM1",  # 0.6
        "page21",  # 0.5
        "pageN11",  # 0.25
    ]
    relevance = {
        name: outcome.judgement.relevance
        for name, outcome in zip(crawl.order, crawl.outcomes, strict=True)
        if outcome.judgement
    }
    expected = {"page1": 0.7, "page2": 0.5, "pageN": 0.8, "pageN1": 0.25, "pageNM": 0.6}
    assert {name: relevance[name] for name in expected} == pytest.approx(expected)


def test_children_are_downloaded_in_the_order_of_their_page() -> None:
    web = TinyWeb(
        page("seed", "computer", ["dull", "best"]),
        page("dull", "river computer", ["second", "other"]),
        page("best", "computer", ["first", "second", "third"]),
        *(page(name, "river") for name in ("first", "second", "third", "other")),
    )
    # `second` was found on the dull page before, yet it stands between two others on the best one.
    assert TinyCrawl(web, "seed").run(Priority(Topic("computer"))) == [
        *("seed", "dull", "best"),
        *("first", "second", "third"),
        "other",
    ]


def test_a_seed_has_rank_one_whatever_its_words() -> None:
    web = TinyWeb(
        page("good", "computer", ["good-child"]),
        page("dull", "river", ["dull-child"]),
        page("good-child", "computer river", ["grandchild"]),
        page("dull-child", "river"),
        page("grandchild", "computer"),
    )
    # Of two seeds the earlier is expanded first, and both before any child.
    assert TinyCrawl(web, "dull", "good").run(Priority(Topic("computer"))) == [
        *("dull", "good"),
        *("dull-child", "good-child", "grandchild"),
    ]


def test_all_children_are_downloaded_before_the_next_page_is_popped() -> None:
    web = TinyWeb(
        page("seed", "river", ["best", "dull1", "dull2"]),
        page("best", "computer", ["best-child"]),
        page("dull1", "river"),
        page("dull2", "stone"),
        page("best-child", "computer"),
    )
    assert TinyCrawl(web, "seed").run(Priority(Topic("computer"))) == [
        *("seed", "best", "dull1", "dull2"),
        "best-child",
    ]
