"""Large bodies share a budget of bytes."""

from __future__ import annotations

import asyncio

import pytest

from lagotto.fetch.large_bodies import LargeBodies


async def test_never_more_than_the_budget_and_each_in_turn() -> None:
    bodies, under_way, most, order = LargeBodies(100), 0, 0, list[int]()

    async def read(number: int, size: int) -> None:
        nonlocal under_way, most
        async with bodies.room(size):
            order.append(number)
            under_way += min(size, 100)
            most = max(most, under_way)
            await asyncio.sleep(0)
            under_way -= min(size, 100)

    sizes = [60, 60, 10, 500, 1, 40, 100, 30]
    await asyncio.gather(*(read(number, size) for number, size in enumerate(sizes)))
    assert most <= 100
    assert order == list(range(len(sizes)))
    assert bodies.free == 100


@pytest.mark.parametrize("served", [False, True])
async def test_who_gives_up_waiting_leaves_the_budget_whole(served: bool) -> None:
    bodies = LargeBodies(100)

    async def read(size: int) -> None:
        async with bodies.room(size):
            pass

    async with bodies.room(100):
        first, second = asyncio.create_task(read(100)), asyncio.create_task(read(50))
        await asyncio.sleep(0)
        if not served:
            first.cancel()
            await asyncio.sleep(0)
    if served:
        first.cancel()
    await asyncio.gather(first, second, return_exceptions=True)
    assert bodies.free == 100
    assert not second.cancelled()
