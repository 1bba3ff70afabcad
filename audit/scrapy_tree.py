"""Scrapy's CrawlSpider with its usual settings, for `audit.peers`.

Run by the environment of the benchmarks' peers: python scrapy_tree.py SEED DELAY CONNECTIONS JOBS PAGES
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from scrapy.crawler import CrawlerProcess
from scrapy.http import Response
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class Tree(CrawlSpider):  # type: ignore[misc]  # Scrapy is not in this environment
    """Follows every link, and appends the URL of each page to a file."""

    name = "tree"
    rules = (Rule(LinkExtractor(), callback="note", follow=True),)

    def __init__(self, seed: str, pages: str) -> None:
        super().__init__()
        self.start_urls = [seed]
        self.pages = Path(pages)

    def parse_start_url(self, response: Response, **_: Any) -> None:
        """Keep the seed as well."""
        self.note(response)

    def note(self, response: Response) -> None:
        """Keep the URL of a page."""
        with self.pages.open("a") as file:
            file.write(f"{response.url}\n")


if __name__ == "__main__":
    seed, delay, connections, jobs, pages = sys.argv[1:]
    settings = {
        "LOG_LEVEL": "CRITICAL",
        "DOWNLOAD_DELAY": float(delay),
        "RANDOMIZE_DOWNLOAD_DELAY": False,
        "CONCURRENT_REQUESTS_PER_DOMAIN": int(connections),
        "JOBDIR": jobs,
    }
    process = CrawlerProcess(settings)
    process.crawl(Tree, seed=seed, pages=pages)
    process.start()
