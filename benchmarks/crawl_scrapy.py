"""Scrapy as a contender: breadth first, every link of every page, nothing stored."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import scrapy
from contest import Count, Order
from scrapy.crawler import CrawlerProcess
from scrapy.exceptions import CloseSpider
from scrapy.http import Response, TextResponse
from scrapy.linkextractors import LinkExtractor

LOOPBACK_ONLY = {"DOWNLOAD_HANDLERS": dict.fromkeys(("data", "file", "ftp", "https", "s3"))}
"""Only HTTP, through the proxy."""

DEFAULTS: dict[str, Any] = {
    **LOOPBACK_ONLY,
    "ROBOTSTXT_OBEY": False,
    "DOWNLOAD_DELAY": 0,
    "LOG_LEVEL": "ERROR",
    # By default its queue is last in, first out.
    "DEPTH_PRIORITY": 1,
    "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
    "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
}
BEST: dict[str, Any] = {
    **DEFAULTS,
    "CONCURRENT_REQUESTS": 64,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 64,
    "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.DownloaderAwarePriorityQueue",
    "REACTOR_THREADPOOL_MAXSIZE": 20,
    "COOKIES_ENABLED": False,
    "RETRY_ENABLED": False,
    "REDIRECT_ENABLED": True,
    "TELNETCONSOLE_ENABLED": False,
    "STATS_DUMP": False,
    "AUTOTHROTTLE_ENABLED": False,
    "LOG_ENABLED": False,
    "ASYNCIO_EVENT_LOOP": "uvloop.Loop",
    "MEMUSAGE_ENABLED": False,
}


class BreadthFirst(scrapy.Spider):  # type: ignore[misc]  # Scrapy is not in this environment
    """Follows all links."""

    name = "bfs"
    handle_httpstatus_all = True

    def __init__(self, order: Order, count: Count) -> None:
        super().__init__()
        self.order = order
        self.count = count
        self.links = LinkExtractor()

    async def start(self) -> AsyncIterator[scrapy.Request]:
        """The seeds."""
        for url in self.order.seeds:
            yield self.ask(url)

    def ask(self, url: str) -> scrapy.Request:
        """A request through the proxy that all contenders use."""
        return scrapy.Request(url, meta={"proxy": self.order.proxy, "handle_httpstatus_list": [404]})

    def parse(self, response: Response, **_: Any) -> Iterator[scrapy.Request]:
        """Count the page and follow its links."""
        if self.count.answer(response.status):
            raise CloseSpider("done")
        if response.status == 200 and isinstance(response, TextResponse):
            for link in self.links.extract_links(response):
                if link.url.startswith("http://"):
                    yield self.ask(link.url)


def main() -> None:
    """Crawl and tell."""
    order = Order.given()
    count = Count(order)
    process = CrawlerProcess(BEST if order.settings["settings"] == "best" else DEFAULTS)
    process.crawl(BreadthFirst, order=order, count=count)
    process.start()
    count.tell()


if __name__ == "__main__":
    main()
