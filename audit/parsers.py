"""How many pages are lost when parser processes are killed, as by a kernel that is out of memory."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import tempfile
import time
from pathlib import Path

from audit.running import FailingSite, arguments, pages_of, running

KILLING = 4.0
"""Seconds during which each parser is killed soon after it has started."""


async def kill_parsers(crawl: int, seconds: float) -> int:
    """Kill the crawl's child processes as they appear; returns how many."""
    killed: set[int] = set()
    end = time.monotonic() + seconds
    children_file = Path(f"/proc/{crawl}/task/{crawl}/children")
    while time.monotonic() < end and children_file.exists():
        children = children_file.read_text().split()
        for pid in {int(child) for child in children} - killed:
            os.kill(pid, signal.SIGKILL)
            killed.add(pid)
        await asyncio.sleep(0.05)
    return len(killed)


async def trial(directory: Path, *, requests_before: int) -> tuple[int, int, int, dict[str, int]]:
    """Parsers killed, pages there are, pages found, and other ends of URLs."""
    async with FailingSite({}) as site:
        async with running(*arguments(directory, site.seed, "--connections-per-host", "8")) as crawl:
            await site.served(requests_before)
            killed = await kill_parsers(crawl.pid, KILLING)
            await asyncio.wait_for(crawl.communicate(), 120)
        return killed, site.pages_in_all, *pages_of(directory)


async def main() -> int:
    """Print the figures; returns 1 if a page was lost."""
    lost = 0
    with tempfile.TemporaryDirectory() as folder:
        for requests_before, when in ((1, "on the first page"), (60, "in the middle")):
            figures = await trial(Path(folder) / str(requests_before), requests_before=requests_before)
            killed, wanted, pages, reasons = figures
            print(f"parsers killed {when} ({killed} in {KILLING:g} s): {pages} of {wanted} pages, {reasons}")
            lost += wanted - pages
    return int(lost > 0)


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
