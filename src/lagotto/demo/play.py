"""The demo: crawl the same small web with and without a focus, and compare by labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from lagotto import config as configuration
from lagotto.api import Crawl
from lagotto.crawling.events import PageDone
from lagotto.demo.runs import Run
from lagotto.demo.web import DemoWeb
from lagotto.lab.serving.server import WebServer

TOPIC = "truffles"
PAGES = 400


async def play(
    directory: Path,
    web: DemoWeb,
    strategies: Sequence[str],
    *,
    topic: str = TOPIC,
    pages: int = PAGES,
    progress: Callable[[str, int], None] = lambda _name, _pages: None,
) -> tuple[list[Run], int]:
    """Crawl the demo web over real HTTP on loopback with each strategy in turn.

    Returns the runs and the number of relevant pages. Each crawl has its own directory.
    """
    relevant = len(web.labels(topic))
    words, seeds = web.topics()[topic]
    runs = []
    async with WebServer(web) as server:
        for strategy in strategies:
            config = configuration.from_values(
                {
                    "topic": words,
                    "seeds": list(seeds),
                    "strategy": strategy,
                    "proxy": server.proxy,
                    "delay": 0.0,
                    "max_pages": pages,
                }
            )
            urls: list[str] = []
            async with Crawl(config, directory / strategy) as crawl:
                async for event in crawl:
                    if isinstance(event, PageDone) and event.status == 200:
                        urls.append(event.url)
                        progress(strategy, len(urls))
            runs.append(Run(strategy, web.hits(topic, urls), crawl.statistics.relevant, estimate(crawl)))
    return runs, relevant


def estimate(crawl: Crawl) -> tuple[float, float, float] | None:
    """What a finished crawl says of its recall; None if it says nothing."""
    judging = crawl.judging
    return None if judging is None else (judging.recall, judging.recall_low, judging.recall_high)
