"""A crawl of a small made-up web through store and WARC alone, to be killed and started again.

Run as `python -m tests.store.small_crawl DIRECTORY`; it goes on with what is there.
"""

from __future__ import annotations

import sys
from pathlib import Path
from unittest.mock import patch

from lagotto.base.records import Fetched, Judgement, Lease, Outcome, Page
from lagotto.lab.checks.store_calls import NOW, link, seed
from lagotto.store import WarcWriter
from lagotto.store.sql import learned as snapshots
from lagotto.store.sqlite import database
from lagotto.store.sqlite import seen as sweep
from tests.store.blocking import Blocking

PAGES = 120
BATCH = 4


def url(number: int) -> str:
    """Address of a page of the web, a tree in which every page has four children."""
    return f"http://host{number % 7}.example/{number}"


def visit(lease: Lease, warc: WarcWriter) -> Outcome:
    """Fetch a page: every tenth waits on the shelf before its links are followed."""
    number = int(lease.url.rpartition("/")[2])
    shelved = number % 10 == 3
    children = [child for child in range(4 * number + 1, 4 * number + 5) if child < PAGES]
    body = f"<p>Page {number}.</p>".encode() * 20
    return Outcome(
        lease=lease,
        fetched_at=NOW + number,
        status=200,
        page=Page(lease.url, title=f"Page {number}", text=f"Text of page {number}.", fingerprint=number + 1),
        judgement=Judgement(0.5, number % 3 == 0, {}, 1.0 if shelved else None),
        links=[link(url(n), n / 7, lease.url, held=shelved, depth=lease.depth + 1) for n in children],
        sample=b"%d" % number,
        warc=warc.append(Fetched(lease.url, 200, body=body, wire=body, fetched_at=NOW + number)),
        content_type="text/html",
        size=len(body),
    )


def crawl(directory: Path) -> None:
    """Crawl to the end."""
    there = (directory / database.FILE).exists()
    store = Blocking.open(directory) if there else Blocking.create(directory)
    store.hold_all()
    warc = WarcWriter(directory / "warc", store.warc_ends(), max_bytes=6000)
    store.add_seeds([seed(url(0))])
    while True:
        leases = [lease for host in store.hosts() for lease in store.top(host, 2, NOW)][:BATCH]
        if leases:
            store.commit([visit(lease, warc) for lease in leases])
            if store.concluded % 3 == 0:
                store.snapshot(b"%d" % store.concluded)
        elif top := store.shelf_top():
            store.expand(top[0])
        else:
            break
    warc.close()
    store.close()


if __name__ == "__main__":
    with patch.object(sweep, "STEP", 1), patch.multiple(snapshots, PIECE=1, REMOVED_AT_ONCE=2):
        crawl(Path(sys.argv[1]))
