"""Where a large crawl breaks first: politeness, workers or the database.

    python scripts/simulate_cluster.py --workers 1000 --urls 1e9

Hosts have sizes by a power law: Huberman and Adamic (Nature 401, 1999) found that the share of sites with n
pages falls as n^-1.85. A host is asked once per delay. What workers and databases can do follows from costs
that were measured; docs/deploy.md says how. Hosts are kept as classes of about the same size, so that a
billion URLs take a second to simulate.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

EXPONENT = 1.85
LARGEST = 10_000_000
"""Pages of the largest host."""
CLASSES_A_DECADE = 10
PAGE_CPU = 0.0037
"""3.1 ms to fetch, parse, judge and score a page with `scent`, 0.6 ms to commit it; with 10 new links."""
COMMIT = 0.00067
"""Four workers together committed 1,493 pages a second to one crawl."""
URL_BYTES = 415
LOG_BYTES = 8_500
BATCH = 8
STEPS_AT_MOST = 1_000_000


class Costs(NamedTuple):
    """What a page costs, and what there is to pay with."""

    workers: int
    delay: float
    """Seconds between two requests to a host."""
    page_cpu: float
    """CPU seconds of a worker for a page."""
    commit_seconds: float
    """Seconds for which the commit of a page keeps all other commits of its crawl waiting."""
    databases: int
    """Crawls on primaries of their own that the hosts are spread over."""

    @property
    def by_workers(self) -> float:
        """Pages a second of all workers, each on one core."""
        return self.workers / self.page_cpu

    @property
    def by_databases(self) -> float:
        """Pages a second that all primaries can commit."""
        return self.databases / self.commit_seconds


class Storage(NamedTuple):
    """What the databases hold and write, as measured."""

    url_bytes: float
    """Bytes of tables and indexes for each known URL, with its share of the pages."""
    log_bytes: float
    """Bytes of the write-ahead log for a page."""
    batch: float
    """Pages of a commit; each commit waits for the disk once."""

    def needed(self, urls: float, rate: float) -> str:
        """What so many URLs, and so many pages a second, need."""
        return (
            f"{urls * self.url_bytes / 1e9:,.0f} GB of tables; at {rate:,.0f} pages/s "
            f"{rate * self.log_bytes / 1e6:,.1f} MB/s of log and {rate / self.batch:,.0f} flushes/s"
        )


class Phase(NamedTuple):
    """A stretch of the crawl with one bottleneck."""

    limit: str
    seconds: float
    pages: float


def host_classes(urls: float) -> tuple[np.ndarray, np.ndarray]:
    """Sizes of hosts, and how many hosts have each, for so many URLs in all."""
    decades = int(np.log10(LARGEST))
    edges = np.unique(np.logspace(0, decades, decades * CLASSES_A_DECADE + 1).astype(np.int64))
    sizes = np.sqrt(edges[:-1] * (edges[1:] - 1.0).clip(edges[:-1]))
    share = edges[:-1] ** (1 - EXPONENT) - edges[1:] ** (1 - EXPONENT)
    hosts = share * urls / (share * sizes).sum()
    return sizes, hosts


def crawl(urls: float, costs: Costs) -> Iterator[Phase]:
    """Crawl all URLs; every host gets the same share of what workers and databases can do."""
    sizes, hosts = host_classes(urls)
    left = sizes.copy()
    for _ in range(STEPS_AT_MOST):
        open_hosts = hosts[left > 0].sum()
        if open_hosts < 1:
            return
        limits = {
            "politeness": open_hosts / costs.delay,
            "workers": costs.by_workers,
            "database": costs.by_databases,
        }
        limit = min(limits, key=limits.__getitem__)
        rate = limits[limit]
        # Until the smallest hosts that are left are done.
        step = left[left > 0].min() * open_hosts / rate
        left = np.where(left > 0, np.maximum(left - step * rate / open_hosts, 0), 0)
        left[left < 1e-6] = 0
        yield Phase(limit, step, step * rate)
    raise RuntimeError("the crawl does not end")


def joined(phases: Iterator[Phase]) -> list[Phase]:
    """Neighbouring phases with the same bottleneck as one."""
    found: list[Phase] = []
    for phase in phases:
        if found and found[-1].limit == phase.limit:
            last = found.pop()
            phase = Phase(phase.limit, last.seconds + phase.seconds, last.pages + phase.pages)
        found.append(phase)
    return found


def main() -> None:
    """Simulate and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--workers", type=int, default=1000)
    parser.add_argument("--urls", type=float, default=1e9)
    parser.add_argument("--delay", type=float, default=1.0)
    parser.add_argument("--page-cpu", type=float, default=PAGE_CPU, help="CPU seconds of a page")
    parser.add_argument(
        "--commit", type=float, default=COMMIT, help="seconds for which a page keeps all commits waiting"
    )
    parser.add_argument("--databases", type=int, default=1, help="crawls on primaries of their own")
    parser.add_argument("--url-bytes", type=float, default=URL_BYTES)
    parser.add_argument("--log-bytes", type=float, default=LOG_BYTES)
    parser.add_argument("--batch", type=float, default=BATCH, help="pages of a commit")
    given = parser.parse_args()
    costs = Costs(given.workers, given.delay, given.page_cpu, given.commit, given.databases)
    _, hosts = host_classes(given.urls)
    print(f"{given.urls:,.0f} URLs on {hosts.sum():,.0f} hosts, {given.workers:,} workers")
    print(f"workers can take {costs.by_workers:,.0f} pages/s, databases {costs.by_databases:,.0f} pages/s")
    done = total = fastest = 0.0
    phases = joined(crawl(given.urls, costs))
    for phase in phases:
        fastest = max(fastest, phase.pages / phase.seconds)
        total += phase.seconds
        done += phase.pages
        print(
            f"{phase.limit:10} for {phase.seconds / 3600:10,.1f} h: "
            f"{phase.pages / phase.seconds:9,.0f} pages/s, "
            f"then {100 * done / given.urls:6.2f} % done after {total / 86400:,.1f} days"
        )

    storage = Storage(given.url_bytes, given.log_bytes, given.batch)
    print(f"breaks first: {phases[0].limit}")
    print(f"databases together: {storage.needed(given.urls, fastest)}")


if __name__ == "__main__":
    main()
