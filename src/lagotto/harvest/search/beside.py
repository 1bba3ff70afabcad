"""The process that keeps the index of a running crawl up to date.

A crawl starts it as `python -m lagotto.harvest.search.beside LOCATION`. It gives way to the crawl. It ends
after a last update when its standard input is closed, which also happens if the crawl is killed.
"""

from __future__ import annotations

import os
import select
import signal
import sys

from lagotto.harvest.search.search import Search

EVERY = 30.0
"""Seconds between two updates."""
_NICE = 10


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
