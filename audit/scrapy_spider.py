"""Scrapy's CrawlSpider with its usual settings, sent through the proxy of a trap site.

Run by the environment of the benchmarks' peers: python scrapy_spider.py SEED PROXY PAGES
"""

from __future__ import annotations

import sys
from typing import Any

from scrapy.crawler import CrawlerProcess
from scrapy.http import Request, Response
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class Plain(CrawlSpider):  # type: ignore[misc]  # Scrapy is not in this environment
    """Follows every link."""

    name = "plain"
    rules = (Rule(LinkExtractor(), callback="note", follow=True, process_request="through_proxy"),)

    def __init__(self, seed: str, proxy: str) -> None:
        super().__init__()
        self.start_urls = [seed]
        self.proxy = proxy

    async def start(self) -> Any:
        """The seed."""
        for url in self.start_urls:
            yield Request(url, meta={"proxy": self.proxy}, dont_filter=True)

    def through_proxy(self, request: Request, response: Response) -> Request:
        """All requests go to the trap site."""
        request.meta["proxy"] = self.proxy
        return request

    def note(self, response: Response) -> None:
        """Nothing is kept."""


if __name__ == "__main__":
    seed, proxy, pages = sys.argv[1:]
    settings = {"CLOSESPIDER_PAGECOUNT": int(pages), "LOG_LEVEL": "ERROR", "DOWNLOAD_DELAY": 0}
    process = CrawlerProcess(settings)
    process.crawl(Plain, seed=seed, proxy=proxy)
    process.start()
