"""One follower for many listeners, slow ones among them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, cast

import pytest

from lagotto.base.errors import DamagedStore
from lagotto.base.events import EventRecord, PageDone
from lagotto.base.protocols import Reader
from lagotto.serve.web import events
from lagotto.serve.web.events import Follower


class Crawl:
    """A crawl of events alone, which counts how often it is read."""

    def __init__(self, last: int) -> None:
        self.last = last
        self.reads = 0
        self.broken = False

    def last_event(self) -> int:
        return self.last

    def events(self, after: int, limit: int) -> list[EventRecord]:
        self.reads += 1
        return [
            PageDone(f"http://a.example/{n}", n=n)
            for n in range(after + 1, min(self.last, after + limit) + 1)
        ]

    async def read(self, ask: Callable[[Reader], Any]) -> Any:
        if self.broken:
            raise DamagedStore("the crawl is damaged; restore it from a copy")
        return ask(cast(Reader, self))


async def numbers(follower: Follower, after: int | None, n: int) -> list[int]:
    """Numbers of the next n events."""
    found: list[int] = []
    listening = follower.listen(after)
    async for message in listening:
        found += [int(line[4:]) for line in message.decode().splitlines() if line.startswith("id: ")]
        if len(found) >= n:
            break
    await cast(Any, listening).aclose()
    return found


async def test_many_listeners_cost_one_reading() -> None:
    crawl = Crawl(0)
    follower = Follower(crawl.read, look_every=0.01)
    listeners = [asyncio.create_task(numbers(follower, None, 300)) for _ in range(50)]
    while follower.listeners < 50:
        await asyncio.sleep(0.001)
    await asyncio.sleep(0.05)
    before, crawl.last = crawl.reads, 300
    assert await asyncio.gather(*listeners) == [list(range(1, 301))] * 50
    assert crawl.reads - before < 50, "the follower alone reads, not each listener"
    assert follower.listeners == 0


async def test_a_listener_that_is_behind_reads_from_the_crawl(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "KEPT", 10)
    crawl = Crawl(5000)
    follower = Follower(crawl.read, look_every=0.001)
    ahead = asyncio.create_task(numbers(follower, 5000, 100))
    assert await numbers(follower, 0, 5000) == list(range(1, 5001))
    crawl.last = 5100
    assert await ahead == list(range(5001, 5101))
    assert await numbers(follower, 5090, 10) == list(range(5091, 5101))


async def test_following_ends_with_the_last_listener() -> None:
    crawl = Crawl(3)
    follower = Follower(crawl.read, look_every=0.001)
    assert await numbers(follower, 0, 3) == [1, 2, 3]
    before = crawl.reads
    await asyncio.sleep(0.05)
    assert crawl.reads == before


async def test_a_crawl_that_cannot_be_read_ends_the_stream() -> None:
    crawl = Crawl(3)
    crawl.broken = True
    follower = Follower(crawl.read, look_every=0.001)
    messages = [message async for message in follower.listen(0)]
    assert (
        messages[-1] == b'event: problem\ndata: {"detail":"the crawl is damaged; restore it from a copy"}\n\n'
    )


async def test_a_still_crawl_sends_comments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "STILL", 0.01)
    listening = Follower(Crawl(0).read).listen(0)
    assert [await anext(listening), await anext(listening)] == [b": following\n\n", b": still here\n\n"]
    await cast(Any, listening).aclose()
