"""Pages and anchors are encoded in batches, off the event loop, before a strategy sees the page."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from typing import cast

import numpy as np

from lagotto.base.records import Failure, Fetched, Link, Page, Reason
from lagotto.crawling.encoding import EncodingParser
from lagotto.focus.judging.encoder import Encoder


class Parsed:
    """A parser that knows its pages already."""

    closed = False

    async def parse(self, fetched: Fetched) -> Page | Failure:
        if fetched.url.endswith("broken"):
            return Failure(Reason.PARSE_CRASH)
        return Page(url=fetched.url, title=fetched.url, links=[Link("http://b.example/", anchor="b")])

    async def close(self) -> None:
        self.closed = True


class Noted:
    """An encoder that notes its batches, the first of which lasts until it is let go."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.threads: set[int] = set()
        self.go = threading.Event()

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.batches.append(list(texts))
        self.threads.add(threading.get_ident())
        assert self.go.wait(60)
        return np.zeros((len(texts), 4), np.float32)


async def test_what_comes_in_meanwhile_is_the_next_batch() -> None:
    encoder, inner = Noted(), Parsed()
    parser = EncodingParser(inner, cast(Encoder, encoder))
    visits = [
        asyncio.create_task(parser.parse(Fetched(url=f"http://a.example/{n}", status=200))) for n in "123"
    ]
    while not encoder.batches:
        await asyncio.sleep(0)
    assert not any(visit.done() for visit in visits)
    encoder.go.set()
    pages = await asyncio.gather(*visits)
    assert all(isinstance(page, Page) for page in pages)
    assert sum(map(len, encoder.batches)) == 6
    assert len(encoder.batches) <= 2
    assert threading.get_ident() not in encoder.threads
    await parser.close()
    assert inner.closed


async def test_a_page_that_cannot_be_read_is_not_encoded() -> None:
    encoder = Noted()
    failed = await EncodingParser(Parsed(), cast(Encoder, encoder)).parse(Fetched(url="broken", status=200))
    assert isinstance(failed, Failure)
    assert not encoder.batches
