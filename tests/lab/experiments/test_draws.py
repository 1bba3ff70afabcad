from __future__ import annotations

import numpy as np
import pytest

from lagotto.base.errors import InputError
from lagotto.lab.experiments.draws import Drawing, Seeding
from lagotto.lab.experiments.truth import LabTopic
from lagotto.lab.webs.analysis import analysis_of
from lagotto.lab.webs.graph import Graph, graph_of
from lagotto.lab.webs.web import FrozenWeb
from tests.lab.small import SIZE, Small, url_of

CHESS = LabTopic("chess king queen", ["https://two.example/page/1"])


@pytest.fixture(scope="module")
def web(small: Small) -> FrozenWeb:
    return FrozenWeb.open(small.web)


@pytest.fixture(scope="module")
def graph(web: FrozenWeb) -> Graph:
    return graph_of(analysis_of(web, jobs=1))


@pytest.fixture(scope="module")
def drawing(web: FrozenWeb, graph: Graph) -> Drawing:
    return Drawing(web, graph, reach=40)


def test_the_first_draw_starts_as_given_and_further_ones_from_relevant_pages(
    drawing: Drawing, small: Small
) -> None:
    relevant = small.relevant["chess"]
    assert drawing.draw("chess", CHESS, relevant, 0).seeds == (url_of(1),)
    further = [drawing.draw("chess", CHESS, relevant, number).seeds for number in range(1, 6)]
    assert all(set(seeds) <= relevant and len(seeds) == 1 for seeds in further)
    assert len(set(further)) > 1


def test_a_draw_is_the_same_every_time_and_another_with_another_random_seed(
    drawing: Drawing, web: FrozenWeb, graph: Graph, small: Small
) -> None:
    wanted = ("chess", CHESS, small.relevant["chess"], 1, Seeding.DRAWN, 5)
    assert drawing.draw(*wanted) == drawing.draw(*wanted)
    others = [Drawing(web, graph, reach=40, random_seed=seed).draw(*wanted) for seed in range(1, 4)]
    assert all(other.examples != drawing.draw(*wanted).examples for other in others)


def test_examples_are_on_topic_counter_examples_off_it_and_neither_is_a_seed(
    drawing: Drawing, small: Small
) -> None:
    relevant = small.relevant["truffles"]
    for number in range(4):
        draw = drawing.draw("truffles", LabTopic("truffle"), relevant, number, Seeding.DRAWN, 7)
        assert len(draw.seeds) == 2
        assert len(set(draw.examples)) == len(set(draw.counter_examples)) == 7
        assert set(draw.examples) <= relevant - set(draw.seeds)
        assert not set(draw.counter_examples) & relevant
        assert draw.given == {*draw.seeds, *draw.examples, *draw.counter_examples}


def test_two_hops_away_is_neither_nearer_nor_farther(web: FrozenWeb) -> None:
    # A chain of pages: each links to the next, and the last one alone is relevant.
    chain = Graph(np.arange(SIZE + 1).clip(max=SIZE - 1), np.arange(1, SIZE, dtype=np.int32))
    urls = web.urls()
    draw = Drawing(web, chain, reach=3).draw(
        "x", LabTopic("x"), frozenset([urls[SIZE - 1]]), 0, Seeding.TWO_HOPS
    )
    assert draw.seeds == (urls[SIZE - 3],)


def test_seeds_that_lead_nowhere_are_not_drawn(web: FrozenWeb, small: Small) -> None:
    nothing = Graph(np.zeros(SIZE + 1, np.int64), np.zeros(0, np.int32))
    with pytest.raises(InputError, match="no seeds could be drawn for the topic 'chess'"):
        Drawing(web, nothing, reach=40).draw("chess", CHESS, small.relevant["chess"], 1)


def test_a_seed_that_is_no_page_of_the_web_is_told(drawing: Drawing, small: Small) -> None:
    lost = LabTopic("chess", ["http://gone.example/"])
    with pytest.raises(InputError, match="of the topic 'chess' is not a page"):
        drawing.draw("chess", lost, small.relevant["chess"], 0)


def test_too_many_examples_would_leave_nothing_to_find(drawing: Drawing, small: Small) -> None:
    with pytest.raises(InputError, match="ask for at most 19 with --examples"):
        drawing.draw("chess", CHESS, small.relevant["chess"], 0, examples=30)
