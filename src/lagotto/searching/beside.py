"""Keeping the index of a running crawl up to date, in a process of its own.

Started as `python -m lagotto.searching.beside LOCATION`. It gives way to the crawl, and ends after a last
update when its standard input is closed, which also happens if the crawl is killed.
"""

from __future__ import annotations

import asyncio
import logging
import os
import select
import signal
import subprocess
import sys

from lagotto.searching.search import Search

EVERY = 30.0
"""Seconds between two updates."""
_NICE = 10
_log = logging.getLogger(__name__)


class IndexBeside:
    """The crawl's end of the process."""

    def __init__(self, location: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", __name__, location],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    async def finish(self) -> None:
        """Let it take in what is left, and wait for its end."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        if await asyncio.to_thread(self._process.wait):
            _log.warning("the search index is not up to date; `lagotto search` will see to it")


def follow(location: str, every: float = EVERY) -> None:
    """Bring the index up to date again and again until standard input is closed, and once more then."""
    with Search(location) as crawl:
        while not select.select([sys.stdin], [], [], every)[0]:
            crawl.refresh()
        crawl.refresh()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the crawl.
    os.nice(_NICE)
    follow(sys.argv[1])
