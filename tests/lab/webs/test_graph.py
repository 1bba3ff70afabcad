from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lagotto.lab.webs.analysis import analysis_of
from lagotto.lab.webs.graph import UNREACHED, Graph, graph_of
from lagotto.lab.webs.web import FrozenWeb
from tests.lab.small import SIZE, Small, url_of

some_links = st.lists(st.lists(st.integers(0, 11), max_size=4), min_size=12, max_size=12)


def graph_from(links: list[list[int]]) -> Graph:
    starts = np.cumsum([0, *map(len, links)])
    return Graph(starts, np.array([target for targets in links for target in targets], np.int32))


def plain_hops(links: list[list[int]], start: int) -> list[int]:
    hops = [UNREACHED] * len(links)
    hops[start] = 0
    waiting = [start]
    for place in waiting:
        for target in links[place]:
            if hops[target] == UNREACHED:
                hops[target] = hops[place] + 1
                waiting.append(target)
    return hops


@given(some_links, st.integers(0, 11))
def test_hops_are_those_of_a_plain_search(links: list[list[int]], start: int) -> None:
    graph = graph_from(links)
    expected = plain_hops(links, start)
    assert graph.hops_from([start]).tolist() == expected
    assert graph.reach([start]) == sum(hops != UNREACHED for hops in expected)
    near = [hops if hops <= 2 else UNREACHED for hops in expected]
    assert graph.hops_from([start], 2).tolist() == near


@given(some_links)
def test_reversed_twice_is_the_same_set_of_links(links: list[list[int]]) -> None:
    graph = graph_from(links)
    back = graph.reversed()
    assert {(source, int(target)) for source in range(12) for target in back.links_of(source)} == {
        (target, source) for source, targets in enumerate(links) for target in targets
    }
    again = back.reversed()
    assert [sorted(again.links_of(place).tolist()) for place in range(12)] == [sorted(row) for row in links]


def test_graph_of_a_web_is_kept_beside_its_analysis(small: Small) -> None:
    with FrozenWeb.open(small.web) as web:
        analysis = analysis_of(web, jobs=1)
    graph = graph_of(analysis)
    assert len(graph) == SIZE
    urls = list(analysis.urls())
    first = urls.index(url_of(5))
    assert urls.index(url_of(6)) in graph.links_of(first)
    assert urls.index(url_of(0)) in graph.links_of(first), "the redirect from /old leads to page 0"
    again = graph_of(analysis)
    assert np.array_equal(again.targets, graph.targets)
    assert np.array_equal(again.starts, graph.starts)
