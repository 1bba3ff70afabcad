"""Answers that are kept for a while."""

from __future__ import annotations

import asyncio

import pytest

from lagotto.serve.web.open_crawls import LEAST, MOST, SHARE, Remembered


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Maker:
    """Makes numbers, each of which takes some time."""

    def __init__(self, clock: Clock, takes: float) -> None:
        self.clock, self.takes, self.made = clock, takes, 0

    async def __call__(self) -> int:
        await asyncio.sleep(0)
        self.clock.now += self.takes
        self.made += 1
        return self.made


@pytest.mark.parametrize(("takes", "kept"), [(0.001, LEAST), (2.0, 2.0 * SHARE)])
async def test_an_answer_is_kept_longer_if_it_took_longer(takes: float, kept: float) -> None:
    clock = Clock()
    remembered, make = Remembered(clock), Maker(clock, takes)
    assert await remembered.get("a", make) == 1
    clock.now += 0.99 * kept
    assert await remembered.get("a", make) == 1
    clock.now += 0.02 * kept
    assert await remembered.get("a", make) == 2
    remembered.forget()
    assert await remembered.get("a", make) == 3


async def test_several_askers_wait_for_one_making() -> None:
    clock = Clock()
    remembered, make = Remembered(clock), Maker(clock, 0.0)
    assert await asyncio.gather(*(remembered.get("a", make) for _ in range(10))) == [1] * 10


async def test_an_asker_that_leaves_takes_nothing_away() -> None:
    clock = Clock()
    remembered, make = Remembered(clock), Maker(clock, 0.0)
    leaving = asyncio.create_task(remembered.get("a", make))
    staying = asyncio.create_task(remembered.get("a", make))
    await asyncio.sleep(0)
    leaving.cancel()
    assert await staying == 1


async def test_a_failure_is_not_kept() -> None:
    remembered = Remembered()

    async def fail() -> int:
        raise ValueError("no")

    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            await remembered.get("a", fail)


async def test_old_answers_make_room() -> None:
    clock = Clock()
    remembered, make = Remembered(clock), Maker(clock, 0.0)
    for key in range(MOST + 1):
        await remembered.get(key, make)
    assert await remembered.get(MOST, make) == MOST + 1
    assert await remembered.get(0, make) == MOST + 2
