"""`linkrank`: ranks and link counts on a graph that can be drawn by hand."""

from __future__ import annotations

import pytest

from lagotto.base.urls import checksum
from lagotto.focus.strategies.linkrank import LinkRank
from lagotto.focus.topic import Document, Topic, Vocabularies
from tests.focus.strategies.tiny_crawl import ROOT, TinyCrawl, TinyWeb, page

SPORTS = Topic("sport", vocabularies=Vocabularies((frozenset({"ball", "goal", "team", "match"}),)))

# S -> A B C;  A -> F;  B -> S D;  C -> S A;  D -> B A E
GRAPH = TinyWeb(
    page("S", "bank", ["A", "B", "C"]),
    page("A", "ball goal", ["F"]),
    page("B", "ball bank", ["S", "D"]),
    page("C", "bank loan", ["S", "A"]),
    page("D", "goal loan", ["B", "A", "E"]),
    page("E", "bank money"),
    page("F", "team"),
)


def parts(crawl: TinyCrawl) -> dict[str, dict[str, float]]:
    return {
        name: outcome.judgement.parts
        for name, outcome in zip(crawl.order, crawl.outcomes, strict=True)
        if outcome.judgement
    }


def id_of(name: str) -> int:
    return checksum(f"{ROOT}{name}")


def test_rank_is_links_times_similarity() -> None:
    crawl = TinyCrawl(GRAPH, "S")
    crawl.run(LinkRank(SPORTS))
    found = parts(crawl)
    assert found["A"] == {
        "similarity": 1.0,
        "links_to_seed": 0,
        "links_from_seed": 1,
        "rank": pytest.approx(1.1),
    }
    assert found["B"] == {
        "similarity": 0.5,
        "links_to_seed": 1,
        "links_from_seed": 1,
        "rank": pytest.approx(1.2),
    }
    assert found["C"] == {
        "similarity": 0.0,
        "links_to_seed": 1,
        "links_from_seed": 1,
        "rank": pytest.approx(0.2),
    }


def test_the_best_candidate_joins_the_seed_pages() -> None:
    crawl = TinyCrawl(GRAPH, "S")
    assert crawl.run(LinkRank(SPORTS)) == [
        *("S", "A", "B", "C"),
        "D",  # B joined: 2·0.6 is more than A's 1·1.1
        "E",  # D joined: linked from B and linking to it, 2·0.6
        "F",  # A joined: linked from S and, by now, from D
    ]


def test_counts_are_adjusted_as_seed_pages_grow() -> None:
    strategy = LinkRank(SPORTS)
    crawl = TinyCrawl(GRAPH, "S")
    crawl.run(strategy, pages=5)
    # D links to A, a candidate (now two links from seed pages), and to B, which has no rank any more.
    assert dict(strategy.expanded(id_of("D"))) == {id_of("A"): pytest.approx(2 * 1.1)}
    # C links to A, which is a seed page now: two links to and one from seed pages.
    assert dict(strategy.expanded(id_of("A"))) == {id_of("C"): pytest.approx(3 * 0.1)}
    # Nobody links to C, and all it links to are seed pages.
    assert dict(strategy.expanded(id_of("C"))) == {}


def test_start_pages_come_before_every_candidate() -> None:
    web = TinyWeb(
        page("one", "bank", ["x"]),
        page("two", "bank", ["y"]),
        page("x", "ball", ["one", "two"]),
        page("y", "bank"),
    )
    assert TinyCrawl(web, "one", "two").run(LinkRank(SPORTS)) == ["one", "two", "x", "y"]


def test_example_pages_are_clustered() -> None:
    football = [Document({"ball": 2, "goal": 1 + number}) for number in range(3)]
    chess = [Document({"king": 2, "pawn": 1 + number}) for number in range(3)]
    strategy = LinkRank(Topic("sport", relevant=football + chess), clusters=2, k=1)
    assert strategy.judge(page("a", "ball goal")).relevance == 1.0
    assert strategy.judge(page("b", "king pawn ball goal")).relevance == 0.5
    assert strategy.judge(page("c", "bank loan")).relevance == 0.0


def test_words_and_seeds_only_cluster_the_first_pages() -> None:
    sport, money = "sport ball goal team ", "bank loan money debt "
    web = TinyWeb(
        page("seed", sport * 3, ["a", "b", "c", "d"]),
        page("a", money * 2, ["g"]),
        page("b", sport * 3 + "goal goal", ["h"]),
        page("c", money * 3),
        page("d", "team ball ball", ["e", "f"]),
        page("e", "goal"),
        page("f", "loan"),
        page("g", "debt"),
        page("h", "debt money"),
    )
    strategy = LinkRank(Topic("sport"), first_pages=5)
    crawl = TinyCrawl(web, "seed")
    # By the words alone d is like a: 0. By the vocabulary of the first pages it is as good as b.
    assert crawl.run(strategy) == ["seed", "a", "b", "c", "d", "h", "e", "f", "g"]
    assert strategy.judge(page("x", "team goal")).relevance == 1.0
    assert strategy.judge(page("x", "bank debt")).relevance == 0.0
