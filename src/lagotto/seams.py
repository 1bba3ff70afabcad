"""The seams between the crawler's core and its surroundings, as protocols.

`Fetcher` and `Parser` are real in a crawl and replayed in the lab; `Store` is SQLite on one
machine and PostgreSQL on many. Strategies have their own base class in `strategies.base`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from lagotto.records import Committed, Failure, Fetched, Lease, Outcome, Page


class Fetcher(Protocol):
    """Gets what lies behind a URL, one request a call, redirects not followed."""

    async def address(self, host: str) -> str | Failure:
        """IP address that the host resolves to (cached, also negatively); empty behind a proxy."""
        ...

    def robots_known(self, url: str) -> bool:
        """Whether robots.txt of the URL's origin is in the cache and fresh."""
        ...

    def robots_host(self, url: str) -> str:
        """Host that the next request for robots.txt goes to: not the URL's own if it is redirected."""
        ...

    async def fetch_robots(self, url: str) -> float | Failure:
        """Send one request for robots.txt of the URL's origin; returns when it left, 0 if it did not.

        After a redirect robots.txt is not known yet, and the next call asks where it leads to. A
        failure means that the host gave no answer, and that nothing is known.
        """
        ...

    def allowed(self, url: str) -> Failure | None:
        """None if robots.txt (already fetched) lets us have the URL."""
        ...

    def crawl_delay(self, url: str) -> float:
        """Crawl-delay that robots.txt asks for, capped; 0 when it asks for none."""
        ...

    def sitemaps(self, url: str) -> list[str]:
        """Sitemap URLs that robots.txt of the URL's origin names."""
        ...

    async def fetch(self, url: str) -> Fetched | Failure:
        """One GET of the URL; a redirect comes back as such."""
        ...

    async def close(self) -> None:
        """Close all connections."""
        ...


class Parser(Protocol):
    """Makes a `Page` of bytes, somewhere it can be killed."""

    async def parse(self, fetched: Fetched) -> Page | Failure:
        """Decode and parse the body; a `Failure` when it takes too long or too much memory."""
        ...

    async def close(self) -> None:
        """End the worker processes."""
        ...


class Store(Protocol):
    """All that must survive: frontier, pages, samples, snapshots. Not thread-safe.

    Shards are taken with an epoch; a commit under a stale epoch raises `StaleEpoch`. Leases are
    not stored: a queued URL stays queued until its outcome is committed, so after a crash there
    is nothing to repair.
    """

    def acquire(self, shards: Iterable[int], owner: str) -> dict[int, int]:
        """Take shards, raising each one's epoch; returns shard -> epoch."""
        ...

    def add_seeds(self, leases: Sequence[Lease]) -> Committed:
        """Queue seeds that are not yet known."""
        ...

    def hosts(self) -> Mapping[str, tuple[float, int] | None]:
        """Hosts that have queued links in the shards held -> minus score and seq of the best one.

        None stands for a host of which that cannot be told without `top`, as some of its links wait.
        """
        ...

    def place(self, host: str) -> tuple[float, int] | None:
        """What `hosts` says of one host; None as well if it has no queued links."""
        ...

    def top(self, host: str, n: int, now: float) -> list[Lease]:
        """The n best queued links of a host whose retry time has come, best first."""
        ...

    def next_retry(self, host: str) -> float | None:
        """Earliest retry time among the host's queued links, None if it has no queued links."""
        ...

    def commit(
        self, outcomes: Sequence[Outcome], scores: Sequence[tuple[int, float, list[float]]] = ()
    ) -> Committed:
        """Commit outcomes, and what they taught of queued links, in one transaction: all or nothing.

        `scores` are as `rescore` takes them, and count after the outcomes.
        """
        ...

    def rescore(self, scores: Sequence[tuple[int, float, list[float]]]) -> None:
        """Give queued links new scores: (id, score, parts)."""
        ...

    def content_seen(self, fingerprint: int) -> str | None:
        """URL of the page already committed with this content."""
        ...

    def near_duplicate(self, simhash: int) -> str | None:
        """URL of a committed page whose simhash differs in at most three bits."""
        ...

    def rerank(self, ranks: Iterable[tuple[int, float]]) -> None:
        """Change ranks of pages on the shelf: (id, rank)."""
        ...

    def shelf_top(self) -> tuple[int, str, float] | None:
        """Best page on the shelf: (id, url, rank)."""
        ...

    def expand(
        self, page_id: int, ranks: Iterable[tuple[int, float]] = (), sample: bytes | None = None
    ) -> Committed:
        """Take a page off the shelf, release its held links and rerank others, in one transaction.

        The sample joins those of committed pages, in order, so that it is replayed on resume.
        """
        ...

    def barrier(self) -> int:
        """How many released links of the last expanded page are neither concluded nor deferred."""
        ...

    def snapshot(self, state: bytes, *, at_once: bool = False) -> None:
        """Keep the strategy's state; samples committed before it are no longer replayed.

        A large one may be written bit by bit with the commits that follow, unless it is to be written
        at once; until all of it is there, the one before it counts, with the samples since.
        """
        ...

    def restore(self) -> tuple[bytes | None, list[bytes]]:
        """Latest snapshot and the samples committed since, in commit order."""
        ...

    def add_feedback(self, mark: bytes, sample: bytes | None) -> None:
        """Keep a user's mark as a version of the topic, and what was learned from it as a sample."""
        ...

    def close(self) -> None:
        """Close cleanly."""
        ...
