"""`hybrid`: keyword cosine, links of irrelevant pages too, a table that grows, three switches."""

from __future__ import annotations

import math

import msgspec
import pytest

from lagotto.base.records import DROPPED
from lagotto.focus.strategies.hybrid import FEW_LINKS, Hybrid
from lagotto.focus.strategies.simple import BreadthFirst
from lagotto.focus.topic import Document, Topic, WeightTable, load_background
from lagotto.lab.checks import lease_of
from tests.focus.strategies.tiny_crawl import TinyCrawl, TinyWeb, crawl, page

BIRDS = Topic(table=WeightTable({"bird": 1.0, "heron": 0.5}))


def test_links_of_irrelevant_pages_are_scored_too() -> None:
    web = TinyWeb(
        page("seed", "bird heron", {"off": "heron", "on": "bird"}),
        page("on", "heron", {"child": "river"}),
        page("off", "river stone", {"tunnel": "bird", "lost": "stone"}),  # irrelevant, yet it leads to a bird
        page("child", "river"),
        page("tunnel", "bird"),
        page("lost", "bird"),
    )
    assert crawl(Hybrid(BIRDS, expand=False), web, "seed") == ["seed", "on", "off", "tunnel", "child"]


def test_page_score_is_a_cosine_over_the_keywords_only() -> None:
    general = load_background("en")
    idf = {term: math.log10(general.documents / general.frequencies[term]) for term in ("bird", "heron")}
    strategy = Hybrid(BIRDS)
    plain, padded = (
        strategy.judge(page("a", "bird heron")),
        strategy.judge(page("b", "bird heron " + "river " * 50)),
    )
    expected = (idf["bird"] + 0.5 * idf["heron"]) / (math.hypot(1, 0.5) * math.hypot(*idf.values()))
    assert plain.relevance == padded.relevance == pytest.approx(expected)
    assert sum(share for part, share in plain.parts.items() if part != "cosine") == pytest.approx(expected)


def test_both_thresholds_are_inclusive() -> None:
    topic = Topic(table=WeightTable({"bird": 1.0}))
    found = page("a", "bird", ["b"])
    strategy = Hybrid(topic, page_threshold=1.0, link_threshold=1.0)
    judgement = strategy.judge(found)
    assert judgement.relevance == 1.0
    assert judgement.relevant
    assert strategy.score(found, judgement, lease_of(found)).values.tolist() == [1.0]
    above = Hybrid(topic, link_threshold=math.nextafter(1.0, 2.0))
    assert above.score(found, judgement, lease_of(found)).values.tolist() == [DROPPED]


def test_without_a_priority_queue_links_wait_in_the_order_they_came() -> None:
    web = TinyWeb(
        page("seed", "bird", {"first": "", "second": "bird"}),
        page("first", "bird", {"third": "bird"}),
        page("second", "bird"),
        page("third", "bird"),
    )
    assert crawl(Hybrid(BIRDS), web, "seed") == ["seed", "second", "first", "third"]
    assert crawl(Hybrid(BIRDS, priority_queue=False), web, "seed") == ["seed", "first", "second", "third"]


EARLIER = {"priority_queue": False, "content_seen": False, "expand": False}


@pytest.mark.parametrize("topic", [BIRDS, Topic("bird heron")])
def test_the_earlier_focused_crawler_has_a_focus(topic: Topic) -> None:
    web = TinyWeb(
        page("seed", "bird", {"dull": "", "good": "heron"}),
        page("dull", "river stone bank", {"lost": "", "tunnel": "bird"}),
        page("good", "heron bird", {"better": "bird"}),
        page("lost", "river"),
        page("tunnel", "bird"),
        page("better", "bird"),
    )
    fetched = crawl(Hybrid(topic, **EARLIER), web, "seed")  # type: ignore[arg-type]
    assert fetched == ["seed", "dull", "good", "tunnel", "better"]
    breadth_first = crawl(BreadthFirst(topic), web, "seed")
    assert breadth_first == ["seed", "dull", "good", "lost", "tunnel", "better"]


def test_without_the_queue_links_of_a_rich_seed_must_reach_the_threshold_too() -> None:
    topic = Topic("bird heron")
    good = {f"good{n}": "bird heron" for n in range(FEW_LINKS)}
    pages = [page(name, "bird") for name in good]
    seed = page("seed", "river bank", {"dull": "", **good})
    web = TinyWeb(seed, page("dull", "river"), *pages)
    assert crawl(Hybrid(topic, **EARLIER), web, "seed") == ["seed", *good]  # type: ignore[arg-type]
    poor = page("seed", "river bank", {"dull": "", **dict(list(good.items())[1:])})
    web = TinyWeb(poor, page("dull", "river"), *pages)
    found = crawl(Hybrid(topic, **EARLIER), web, "seed")  # type: ignore[arg-type]
    assert found == ["seed", "dull", *list(good)[1:]]


def test_meta_keywords_count_as_text() -> None:
    strategy = Hybrid(BIRDS)
    bare, named = page("a", "river"), page("a", "river")
    named.keyword_terms = ["bird", "heron"]
    assert strategy.judge(bare).relevance == 0.0
    assert strategy.judge(named).relevance == strategy.judge(page("b", "river bird heron")).relevance
    assert named.terms == {"river": 1}


def test_context_adds_related_words_at_a_lower_weight() -> None:
    plain, wide = Hybrid(BIRDS), Hybrid(BIRDS, context=True)
    assert "owl" not in plain.table
    assert 0 < wide.table["owl"] < wide.table["heron"] == 0.5
    assert wide.judge(page("a", "owl owl eagle")).relevance > plain.judge(page("a", "owl eagle")).relevance


def test_without_queue_optimisation_links_of_known_content_are_followed() -> None:
    copy = msgspec.structs.replace(page("copy", "bird", ["new"]), fingerprint=page("seed", "").fingerprint)
    web = TinyWeb(page("seed", "bird", ["copy"]), copy, page("new", "bird"))
    assert crawl(Hybrid(BIRDS), web, "seed") == ["seed", "copy"]
    assert crawl(Hybrid(BIRDS, content_seen=False), web, "seed") == ["seed", "copy", "new"]


def test_the_table_grows_with_keywords_of_relevant_pages() -> None:
    relevant = [Document({"bird": 3, "heron": 1}), Document({"bird": 2, "nest": 1})]
    web = TinyWeb(
        page("seed", "bird kingfisher kingfisher", ["a"]),
        page("a", "bird kingfisher", ["b"]),
        page("b", "mortgage mortgage"),
    )
    grown, fixed = (Hybrid(Topic("x", relevant=relevant), expand_every=2, expand=on) for on in (True, False))
    before = dict(grown.table)
    TinyCrawl(web, "seed").run(grown)
    TinyCrawl(web, "seed").run(fixed)
    assert dict(fixed.table) == before
    assert set(grown.table) == {*before, "kingfish"}, "b is not relevant and teaches nothing"
    assert grown.table.version == 2
    assert max(grown.table.values()) == 1.0
    assert (
        grown.judge(page("c", "kingfisher")).relevance > 0.0 == fixed.judge(page("c", "kingfisher")).relevance
    )


def test_the_paper_s_literal_idf_is_an_option() -> None:
    relevant = [Document({"bird": 3, "heron": 1}), Document({"bird": 2, "nest": 1})]
    assert "bird" in Hybrid(Topic("x", relevant=relevant)).table
    # On every topic page: idf 0, though it is the very word wanted.
    assert "bird" not in Hybrid(Topic("x", relevant=relevant), idf="topic").table


def test_words_and_seeds_only_make_the_table_of_the_first_pages() -> None:
    web = TinyWeb(
        page("seed", "heron heron bird wading", {"a": "bird", "b": "bird", "c": "bird"}),
        page("a", "heron heron bird beak"),
        page("b", "bird mortgage mortgage loan loan"),
        page("c", "mortgage loan bird loan loan"),
    )
    strategy = Hybrid(Topic("bird"), first_pages=4)
    TinyCrawl(web, "seed").run(strategy)
    assert strategy.table["bird"] == 1.0
    assert strategy.table["heron"] == 0.5
    assert not {"mortgag", "loan"} & set(strategy.table)


def test_nothing_is_dropped_before_there_is_a_table() -> None:
    web = TinyWeb(page("seed", "river", ["a"]), page("a", "river", ["b"]), page("b", "bird"))
    assert crawl(Hybrid(Topic("bird")), web, "seed") == ["seed", "a", "b"]


def test_pages_without_words_leave_the_words_in_force() -> None:
    web = TinyWeb(page("seed", "", ["a"]), page("a", "", ["b"]), page("b", "bird"))
    strategy = Hybrid(Topic("bird"), first_pages=2)
    assert crawl(strategy, web, "seed")[:2] == ["seed", "a"]
    assert set(strategy.table) == {"bird"}


def test_a_word_that_no_page_has_had_yet_still_counts() -> None:
    strategy = Hybrid(Topic(table=WeightTable({"zyxwvu": 1.0})))
    assert strategy.judge(page("a", "zyxwvu")).relevance == 1.0
