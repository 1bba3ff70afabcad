"""Outages, politeness and kills tried with Scrapy and Crawlee, where the benchmarks have installed them.

Both run with their default settings, apart from delay, connections and a folder for their queue, which lets
them resume. `python -m audit.peers` prints the figures; `python -m audit.peers crawlee` those of one alone.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path

from audit.outages import OUTAGE, STOPPED
from audit.politeness import DELAY, FickleSite
from audit.running import FailingSite

PYTHON = Path(__file__).parents[1] / ".bench-venv" / "bin" / "python"
"""Interpreter of the environment that the benchmarks install other crawlers into."""
PEERS = {"scrapy": "scrapy_tree.py", "crawlee": "crawlee_tree.py"}
KILLS = 5


@asynccontextmanager
async def peer(
    name: str, folder: Path, site: FailingSite, *, delay: float = 0.0, connections: int = 1
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A peer crawling a site, ended in any case."""
    arguments = [site.seed, str(delay), str(connections), str(folder / "jobs"), str(folder / "pages.txt")]
    process = await asyncio.create_subprocess_exec(PYTHON, Path(__file__).with_name(PEERS[name]), *arguments)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def pages(folder: Path) -> int:
    """Different pages that the peer kept."""
    return len(set((folder / "pages.txt").read_text().split()))


async def outage(name: str, folder: Path, connections: int) -> int:
    """Pages found if the host is out of order for a while."""
    async with FailingSite({}) as site, peer(name, folder, site, connections=connections) as crawl:
        await site.served(40)
        site.out = True
        await asyncio.sleep(OUTAGE)
        site.out = False
        await asyncio.wait_for(crawl.wait(), 120)
    return pages(folder)


async def stopped(name: str, folder: Path) -> int:
    """Pages found if the crawler is stopped for a while."""
    async with FailingSite({}) as site, peer(name, folder, site, connections=16) as crawl:
        await site.served(40)
        os.kill(crawl.pid, signal.SIGSTOP)
        await asyncio.sleep(STOPPED)
        os.kill(crawl.pid, signal.SIGCONT)
        await asyncio.wait_for(crawl.wait(), 120)
    return pages(folder)


async def killed(name: str, folder: Path) -> tuple[int, int]:
    """Pages found if the crawler is killed and started again, and pages fetched again."""
    async with FailingSite({}) as site:
        for kill in range(1, KILLS + 1):
            async with peer(name, folder, site, connections=8) as crawl:
                with_more = asyncio.create_task(site.served(kill * site.pages_in_all // (KILLS + 1)))
                ended = asyncio.create_task(crawl.wait())
                await asyncio.wait({with_more, ended}, return_when=asyncio.FIRST_COMPLETED)
                with_more.cancel()
        async with peer(name, folder, site, connections=8) as crawl:
            await asyncio.wait_for(crawl.wait(), 120)
    return pages(folder), sum(count - 1 for count in site.fetches().values())


async def politeness(name: str, folder: Path) -> tuple[int, int, int]:
    """Requests that came too early, all gaps, and pages found."""
    async with FickleSite({}) as site, peer(name, folder, site, delay=DELAY) as crawl:
        await asyncio.wait_for(crawl.wait(), 300)
    gaps = [later.at - earlier.at for earlier, later in pairwise(site.log)]
    return sum(gap < DELAY for gap in gaps), len(gaps), pages(folder)


async def try_all(name: str, folder: Path) -> None:
    """Print the figures of a peer."""
    for trial in ("1", "4", "stopped", "killed", "polite"):
        (folder / trial).mkdir(parents=True)
    for connections in (1, 4):
        found = await outage(name, folder / str(connections), connections)
        print(f"{name}: outage of {OUTAGE:g} s, {connections} connections: {found} of 400 pages")
    print(f"{name}: stopped for {STOPPED:g} s: {await stopped(name, folder / 'stopped')} of 400 pages")
    found, again = await killed(name, folder / "killed")
    print(f"{name}: {KILLS} times kill -9: {found} of 400 pages, {again} fetched again")
    early, gaps, found = await politeness(name, folder / "polite")
    print(f"{name}: {early} of {gaps} gaps shorter than {DELAY:g} s, {found} of 400 pages")


async def main() -> int:
    """Print the figures of the peers."""
    if not PYTHON.exists():
        print("no other crawler is installed here; `make bench` installs them")
        return 0
    for name in sys.argv[1:] or PEERS:
        with tempfile.TemporaryDirectory() as folder:
            await try_all(name, Path(folder) / name)
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
