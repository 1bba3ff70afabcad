"""When a worker is added."""

from __future__ import annotations

import pytest

from lagotto.crawling.cluster.workers import LOOKS, Demand, Load

BUSY = Load(hosts=50, in_flight=16, concurrency=16, cpu=0.3)
HOT = Load(hosts=50, in_flight=3, concurrency=16, cpu=0.9)
CALM = Load(hosts=50, in_flight=3, concurrency=16, cpu=0.3)
ONE_HOST = Load(hosts=1, in_flight=16, concurrency=16, cpu=0.9)


def looks(
    demand: Demand, loads: list[Load], workers: int, free: float = 4.0, times: int = LOOKS
) -> list[bool]:
    return [demand.one_more(loads, workers, free) for _ in range(times)]


@pytest.mark.parametrize("load", [BUSY, HOT])
def test_a_worker_is_added_once_all_have_been_at_their_limit_for_some_looks(load: Load) -> None:
    demand = Demand(most=4)
    assert looks(demand, [load], 1) == [*[False] * (LOOKS - 1), True]
    assert looks(demand, [load, load], 2, times=LOOKS - 1) == [False] * (LOOKS - 1)


@pytest.mark.parametrize("loads", [[CALM], [BUSY, CALM], [ONE_HOST], []])
def test_none_is_added_while_one_has_time_or_there_is_one_host(loads: list[Load]) -> None:
    assert not any(looks(Demand(most=4), loads, max(1, len(loads)), times=10))


def test_none_is_added_beyond_the_most_or_without_a_free_core() -> None:
    assert not any(looks(Demand(most=1), [BUSY], 1, times=10))
    assert not any(looks(Demand(most=4), [BUSY], 1, free=0.0, times=10))


def test_a_worker_that_does_not_answer_is_waited_for() -> None:
    assert not any(looks(Demand(most=4), [BUSY], 2, times=10))


def test_a_calm_look_starts_the_count_anew() -> None:
    demand = Demand(most=4)
    looks(demand, [BUSY], 1, times=LOOKS - 1)
    demand.one_more([CALM], 1, 4.0)
    assert not demand.one_more([BUSY], 1, 4.0)
