"""A process that follows a crawl until it is over; it prints how many pages it was told of.

    python benchmarks/follow.py DIRECTORY

Runs until its standard input ends, then reads what is left.
"""

from __future__ import annotations

import select
import sys

from lagotto.base.events import PageDone
from lagotto.store import storage_at

PAUSE = 0.2
"""Seconds between two looks."""
LIMIT = 1000


def main() -> None:
    """Follow by events and by rows."""
    storage = storage_at(sys.argv[1])
    over = False
    while not storage.exists() and not over:
        over = _ended()
    pages = event = row = 0
    with storage.reader() as reader:
        while True:
            while found := reader.events(event, LIMIT):
                pages += sum(isinstance(each, PageDone) for each in found)
                event = found[-1].n
            for fetched in reader.rows(after=row):
                row = fetched.seq
            if over:
                break
            over = _ended()
    if row != pages:
        sys.exit(f"{pages} pages by events, {row} by rows")
    print(pages, flush=True)


def _ended() -> bool:
    """Wait; returns whether the crawl is over."""
    return bool(select.select([sys.stdin], [], [], PAUSE)[0])


if __name__ == "__main__":
    main()
