from __future__ import annotations

import time

import pytest
from stages import CRAWL_DOORS, PARSE_DOORS, STRATEGY_DOORS, Door, Stages

from lagotto.focus.strategies.base import Strategy


@pytest.mark.parametrize("door", [*CRAWL_DOORS, *PARSE_DOORS], ids=lambda door: door.name)
def test_every_door_is_a_function_of_the_crawler(door: Door) -> None:
    assert callable(getattr(door.owner, door.name))


def test_every_strategy_has_the_doors() -> None:
    assert all(callable(getattr(Strategy, name)) for name, _ in STRATEGY_DOORS)


class Work:
    """Something with an inner and an outer stage."""

    def outer(self) -> str:
        spin(0.02)
        return self.inner()

    def inner(self) -> str:
        spin(0.04)
        return "done"


def spin(seconds: float) -> None:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def test_time_inside_an_inner_stage_counts_there_alone() -> None:
    stages = Stages([Door(Work, "outer", "outer"), Door(Work, "inner", "inner")])
    before = time.thread_time()
    assert Work().outer() == "done"
    spent = time.thread_time() - before
    assert stages.seconds["outer"] >= 0.02
    assert stages.seconds["inner"] >= 0.04
    assert sum(stages.seconds.values()) <= spent
