"""Drought: when the hosts at hand are exhausted, links that may lead to new ones get a bonus.

The drought is how far the relevance of the latest pages lies below that of the best stretch of the crawl. A
host's bonus grows with the drought. It has three parts: what is hoped of a host of which few pages are read,
as in upper confidence bounds; what its pages are worth as hubs, by the hosts that they named first, as far as
such hosts answer; and what it loses with each page since its last relevant one.
"""

from __future__ import annotations

from math import log, sqrt

import numpy as np

from lagotto.focus.strategies.scent.columns import Column

STRETCH = 50
"""Number of pages whose mean relevance is compared."""
FEWEST = 100
"""With fewer pages than this there is no drought yet."""
DRY = 0.3
"""Share of the best stretch's relevance below which there is a drought."""
DEEP = 0.5
"""Depth from which the user is told."""
HOPE, HUB, LOSS = 0.3, 1.5, 0.25
"""Weights of the three parts of a host's bonus."""
GRACE = 5
"""Pages without a relevant one that cost a host nothing."""
EVERY = 10
"""Pages after which links are scored again in a drought, at most."""


class Drought:
    """How dry the crawl has run, and what links to each host get or lose by that."""

    def __init__(self) -> None:
        self.hosts = Column(np.int32)
        """Host number of each page read, in order."""
        self.named_by = Column(np.int32)
        """Host of the page that named each host first, by host number; -1 for the user's own hosts."""
        self.depth = 0.0
        """0 while the crawl does as well as ever, up to 1 when it finds nothing any more."""
        self.since = 0
        """Pages read when the drought began; 0 while there is none."""
        self.of_hosts = np.zeros(0)
        """What links to each host get, by host number."""
        self.of_new = 0.0
        """What links to a host get that is not among them."""

    @property
    def exhausted(self) -> int:
        """Pages read when a deep drought began; 0 where there is none, or no second host to go to."""
        return self.since if self.depth >= DEEP and len(self.named_by) > 1 else 0

    def read(self, host: int, hosts: int) -> None:
        """Take in a page of a host; its links made the known hosts so many."""
        self.hosts.append(host)
        named = np.full(hosts - len(self.named_by), host, np.int32)
        if len(named) and len(self.named_by) <= host:
            named[host - len(self.named_by)] = -1
        self.named_by.append_all(named.tolist())

    def measure(self, relevances: np.ndarray, asked: np.ndarray) -> None:
        """Compare the latest pages with the best stretch, and set what each host gets.

        `asked` is how many pages each host was asked for, those included that it did not have.
        """
        self.depth = _depth(relevances)
        if not self.depth:
            self.since, self.of_hosts, self.of_new = 0, np.zeros(0), 0.0
            return
        self.since = self.since or len(relevances)
        of_page, hosts, hits = self.hosts.rows, len(self.named_by), relevances >= 0.5
        last = np.full(hosts, -1)
        last[of_page[hits]] = hits.nonzero()[0]
        pages = np.bincount(of_page, minlength=hosts)
        dry = np.bincount(of_page[np.arange(len(of_page)) > last[of_page]], minlength=hosts)
        total = log(len(of_page) + 1)
        hope = np.sqrt(total / (pages + np.where(pages, 0, asked[:hosts]) + 1))
        lost = np.log1p(np.maximum(0, dry - GRACE) / GRACE)
        hub = np.log1p(self._answering(pages, asked[:hosts]) / (pages + 1))
        self.of_hosts = self.depth * (HOPE * hope + HUB * hub - LOSS * lost)
        self.of_new = self.depth * HOPE * sqrt(total)

    def of(self, hosts: np.ndarray, scores: np.ndarray) -> np.ndarray:
        """What links to these hosts get; a bonus only goes to the best link of each host."""
        there = hosts < len(self.of_hosts)
        found = np.full(len(hosts), self.of_new)
        found[there] = self.of_hosts[hosts[there]]
        if len(hosts):
            best = np.full(int(hosts.max()) + 1, -np.inf)
            np.maximum.at(best, hosts, scores)
            found[scores < best[hosts]] = np.minimum(found[scores < best[hosts]], 0.0)
        return found

    def _answering(self, pages: np.ndarray, asked: np.ndarray) -> np.ndarray:
        """Hosts that each host named first and that answer, or are not asked and likely to."""
        named = self.named_by.rows
        known = named >= 0
        by, answered = named[known], (pages > 0)[known]
        silent = ((asked > 0) & (pages == 0))[known]
        yes = np.bincount(by, answered, len(pages))
        no = np.bincount(by, silent, len(pages))
        waiting = np.bincount(by, minlength=len(pages)) - yes - no
        return np.asarray(yes + waiting * (yes + 1.0) / (yes + no + 2.0))


def _depth(relevances: np.ndarray) -> float:
    """How far the latest stretch lies below the best one, from 0 to 1."""
    if len(relevances) < FEWEST:
        return 0.0
    sums = np.concatenate([[0.0], np.cumsum(relevances)])
    stretches = (sums[STRETCH:] - sums[:-STRETCH]) / STRETCH
    best = float(stretches.max())
    return max(0.0, 1.0 - float(stretches[-1]) / (DRY * best)) if best else 0.0
