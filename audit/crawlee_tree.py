"""Crawlee's ParselCrawler with its usual settings, for `audit.peers`.

Run by the environment of the benchmarks' peers: python crawlee_tree.py SEED DELAY CONNECTIONS JOBS PAGES
Crawlee has no delay between two requests; the nearest setting is a number of requests a minute.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from math import inf
from pathlib import Path
from typing import Any

from crawlee import ConcurrencySettings
from crawlee.configuration import Configuration
from crawlee.crawlers import ParselCrawler


async def crawl(seed: str, delay: float, connections: int, pages: Path) -> None:
    """Follow every link, and append the URL of each page to a file."""
    crawler = ParselCrawler(
        configuration=Configuration(purge_on_start=False),
        concurrency_settings=ConcurrencySettings(
            desired_concurrency=connections,
            max_concurrency=connections,
            max_tasks_per_minute=60 / delay if delay else inf,
        ),
        configure_logging=False,
    )

    async def keep(context: Any) -> None:
        with pages.open("a") as file:
            file.write(f"{context.request.url}\n")
        await context.enqueue_links(strategy="all")

    crawler.router.default_handler(keep)
    await crawler.run([seed])


if __name__ == "__main__":
    seed, delay, connections, jobs, pages = sys.argv[1:]
    logging.disable(logging.CRITICAL)
    os.environ["CRAWLEE_STORAGE_DIR"] = jobs
    asyncio.run(crawl(seed, float(delay), int(connections), Path(pages)))
