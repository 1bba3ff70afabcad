"""A crawl on Ray in which a worker is killed; run by `test_run` in a network of its own.

python -m tests.crawling.cluster.trial FOLDER
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from pathlib import Path

from lagotto.api import CrawlResult, result_of
from lagotto.crawling.cluster.run import ClusterRun
from lagotto.crawling.config import from_values
from lagotto.store import storage_at
from tests.site import Site, tree_site, tree_url

PAGES = 150
HOSTS = [f"127.0.0.{number}" for number in range(11, 31)]


async def main(folder: Path) -> None:
    """Crawl, kill a worker on the way, and print what came of it."""
    async with Site({}, addresses=HOSTS) as site:
        site.pages = tree_site(PAGES, site.hosts)
        config = from_values(
            {
                "topic": "heron",
                "seeds": [tree_url(0, site.hosts)],
                "allow_private": ["127.0.0.0/8"],
                "delay": 0.05,
                "strategy": "bfs",
            }
        )
        running = ClusterRun(folder / "crawl", "auto", config)
        killed: list[int] = []

        def watch(workers: int) -> None:
            with storage_at(running.location).reader() as reader:
                pages = reader.status().pages
            if pages >= PAGES // 6 and not killed:
                pid = min(int(log.stem.partition("-")[2]) for log in (folder / "crawl").glob("worker-*.log"))
                killed.append(pid)
                os.kill(pid, signal.SIGKILL)

        why = await asyncio.to_thread(running.run, watch)
    print(json.dumps(told(result_of(running.location, why), site, folder, killed)))


def told(result: CrawlResult, site: Site, folder: Path, killed: list[int]) -> dict[str, object]:
    """What `test_run` looks at."""
    fetched = [page.url for page in result.pages() if page.status == 200]
    logs = [log.read_text() for log in (folder / "crawl").glob("worker-*.log")]
    return {
        "why": result.why,
        "pages": len(set(fetched)),
        "twice": len(fetched) - len(set(fetched)),
        "killed": len(killed),
        "asked_again": sum(times - 1 for times in site.fetches().values()),
        "logs": len(logs),
        "shards": sum("takes shards" in log for log in logs),
    }


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
