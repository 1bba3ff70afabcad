"""`static`: a table made once, links of relevant pages only, four parts to a link score."""

from __future__ import annotations

import pytest

from lagotto.base.records import DROPPED
from lagotto.focus.strategies.static import Static
from lagotto.focus.topic import Document, Topic, WeightTable
from lagotto.lab.checks import lease_of
from tests.focus.strategies.tiny_crawl import TinyCrawl, TinyWeb, crawl, page

BIRDS = Topic(table=WeightTable({"bird": 1.0}))


def test_order_of_a_small_web() -> None:
    web = TinyWeb(
        # cosine 1/2; link scores: plain 0.5, anchor 0.5 + 1
        page("seed", "bird river stone cloud", {"plain": "", "named": "bird"}),
        page("named", "bird river", {"child1": "", "child2": "bird river stone cloud"}),  # cosine 0.71
        page("plain", "river", {"lost": "bird"}),  # irrelevant: its links are not followed
        page("child1", "bird"),  # 0.71
        page("child2", "bird"),  # 0.71 + 0.5
        page("lost", "bird"),
    )
    assert crawl(Static(BIRDS), web, "seed") == ["seed", "named", "child2", "child1", "plain"]


def test_a_link_score_is_the_sum_of_four_parts() -> None:
    strategy = Static(BIRDS, page_threshold=0.1, link_threshold=0.6)
    found = page("a", "bird river stone cloud", {"b": "bird river stone cloud", "c": ""}, context="bird")
    found.links[1].context_terms = []
    found.links[0].url_terms = ["bird", "river"]
    scores = strategy.score(found, strategy.judge(found), lease_of(found))
    assert strategy.link_parts == ("url", "anchor", "parent", "surrounding")
    assert scores.parts.tolist() == [pytest.approx([0.5**0.5, 0.5, 0.5, 1.0]), [0.0, 0.0, 0.5, 0.0]]
    # The second link has 0.5, which is not above the threshold.
    assert scores.values.tolist() == [pytest.approx(0.5**0.5 + 2.0), DROPPED]


def test_both_thresholds_are_exclusive() -> None:
    found = page("a", "bird river stone cloud", ["b"])
    at, below = Static(BIRDS, page_threshold=0.5, link_threshold=0.0), Static(BIRDS, page_threshold=0.49)
    assert not at.judge(found).relevant
    assert below.judge(found).relevant
    assert (
        Static(BIRDS, link_threshold=0.5).score(found, below.judge(found), lease_of(found)).values == DROPPED
    )


def test_search_results_give_tf_times_df() -> None:
    results = ["solar power, solar panels", "solar cells"]
    table = Static(Topic("solar", results=results)).table
    # solar: 3 occurrences in 2 results; power, panel, cell: 1 in 1. Divided by 6.
    assert dict(table) == {"solar": 1.0, "cell": 1 / 6, "panel": 1 / 6, "power": 1 / 6}


def test_example_pages_stand_for_search_results() -> None:
    table = Static(Topic("x", relevant=[Document({"solar": 2, "cell": 1}), Document({"solar": 1})])).table
    assert dict(table) == {"solar": 1.0, "cell": 1 / 6}


def test_words_and_seeds_only_make_the_table_of_the_first_pages() -> None:
    web = TinyWeb(
        page("seed", "heron heron bird wading", {"a": "bird", "b": "bird", "c": "bird"}),
        page("a", "heron heron bird beak"),
        page("b", "bird mortgage mortgage loan loan"),
        page("c", "mortgage loan bird loan loan"),
    )
    strategy = Static(Topic("bird"), first_pages=4)
    assert dict(strategy.table) == {"bird": 1.0}
    TinyCrawl(web, "seed").run(strategy)
    # The seed and the most similar third: a. heron: 4 occurrences on 2 pages, the largest, so half a word.
    assert strategy.table["bird"] == 1.0
    assert strategy.table["heron"] == pytest.approx(0.5)
    assert "mortgag" not in strategy.table
    table = strategy.table
    TinyCrawl(web, "b").run(strategy)
    assert strategy.table is table, "the table is made once"


def test_judgement_names_the_terms_that_made_it() -> None:
    strategy = Static(Topic(table=WeightTable({"bird": 2.0, "heron": 1.0})))
    parts = strategy.judge(page("a", "bird heron river")).parts
    norm = (5 * 3) ** 0.5
    assert parts == pytest.approx({"cosine": 3 / norm, "term:bird": 2 / norm, "term:heron": 1 / norm})
