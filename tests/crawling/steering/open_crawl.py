"""Open a crawl, let it take its commands, and close it: a process of its own, to be killed."""

from __future__ import annotations

import asyncio
import sys

from lagotto.crawling.session import Crawl


async def main() -> None:
    """Open and close."""
    async with Crawl.resume(sys.argv[1]):
        pass


if __name__ == "__main__":
    asyncio.run(main())
