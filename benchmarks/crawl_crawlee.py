"""Crawlee as a contender: its HTTP crawlers, which follow every link and keep nothing."""

from __future__ import annotations

import asyncio
import logging
import os
import tempfile
from datetime import timedelta
from typing import Any

from contest import Count, Order
from crawlee import ConcurrencySettings
from crawlee.configuration import Configuration
from crawlee.crawlers import BeautifulSoupCrawler, ParselCrawler
from crawlee.proxy_configuration import ProxyConfiguration
from crawlee.storage_clients import MemoryStorageClient

CRAWLERS: dict[str, Any] = {"beautifulsoup": BeautifulSoupCrawler, "parsel": ParselCrawler}


async def crawl(order: Order) -> Count:
    """Crawl as ordered."""
    count = Count(order)
    crawler = CRAWLERS[order.settings["parser"]](
        configuration=Configuration(purge_on_start=False),
        storage_client=MemoryStorageClient(),
        proxy_configuration=ProxyConfiguration(proxy_urls=[order.proxy]),
        concurrency_settings=ConcurrencySettings(
            min_concurrency=32, desired_concurrency=32, max_concurrency=32
        ),
        max_request_retries=0,
        retry_on_blocked=False,
        use_session_pool=False,
        respect_robots_txt_file=False,
        ignore_http_error_status_codes=[404],
        request_handler_timeout=timedelta(minutes=5),
        configure_logging=False,
    )

    async def follow(context: Any) -> None:
        if count.answer(context.http_response.status_code):
            crawler.stop()
        else:
            await context.enqueue_links(strategy="all", include=None)

    crawler.router.default_handler(follow)
    await crawler.run(order.seeds)
    return count


def main() -> None:
    """Crawl and tell."""
    logging.disable(logging.CRITICAL)
    order = Order.given()
    with tempfile.TemporaryDirectory(prefix="lagotto-bench-") as folder:
        os.environ["CRAWLEE_STORAGE_DIR"] = folder
        asyncio.run(crawl(order)).tell()


if __name__ == "__main__":
    main()
