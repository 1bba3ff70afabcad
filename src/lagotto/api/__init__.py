"""Crawling from Python: `async with Crawl(...)`; `lagotto.calls` has the calls for scripts."""

from lagotto.api.crawl import Crawl

__all__ = ["Crawl"]
