"""Lagotto as a contender: the whole path, from lease to commit."""

from __future__ import annotations

import tempfile

import uvloop
from contest import Count, Order
from stages import Stages, crawl_stages

from lagotto.crawling.config import from_values
from lagotto.crawling.session import Crawl
from lagotto.crawling.worker.events import PageDone
from lagotto.focus.registry import strategy_class


async def crawl(order: Order, stages: Stages | None) -> Count:
    """Crawl as ordered."""
    config = from_values(
        {
            "topic": order.words,
            "seeds": order.seeds,
            "strategy": order.settings["strategy"],
            "proxy": order.proxy,
            "max_pages": order.pages + 100,
            "delay": 0.0,
            "obey_robots": False,
            "concurrency": 32,
            "connections_per_host": 16,
        }
    )
    count = Count(order)
    with tempfile.TemporaryDirectory(prefix="lagotto-bench-") as folder:
        async with Crawl(config, order.settings.get("directory") or f"{folder}/crawl") as running:
            async for event in running:
                if not isinstance(event, PageDone):
                    continue
                before = count.warm
                if count.answer(event.status):
                    break
                if stages is not None and count.warm != before:
                    stages.reset()
        count.finish()
    if stages is not None and count.result is not None:
        count.result.stages = stages.seconds
    return count


def main() -> None:
    """Crawl and tell."""
    order = Order.given()
    timed = order.settings.get("stages") == "yes"
    stages = crawl_stages(strategy_class(order.settings["strategy"])) if timed else None
    uvloop.run(crawl(order, stages)).tell()


if __name__ == "__main__":
    main()
