"""A crawl of a whole site, and what it stored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lagotto.base.views import StoredPage
from lagotto.crawling import config as configuration
from lagotto.crawling.session import Crawl
from lagotto.store import storage_at
from tests.site import Site


async def stored_pages(site: Site, directory: Path, **options: Any) -> dict[str, StoredPage]:
    """Crawl the site breadth first; path -> what is stored, with its text."""
    values = {
        "topic": "herons",
        "strategy": "bfs",
        "seeds": [f"http://{site.hosts[0]}/"],
        "delay": 0.0,
        "allow_private": ["127.0.0.0/8"],
        "parsers": 1,
        "judge_again": False,
        **options,
    }
    async with Crawl(configuration.from_values(values), directory) as crawl:
        await crawl.run()
    with storage_at(directory).reader() as reader:
        stored = reader.stored_pages(with_text=True)
        return {each.row.url.partition(site.hosts[0])[2]: each for each in stored}
