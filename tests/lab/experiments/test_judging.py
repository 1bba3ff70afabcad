from __future__ import annotations

from lagotto.focus.topic import Confusion
from lagotto.lab.experiments.draws import Draw
from lagotto.lab.experiments.one_run import Replayed
from lagotto.lab.experiments.verdicts import judge


def test_given_pages_are_left_out_and_the_rest_is_judged_up_to_the_budget() -> None:
    run = Replayed(
        urls=["http://a/seed", "http://a/1", "http://b/2", "http://b/example", "http://c/3", "http://d/4"],
        relevance=[0.9, 0.8, 0.7, 0.6, 0.2, 0.9],
        relevant=[True, True, True, True, False, True],
        frontier=9,
        cpu_seconds=0.6,
        why="the budget of 6 pages is used",
    )
    draw = Draw(seeds=("http://a/seed",), examples=("http://b/example",), counter_examples=("http://z/",))
    relevant = frozenset({"http://a/seed", "http://a/1", "http://b/example", "http://c/3", "http://d/4"})
    judged = judge(run, draw, relevant, budget=3)
    assert judged.hits.tolist() == [True, False, True]
    assert judged.confusion == Confusion(1, 1, 1, 0)
    assert judged.relevant == 3
    assert judged.hosts == 2
    assert judged.cpu_ms == 100.0
    assert judged.frontier == 9


def test_a_run_that_brought_nothing() -> None:
    judged = judge(Replayed(), Draw(seeds=("http://a/",)), frozenset({"http://b/"}), budget=5)
    assert judged.hits.tolist() == []
    assert judged.hosts == judged.cpu_ms == 0
