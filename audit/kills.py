"""Kill the crawl itself, twenty times, and compare what it kept with what the server served."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from audit.running import FailingSite, arguments
from tests.crawling.audit import audit, run_killed_at
from tests.site import tree_url

KILLS = 20
PAGES = 1500
CONCURRENCY = 8


async def main() -> int:
    """Print the figures; returns 1 if a page was lost or committed twice."""
    async with FailingSite({}, addresses=[f"127.0.7.{n}" for n in range(1, 13)], pages_in_all=PAGES) as site:
        with tempfile.TemporaryDirectory() as folder:
            directory = Path(folder) / "crawl"
            first = arguments(directory, site.seed, "--concurrency", str(CONCURRENCY))
            counts = [PAGES * n // (KILLS + 1) for n in range(1, KILLS + 1)]
            kills = await run_killed_at(counts, site, first, ["resume", str(directory)])
            found = audit(directory, site, {tree_url(number, site.hosts) for number in range(PAGES)})
    print(
        f"{kills} times kill -9, {PAGES} pages: {found.lost} lost, {found.double_commits} committed twice, "
        f"{found.double_records} archived twice, {found.refetches} fetched again"
    )
    return int(found.lost + found.double_commits + found.double_records > 0)


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
