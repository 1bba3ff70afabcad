from __future__ import annotations

import asyncio
import itertools
from typing import Any

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from lagotto.base.errors import InputError, SeedError
from lagotto.crawling.seeds import Answer, EngineFailure, Placing, SearchResult, Searxng, agree, ask, choose
from tests.crawling.seeds.searxng_server import SearxngServer, get, hits, serving


def engines(server: SearxngServer, *names: str) -> list[Searxng]:
    return [Searxng(server.url, get, engine=name) for name in names]


def said(*urls: str) -> Answer:
    return Answer([SearchResult(url, rank) for rank, url in enumerate(urls, start=1)])


async def test_three_engines_agree_on_priorities() -> None:
    async with serving(
        one=hits("http://all.org/", "http://two.org/", "http://one.org/"),
        two=hits("HTTP://TWO.org:80/#top", "http://all.org"),
        three=hits("http://only3.org/", "http://all.org/?"),
    ) as server:
        merged = await ask(engines(server, "one", "two", "three"), "solar power")
    assert [(seed.url, seed.priority) for seed in merged.seeds] == [
        ("http://all.org/", 1),
        ("http://two.org/", 2),
        ("http://only3.org/", 3),
        ("http://one.org/", 3),
    ]
    host = server.url.removeprefix("http://")
    assert merged.seeds[0].placings == [
        Placing(f"one at {host}", 1),
        Placing(f"two at {host}", 2),
        Placing(f"three at {host}", 2),
    ]
    assert [seed.url for seed in choose(merged, "all")] == ["http://all.org/"]
    assert merged.texts[0] == "Title of http://all.org/\nAbout solar power."


async def test_slow_broken_limited_and_hostile_engines_do_not_spoil_the_others() -> None:
    async def slow(request: web.Request) -> dict[str, Any]:
        await asyncio.sleep(30)
        return {"results": []}

    def hostile(request: web.Request) -> dict[str, Any]:
        rows: list[Any] = [{"url": f"javascript:alert({n})", "title": "<img onerror=x>"} for n in range(50)]
        rows += [{"url": ["http://a.org/"], "title": {}}, 7, None, {"url": "http://a.org/" + "x" * 5000}]
        return {"results": rows + hits("http://good.org/") * 5000, "unresponsive_engines": "nonsense"}

    async with serving(
        fine=hits("http://good.org/", "http://fine.org/"),
        slow=slow,
        broken=lambda _: web.Response(body=b"\x00\xff"),
        limited=lambda _: web.Response(status=429),
        hostile=hostile,
    ) as server:
        asked = engines(server, "fine", "slow", "broken", "limited", "hostile")
        merged = await ask(asked, "solar", timeout=3)
    assert [(seed.url, seed.priority) for seed in merged.seeds] == [
        ("http://good.org/", 1),
        ("http://fine.org/", 3),
    ]
    assert merged.left_out == 54
    assert [name.split()[0] for name in merged.answered] == ["fine", "hostile"]
    reasons = {failure.engine.split()[0]: failure for failure in merged.failed}
    assert reasons["slow"].why == "no answer within 3 s"
    assert "not JSON" in reasons["broken"].why
    assert reasons["limited"].rate_limited


async def test_an_engine_that_raises_anything_is_named_and_left_out() -> None:
    class Crashing:
        name = "crashing"

        async def search(self, query: str, limit: int) -> Answer:
            raise ZeroDivisionError("\x1b[31mboom")

    async with serving(fine=hits("http://a.org/")) as server:
        merged = await ask([Crashing(), *engines(server, "fine")], "x")
    assert merged.failed == [EngineFailure("crashing", "ZeroDivisionError: [31mboom")]
    assert [seed.url for seed in merged.seeds] == ["http://a.org/"]


async def test_all_engines_are_asked_at_the_same_time() -> None:
    everyone_came = asyncio.Barrier(3)

    async def waits_for_the_others(request: web.Request) -> dict[str, Any]:
        await everyone_came.wait()
        return {"results": hits("http://a.org/")}

    async with serving(a=waits_for_the_others, b=waits_for_the_others, c=waits_for_the_others) as server:
        merged = await ask(engines(server, "a", "b", "c"), "x", limit=1, timeout=10)
    assert merged.failed == []
    assert merged.seeds[0].priority == 1


@pytest.mark.parametrize(
    ("named_by", "asked", "priority"),
    [
        (3, 3, 1),
        (2, 3, 2),
        (1, 3, 3),
        (2, 2, 1),
        (1, 2, 3),
        (1, 1, 3),
        (5, 5, 1),
        (4, 5, 2),
        (2, 5, 2),
        (1, 5, 3),
    ],
)
def test_priority_by_how_many_agree(named_by: int, asked: int, priority: int) -> None:
    answers = {f"e{n}": said("http://a.org/") if n < named_by else said() for n in range(asked)}
    assert agree("x", answers).seeds[0].priority == priority


def test_within_a_priority_better_ranks_come_first_and_scores_follow() -> None:
    answers = {
        "a": said("http://1.org/", "http://2.org/", "http://3.org/"),
        "b": said("http://3.org/", "http://2.org/"),
    }
    seeds = agree("x", answers).seeds
    assert [seed.url for seed in seeds] == ["http://3.org/", "http://2.org/", "http://1.org/"]
    assert [seed.score for seed in seeds] == [3.5, 3 + 1 / 3, 1.25]


def test_the_crawl_takes_seeds_in_the_order_of_the_list() -> None:
    # `mean` has the better mean rank (2), `best` the best single rank (1, mean 3.5).
    answers = {
        "a": said("http://best.org/", "http://mean.org/", "http://x.org/"),
        "b": said(
            "http://y.org/", "http://mean.org/", *(f"http://{n}.org/" for n in range(3)), "http://best.org/"
        ),
    }
    seeds = agree("x", answers).seeds
    assert [seed.url for seed in seeds][:2] == ["http://mean.org/", "http://best.org/"]
    assert sorted(seeds, key=lambda seed: -seed.score) == seeds


def test_the_fuller_text_of_a_page_is_kept() -> None:
    a = Answer([SearchResult("http://a.org/", 1, "", "short")])
    b = Answer([SearchResult("http://a.org/", 1, "Title", "a longer snippet")])
    assert agree("x", {"a": a, "b": b}).texts == ["Title\na longer snippet"]


def test_choose_says_why_there_is_nothing_to_choose() -> None:
    limited = EngineFailure("bing", "too many requests", rate_limited=True)
    with pytest.raises(SeedError, match="bing: too many requests"):
        choose(agree("x", {}, [limited]))
    with pytest.raises(SeedError, match="found anything for 'x'"):
        choose(agree("x", {"a": said(), "b": said()}))
    with pytest.raises(SeedError, match="nothing to agree on"):
        choose(agree("x", {"a": said("http://a.org/")}, [limited]), "all")
    with pytest.raises(SeedError, match="no URL is common to all of a, b"):
        choose(agree("x", {"a": said("http://a.org/"), "b": said("http://b.org/")}), "all")


def test_a_single_engine_needs_no_other_to_agree_with() -> None:
    assert [seed.url for seed in choose(agree("x", {"a": said("http://a.org/")}), "all")] == ["http://a.org/"]


async def test_senseless_questions_are_refused() -> None:
    engine = Searxng("http://127.0.0.1:1", get)
    with pytest.raises(InputError, match="no engine"):
        await ask([], "x")
    with pytest.raises(InputError, match="twice"):
        await ask([engine, engine], "x")
    with pytest.raises(InputError, match="empty"):
        await ask([engine], "  ")


urls = st.lists(st.sampled_from([f"http://{letter}.org/" for letter in "abcdef"]), unique=True)


@given(st.lists(urls, min_size=1, max_size=4))
def test_merging_loses_nothing_and_orders_by_priority(lists: list[list[str]]) -> None:
    answers = {f"e{n}": said(*named) for n, named in enumerate(lists)}
    seeds = agree("x", answers).seeds
    assert {seed.url for seed in seeds} == set().union(*lists)
    assert [seed.priority for seed in seeds] == sorted(seed.priority for seed in seeds)
    assert sum(len(seed.placings) for seed in seeds) == sum(map(len, lists))
    for better, worse in itertools.pairwise(seeds):
        assert better.score > worse.score
