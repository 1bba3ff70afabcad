"""What lease and commit cost as a crawl grows: an endless web driven through the store alone.

    python benchmarks/bench_store.py --urls 1000000

Every page brings new links to hosts drawn at random, which is the hardest case for a store on disk:
no two of them lie near each other. `--local 0.8` sends that share of a page's links to its own host.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from lagotto.records import Judgement, Lease, NewLink, Outcome, Page
from lagotto.store import SqliteStore
from lagotto.urls import SHARDS, checksum

MARKS = (10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000, 30_000_000)


class Web:
    """Pages without end."""

    def __init__(self, hosts: int, links: int, local: float) -> None:
        self.hosts = hosts
        self.links = links
        self.local = local
        self._random = random.Random(7)
        self._made = 0

    def host(self) -> str:
        """A host drawn at random."""
        return f"host{self._random.randrange(self.hosts)}.example"

    def seed(self) -> Lease:
        """A URL to start from."""
        link = self._link(self.host(), "", 0)
        return Lease(link.id, link.url, link.host, link.score)

    def outcome(self, lease: Lease) -> Outcome:
        """A page with new links."""
        own = round(self.links * self.local)
        hosts = [lease.host] * own + [self.host() for _ in range(self.links - own)]
        hash = self._random.getrandbits(63)
        return Outcome(
            lease=lease,
            fetched_at=1_700_000_000.0 + self._made,
            status=200,
            final_url=lease.url,
            page=Page(
                lease.url, title="A page of the endless web", fingerprint=hash, simhash=hash, language="en"
            ),
            judgement=Judgement(0.5, False, {"cosine": 0.5}),
            links=[self._link(host, lease.url, lease.depth + 1) for host in hosts],
            content_type="text/html",
            size=20_000,
        )

    def _link(self, host: str, parent: str, depth: int) -> NewLink:
        self._made += 1
        url = f"http://{host}/section/page-{self._made}-with-some-words.html"
        parts = [0.25, 0.5, 0.125, 0.0]
        return NewLink(
            checksum(url), url, host, self._random.random(), parts, depth, parent, "words of a link"
        )


def leases(store: SqliteStore, web: Web, batch: int) -> Iterator[Lease]:
    """The best link of each of some hosts."""
    found = 0
    while found < batch:
        for lease in store.top(web.host(), 1, 0.0):
            found += 1
            yield lease


def run(directory: Path, web: Web, urls: int, batch: int) -> None:
    """Crawl until so many URLs are known, and print a line at every mark."""
    store = SqliteStore.create(directory)
    store.acquire(range(SHARDS), "benchmark")
    store.add_seeds([web.seed() for _ in range(60 * batch)])
    print("    known   lease  commit     sum    wall      rss     disk  disk/URL  longest")
    print("     URLs   us CPU a page               us      MiB      MiB     bytes       ms")
    spent = [0.0, 0.0, 0.0]
    longest = 0.0
    pages = 0
    since = store.known
    for mark in [mark for mark in MARKS if mark < urls] + [urls]:
        while store.known < mark:
            if store.known > mark - max(20_000, mark // 20) > since:
                spent, pages, longest, since = [0.0, 0.0, 0.0], 0, 0.0, mark
            wall, cpu = time.perf_counter(), time.process_time()
            taken = list(leases(store, web, batch))
            spent[0] += time.process_time() - cpu
            spent[2] += time.perf_counter() - wall
            outcomes = [web.outcome(lease) for lease in taken]
            wall, cpu = time.perf_counter(), time.process_time()
            store.commit(outcomes)
            spent[1] += time.process_time() - cpu
            spent[2] += time.perf_counter() - wall
            longest = max(longest, time.perf_counter() - wall)
            pages += batch
        if pages:
            lease, commit, wall = (1e6 * seconds / pages for seconds in spent)
            disk = sum(file.stat().st_size for file in directory.iterdir())
            print(
                f"{store.known:9} {lease:7.0f} {commit:7.0f} {lease + commit:7.0f} {wall:7.0f} {rss():8.0f} "
                f"{disk / 2**20:8.0f} {disk / store.known:9.0f} {1000 * longest:8.0f}",
                flush=True,
            )
    closing = time.perf_counter()
    store.close()
    opening = time.perf_counter()
    store = SqliteStore.open(directory)
    store.acquire(range(SHARDS), "benchmark")
    opened = time.perf_counter()
    hosts = store.hosts()
    for host in hosts:
        store.top(host, 1, 0.0)
    ready = time.perf_counter()
    print(
        f"closed in {opening - closing:.1f} s, opened in {opened - opening:.1f} s, "
        f"best link of {len(hosts)} hosts in {ready - opened:.1f} s"
    )
    store.close()


def rss() -> float:
    """Resident memory of this process, in MiB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--urls", type=int, default=1_000_000)
    parser.add_argument("--hosts", type=int, default=100_000)
    parser.add_argument("--links", type=int, default=50, help="new links a page")
    parser.add_argument("--batch", type=int, default=20, help="pages a commit")
    parser.add_argument("--local", type=float, default=0.0, help="share of links to the page's own host")
    parser.add_argument("--directory", type=Path, help="where to crawl; removed afterwards")
    arguments = parser.parse_args()
    directory = arguments.directory or Path(tempfile.mkdtemp(prefix="lagotto-bench-"))
    try:
        web = Web(arguments.hosts, arguments.links, arguments.local)
        run(directory / "crawl", web, arguments.urls, arguments.batch)
    finally:
        shutil.rmtree(directory)


if __name__ == "__main__":
    main()
