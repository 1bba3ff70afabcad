"""Short shared crawls with random joins, delays and latencies: each must end with all it could fetch."""

from __future__ import annotations

import asyncio
import random
from uuid import uuid4

from msgspec import Struct

from lagotto.crawling.config import from_values
from lagotto.crawling.session import Crawl
from lagotto.crawling.worker.worker import EMPTY
from lagotto.store import storage_at, with_crawl
from tests.site import Site, tree_site, tree_url


class ShortCrawl(Struct, frozen=True):
    """What is drawn for one crawl."""

    pages: int
    hosts: int
    latency: float
    delay: float
    budget: int
    """Pages to fetch at most; 0: all."""
    joins: tuple[int, ...]
    """After how many requests each further worker joins; 0: at once."""
    leaves: int
    """After how many requests the first worker leaves; 0: never."""
    strategy: str


def drawn(seed: int) -> ShortCrawl:
    """The crawl with this number."""
    draw = random.Random(seed)
    latency = draw.choice((0.0, 0.02, 0.4, 1.5))
    pages = draw.randrange(4, 9) if latency > 0.1 else draw.randrange(8, 40)
    return ShortCrawl(
        pages=pages,
        hosts=draw.choice((1, 1, 2, 6)),
        latency=latency,
        delay=draw.choice((0.0, 0.05, 0.2, 1.0)),
        budget=draw.choice((0, 0, pages // 2)),
        joins=tuple(draw.choice((0, 0, 1, 3, pages // 2)) for _ in range(draw.randrange(1, 4))),
        leaves=draw.choice((0, 0, 2)),
        strategy=draw.choice(("bfs", "bfs", "priority")),
    )


async def run_short(database: str, short: ShortCrawl) -> str:
    """Crawl; returns what is wrong with the end, or nothing."""
    location = with_crawl(database, f"short-{uuid4().hex[:8]}")
    addresses = [f"127.0.12.{number + 1}" for number in range(short.hosts)]
    async with Site({}, addresses=addresses, latency=short.latency) as site:
        site.pages.update(tree_site(short.pages, site.hosts))
        config = from_values(
            {
                "topic": "heron",
                "seeds": [tree_url(0, site.hosts)],
                "allow_private": ["127.0.0.0/8"],
                "delay": short.delay,
                "strategy": short.strategy,
                "max_pages": short.budget,
                "keep_warc": False,
                "judge_again": False,
                "parsers": 1,
            }
        )
        served: dict[int, asyncio.Event] = {
            number: asyncio.Event() for number in (*short.joins, short.leaves)
        }

        def note(_: object) -> None:
            for number, reached in served.items():
                if len(site.log) >= number:
                    reached.set()

        site.on_request = note
        first = Crawl(config, location)
        ended: list[str] = []

        async def work(crawl: Crawl) -> None:
            async with crawl:
                ended.append(await crawl.run())

        async def join(number: int) -> None:
            if number:
                await served[number].wait()
            await work(Crawl.resume(location))

        async def leave() -> None:
            await served[short.leaves].wait()
            first.stop("left")

        await first.__aenter__()
        others = [asyncio.create_task(join(number)) for number in short.joins]
        leaving = asyncio.create_task(leave()) if short.leaves else None
        try:
            async with asyncio.timeout(120.0):
                ended.append(await first.run())
                await first.__aexit__(None, None, None)
                for reached in served.values():
                    reached.set()  # Whoever has not joined yet does so now.
                await asyncio.gather(*others)
        finally:
            for task in (*others, *([leaving] if leaving else [])):
                task.cancel()
        with storage_at(location).reader() as reader:
            pages, queued = reader.status().pages, reader.status().queued
        storage_at(location).discard()
    whole = short.budget or short.pages
    if pages < min(whole, short.pages):
        return f"ended with {pages} of {whole} pages and {queued} links queued: {ended}"
    if not short.budget and EMPTY not in ended:
        return f"ended without the frontier being empty: {ended}"
    return ""
