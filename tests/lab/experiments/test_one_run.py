from __future__ import annotations

import gc

import pytest

from lagotto.focus.registry import build_strategy, names
from lagotto.focus.topic import Topic
from lagotto.lab.experiments.bounds import Indegree, Oracle, Random
from lagotto.lab.experiments.one_run import replay
from lagotto.lab.experiments.replay import read_page
from lagotto.lab.webs.analysis import OnDemand
from lagotto.lab.webs.web import FrozenWeb
from tests.lab.small import SIZE, Small, url_of

SEED = url_of(1)


@pytest.fixture(scope="module")
def analysis(small: Small) -> OnDemand:
    return OnDemand(FrozenWeb.open(small.web))


def breadth_first(analysis: OnDemand, seed: str) -> list[str]:
    """What breadth first means, written down as plainly as can be."""
    known, order = {seed}, [seed]
    for url in order:
        for link in read_page(analysis, url).links:
            if link.url not in known:
                known.add(link.url)
                order.append(link.url)
    return order


def test_bfs_goes_breadth_first_through_all_that_can_be_reached(analysis: OnDemand) -> None:
    run = replay(build_strategy("bfs", Topic("chess"), {}), analysis, [SEED], 10 * SIZE)
    assert run.urls == breadth_first(analysis, SEED)
    assert run.frontier == 0
    assert run.why == "the frontier is empty"


@pytest.mark.parametrize("name", names())
def test_every_strategy_crawls_the_same_way_twice(analysis: OnDemand, name: str) -> None:
    def crawl() -> tuple[list[str], list[bool], int]:
        strategy = build_strategy(name, Topic("chess king queen"), {})
        run = replay(strategy, analysis, [SEED, url_of(4)], 40)
        return run.urls, run.relevant, run.frontier

    first = crawl()
    assert first == crawl()
    assert len(set(first[0])) == len(first[0])
    assert first[0][0] == SEED
    assert 2 < len(first[0]) <= 40


def test_the_oracle_takes_relevant_pages_as_long_as_it_knows_some(analysis: OnDemand, small: Small) -> None:
    relevant = small.relevant["chess"]
    run = replay(Oracle(relevant), analysis, [SEED], 30)
    hits = sum(url in relevant for url in run.urls)
    others = [
        sum(url in relevant for url in replay(strategy, analysis, [SEED], 30).urls)
        for strategy in (Random(1), Indegree(), build_strategy("bfs", Topic("chess"), {}))
    ]
    assert hits > 27
    assert hits > 2 * max(others)
    assert run.relevant == [url in relevant for url in run.urls]


def test_random_depends_on_its_seed_alone(analysis: OnDemand) -> None:
    assert replay(Random(1), analysis, [SEED], 30).urls == replay(Random(1), analysis, [SEED], 30).urls
    assert replay(Random(1), analysis, [SEED], 30).urls != replay(Random(2), analysis, [SEED], 30).urls


def test_indegree_takes_the_link_that_most_fetched_pages_have(analysis: OnDemand) -> None:
    run = replay(Indegree(), analysis, [SEED], 20)
    counts: dict[str, int] = {}
    for place, url in enumerate(run.urls):
        if place:
            best = max(count for link, count in counts.items() if link not in run.urls[:place])
            assert counts[url] == best
        for link in read_page(analysis, url).links:
            counts[link.url] = counts.get(link.url, 0) + 1


def test_the_collector_is_back_afterwards(analysis: OnDemand) -> None:
    assert gc.isenabled()
    replay(Random(), analysis, [SEED], 3)
    assert gc.isenabled()


def test_a_seed_that_is_not_there_brings_nothing(analysis: OnDemand) -> None:
    run = replay(Random(), analysis, ["http://gone.example/"], 3)
    assert run.urls == []
