"""How soon a crawl goes on after a host, the crawler itself or its open files were out of order."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import sys
import tempfile
import time
from pathlib import Path

from audit.running import FailingSite, arguments, pages_of, running

OUTAGE = 2.0
STOPPED = 20.0
MOST_SECONDS = 8.0
"""Seconds after which a crawl must have gone on; the first wait for a failing host is 5 s."""


async def after_outage(directory: Path, connections: int) -> float:
    """Seconds from the end of an outage of the host to the next ten answers."""
    async with FailingSite({}) as site:
        command = arguments(directory, site.seed, "--connections-per-host", str(connections))
        async with running(*command):
            await site.served(40)
            site.out = True
            await asyncio.sleep(OUTAGE)
            site.out = False
            return await _more_requests(site)


async def after_stop(directory: Path) -> float:
    """Seconds from waking the stopped crawler to its next ten requests."""
    async with FailingSite({}) as site:
        command = arguments(directory, site.seed, "--connections-per-host", "16")
        async with running(*command) as crawl:
            await site.served(40)
            os.kill(crawl.pid, signal.SIGSTOP)
            await asyncio.sleep(STOPPED)
            os.kill(crawl.pid, signal.SIGCONT)
            return await _more_requests(site)


async def with_few_files(directory: Path) -> tuple[int, int, dict[str, int]]:
    """Pages there are, pages found with 40 open files and 64 requests at once, and other ends of URLs."""
    async with FailingSite({}, addresses=[f"127.0.9.{n}" for n in range(1, 41)]) as site:
        async with running(*arguments(directory, site.seed, "--concurrency", "64")) as crawl:
            resource.prlimit(crawl.pid, resource.RLIMIT_NOFILE, (40, 40))
            await asyncio.wait_for(crawl.communicate(), 120)
        return site.pages_in_all, *pages_of(directory)


async def _more_requests(site: FailingSite) -> float:
    """Seconds until ten more requests are answered."""
    start, before = time.monotonic(), len(site.log)
    await site.served(before + 10, within=120)
    return time.monotonic() - start


async def main() -> int:
    """Print the figures; returns 1 if one of them is too large."""
    waits = []
    with tempfile.TemporaryDirectory() as folder:
        for connections in (1, 2, 3, 4):
            waits.append(await after_outage(Path(folder) / str(connections), connections))
            print(f"outage of {OUTAGE:g} s, {connections} connections: ten pages after {waits[-1]:.1f} s")
        waits.append(await after_stop(Path(folder) / "stop"))
        print(f"stopped for {STOPPED:g} s, 16 connections: ten pages after {waits[-1]:.1f} s")
        wanted, pages, reasons = await with_few_files(Path(folder) / "files")
        print(f"40 open files, 64 requests at once: {pages} of {wanted} pages, {reasons or 'no failures'}")
    return int(max(waits) > MOST_SECONDS or pages < wanted)


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
