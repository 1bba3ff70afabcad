"""Protocols between the crawler's core and its surroundings.

`Fetcher` and `Parser` use the network and parser processes in a crawl, and a recording in the lab.
`Storage` opens a crawl: a `Store` to write, a `Reader` to look into it from any process.
Strategies have their own base class in `strategies.base`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Protocol, Self, runtime_checkable

from lagotto.batch import (
    Arrivals,
    Batch,
    Census,
    Command,
    Committed,
    Content,
    HostHeads,
    Patterns,
    Place,
    Restored,
    Samples,
    Seen,
    ShelfState,
    Spent,
    Version,
)
from lagotto.events import EventRecord
from lagotto.facts import OptOut
from lagotto.records import Failure, Fetched, FetchedRow, Page, WarcPlace
from lagotto.views import (
    ChosenPages,
    Finding,
    HostCount,
    JudgedPage,
    KnownHost,
    MarkedPage,
    Matching,
    Moment,
    PageChoice,
    PageOrder,
    PageVersion,
    PageVisit,
    QueuedLink,
    ShardHolder,
    Status,
    StoredPage,
    TakenCommand,
    UrlHistory,
    WaitingLink,
    WarcFile,
)


class Fetcher(Protocol):
    """Fetches URLs: one request a call; redirects are not followed."""

    async def address(self, host: str) -> str | Failure:
        """IP address that the host resolves to (cached, also negatively); empty behind a proxy."""
        ...

    def robots_known(self, url: str) -> bool:
        """Whether robots.txt, and all else that is asked for before a page, is in the cache and fresh."""
        ...

    def robots_host(self, url: str) -> str:
        """Host that the next request for robots.txt goes to: not the URL's own if it is redirected."""
        ...

    async def fetch_robots(self, url: str) -> float | Failure:
        """Send one request for what `robots_known` misses; returns when it left, 0 if it did not.

        After a redirect robots.txt is not known yet, and the next call asks where it leads to. A
        failure means that the host gave no answer, and that nothing is known.
        """
        ...

    def refusal(self, url: str) -> Failure | None:
        """Why robots.txt, fetched before, forbids the URL; None if it allows it."""
        ...

    def crawl_delay(self, url: str) -> float:
        """Crawl-delay that robots.txt asks for, capped; 0 when it asks for none."""
        ...

    def sitemaps(self, url: str) -> list[str]:
        """Sitemap URLs that robots.txt of the URL's origin names."""
        ...

    def opt_outs(self, url: str) -> list[OptOut]:
        """Uses of the URL that files of its origin, fetched before, opt out of."""
        ...

    async def fetch(self, url: str) -> Fetched | Failure:
        """One GET of the URL; a redirect comes back as such."""
        ...

    async def close(self) -> None:
        """Close all connections."""
        ...


class Parser(Protocol):
    """Turns bytes into a `Page`, in a process that can be killed."""

    async def parse(self, fetched: Fetched) -> Page | Failure:
        """Decode and parse the body; a `Failure` when it takes too long or too much memory."""
        ...

    async def close(self) -> None:
        """End the worker processes."""
        ...


class Store(Protocol):
    """The write side of a crawl, one object for each worker. Not thread-safe.

    Shards are taken with an epoch; every write under a stale epoch raises `StaleEpoch`. Leases are
    not stored: a queued URL stays queued until its outcome is committed, so after a crash there
    is nothing to repair. One task at a time calls a store.
    """

    notes: list[str]
    """Sentences for the user about what was found on opening."""
    read_ahead: int
    """Hosts to read in one call of `heads`: 1 if a call costs very little."""

    async def acquire(self, shards: Iterable[int], owner: str, lease: float = inf) -> dict[int, int]:
        """Take shards from their present owners, for `lease` seconds; returns shard -> its new epoch.

        Call it before all other methods, and again for further shards. Snapshots, WARC files and the used
        budget are kept under the owner's name.
        """
        ...

    async def renew(self) -> None:
        """Extend the lease of the held shards by its full length; `StaleEpoch` if one was taken."""
        ...

    async def release(self, shards: Iterable[int]) -> None:
        """Give shards up: they have no owner from now on."""
        ...

    async def holders(self) -> list[ShardHolder]:
        """Shards that were ever taken, with their owner and the end of its lease."""
        ...

    async def hosts(self) -> Mapping[str, Place | None]:
        """Hosts that have queued links in the held shards -> place of the best one.

        None: some links of the host wait for a retry, and only `heads` knows the best one.
        """
        ...

    async def heads(self, wanted: Mapping[str, int], now: float) -> dict[str, HostHeads]:
        """The best queued links of each host, as many as wanted; 0 asks for the place of the best alone.

        `now` is the wall-clock time by which retries are due. Every host asked for is in the answer.
        """
        ...

    async def arrivals(self, since: int | None) -> Arrivals:
        """Links that other owners queued for the held shards after a number.

        New links, links whose score rose, links that left the shelf and links that patterns admit again.
        None gives no links, only the number to go on from. Links that are held, deferred or concluded are
        left out.
        """
        ...

    async def samples(self, since: int) -> Samples:
        """Samples that any worker committed after a number, in order; start with `restore().last`."""
        ...

    async def seen(self, contents: Sequence[Content]) -> list[Seen]:
        """Which committed pages have these contents; one answer for each, in order."""
        ...

    async def commit(self, batch: Batch) -> Committed:
        """Write a batch in one transaction: all or nothing.

        The content test is repeated here if the batch asks for it: a page that lost a race is stored as a
        duplicate without judgement, links and sample. An outcome whose URL is concluded already is ignored.
        A revisit of a URL that is not concluded raises `ValueError`.
        """
        ...

    async def shelf(self) -> ShelfState:
        """The best page on the shelf, and the number of links that it must wait for."""
        ...

    async def spent(self) -> Spent:
        """What all workers have used together."""
        ...

    async def restore(self) -> Restored:
        """This owner's latest snapshot and the samples committed since, in commit order."""
        ...

    async def commands(self) -> list[Command]:
        """Commands that were sent and not yet taken, in order."""
        ...

    async def host_waits(self) -> dict[str, float]:
        """Host -> wall-clock time until which it asked to be left alone."""
        ...

    async def warc_ends(self) -> dict[str, int]:
        """WARC file of this owner -> where its last committed record ends."""
        ...

    def reader(self) -> Reader:
        """Look into this store, from the process that writes to it."""
        ...

    async def close(self) -> None:
        """Close cleanly."""
        ...


@runtime_checkable
class SharedStore(Store, Protocol):
    """The write side of a crawl that any number of workers share.

    A worker registers with `acquire([], owner, lease)`. Leases are kept by the clock of the store.
    """

    async def beat(self, idle_at: int | None) -> Census:
        """Extend the leases, and say that this worker lives; `StaleEpoch` if a held shard was taken.

        `idle_at` is the last number of `arrivals` that it knew when it had nothing left to do, None if it has
        something to do.
        """
        ...

    async def offer(self, best: float | None) -> float | None:
        """Say which score the best link has that this worker could lease now, None if there is none.

        Returns the best that others have offered within the last seconds; None if they offer nothing.
        """
        ...

    async def take_free(self, most: int) -> dict[int, int]:
        """Take up to so many shards that nobody holds, or whose lease is over; returns shard -> epoch."""
        ...

    async def end(self, why: str) -> None:
        """Tell all workers that the crawl has ended; an empty sentence lets it go on."""
        ...

    async def warcs(self) -> list[WarcFile]:
        """All WARC files of the crawl, by name."""
        ...

    async def seal(self, files: Iterable[str]) -> None:
        """Note that these WARC files are finished and where all can read them."""
        ...

    async def leave(self) -> None:
        """Release all shards, and say that this worker is gone."""
        ...

    def watch(self, wake: Callable[[bool], None]) -> None:
        """Have a function called, from any thread, when other workers or users have sent something.

        It is told whether that is more than links: a command, or the end of the crawl.
        """
        ...


class Reader(Protocol):
    """The read side of a crawl: never writes, and works in any process beside a running crawl."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *exception: object) -> None: ...

    def close(self) -> None:
        """Close the connection."""
        ...

    def status(self) -> Status:
        """The figures of the crawl."""
        ...

    def rows(
        self, *, after: int = 0, with_text: bool = False, relevant_only: bool = False
    ) -> Iterator[FetchedRow]:
        """Concluded URLs after a page number, in the order of the commits."""
        ...

    def stored_pages(
        self, *, after: int = 0, with_text: bool = False, relevant_only: bool = False
    ) -> Iterator[StoredPage]:
        """Like `rows`, with the place of each body."""
        ...

    def pages_at(self, numbers: Iterable[int], *, with_text: bool = False) -> Iterator[StoredPage]:
        """The concluded URLs with these page numbers, in the order of the numbers."""
        ...

    def chosen_pages(
        self, choice: PageChoice, order: PageOrder = "newest", *, offset: int = 0, limit: int = 100
    ) -> ChosenPages:
        """Numbers of some of the concluded URLs that are wanted, in an order; equals by number."""
        ...

    def judged_pages(self) -> Iterator[JudgedPage]:
        """Pages that were judged, in the order of the commits, with what judging them again needs."""
        ...

    def events(self, after: int = 0, limit: int = 1000) -> list[EventRecord]:
        """What happened after the event with this number, oldest first."""
        ...

    def last_event(self) -> int:
        """Number of the newest event, 0 if there is none."""
        ...

    def history(self, url: str) -> UrlHistory | None:
        """Everything known about a canonical URL; None if the crawl has never met it."""
        ...

    def visits(self, after: int = 0) -> Iterator[PageVisit]:
        """Later visits to concluded URLs after a number, in the order of the commits."""
        ...

    def page_versions(self, url: str) -> list[PageVersion]:
        """What the page at a canonical URL has been like, oldest first, the present one last."""
        ...

    def text(self, number: int) -> str | None:
        """Text of a page, if it was kept."""
        ...

    def body(self, place: WarcPlace) -> Fetched:
        """The answer that a page was made of."""
        ...

    def record(self, place: WarcPlace) -> bytes:
        """The compressed WARC record of an answer, as it is stored."""
        ...

    def link_targets(self) -> Iterator[tuple[int, bytes]]:
        """Number of each page with links, and the checksums of their URLs as 64-bit integers."""
        ...

    def waiting_links(self) -> Iterator[WaitingLink]:
        """All links that are not concluded, in order of discovery."""
        ...

    def hosts(self) -> list[HostCount]:
        """What each host has given, most first."""
        ...

    def known_hosts(self) -> list[KnownHost]:
        """All hosts of known URLs, with what they have given and what waits; reads all links."""
        ...

    def host_waits(self) -> dict[str, float]:
        """Host -> wall-clock time until which it asked to be left alone."""
        ...

    def course(self, points: int = 400) -> list[Moment]:
        """How the crawl went: at most so many moments, evenly spread, the last conclusion among them."""
        ...

    def harvest(self) -> Iterator[tuple[int, float, bool]]:
        """Number, time and current verdict of each page, in the order of the commits."""
        ...

    def fetched(self) -> Iterator[tuple[str, int, int, str]]:
        """URL, fingerprint, simhash and parent of each answer with status 200, in commit order."""
        ...

    def best_queued(self, n: int, host: str = "") -> list[QueuedLink]:
        """The n best links that could be leased now, over all hosts or of one."""
        ...

    def queued_matching(self, pattern: str, n: int = 10) -> Matching:
        """Links held or queued whose URL matches a regular expression: how many, and n examples."""
        ...

    def refused_by(self, patterns: Patterns, n: int = 10) -> Matching:
        """Queued links that patterns would set aside: how many, and n examples."""
        ...

    def learned(self, owner: str = "local") -> Restored:
        """Latest snapshot of an owner, and the samples since, as of one moment."""
        ...

    def commands(self) -> list[TakenCommand]:
        """All commands ever sent, oldest first, with what came of those that were taken."""
        ...

    def marks(self) -> list[MarkedPage]:
        """Marks of users that count now, in the order in which they were taken."""
        ...

    def versions(self, kind: str) -> list[Version]:
        """All versions of something, oldest first."""
        ...


class Storage(Protocol):
    """Where a crawl is kept; made by `lagotto.store.storage_at`."""

    location: str
    """As the user writes it."""
    folder: Path | None
    """Directory for WARC files and the log; None if the crawl leaves no files."""
    files: str
    """Place of WARC files: the folder, or a URL that fsspec knows; empty if the crawl leaves no files."""
    shared: bool
    """Whether several workers may open the crawl at once; their stores are each a `SharedStore`."""

    def exists(self) -> bool:
        """Whether there is a crawl."""
        ...

    async def create(self, config: bytes, *, keep_text: bool = True) -> Store:
        """Begin a crawl with its configuration; there is a whole crawl afterwards, or none."""
        ...

    async def open(self, *, keep_text: bool = True) -> Store:
        """Go on with a crawl; an older format is brought up to date, and a copy of it kept."""
        ...

    def reader(self) -> Reader:
        """Look into the crawl, running or not."""
        ...

    def config(self) -> bytes:
        """The configuration, as TOML."""
        ...

    def save_config(self, config: bytes) -> None:
        """Replace the configuration of a crawl that this process has open."""
        ...

    def discard(self) -> None:
        """Remove a crawl that came to nothing; it must not be open."""
        ...

    def running(self) -> bool:
        """Whether some process crawls now."""
        ...

    def send(self, command: Command) -> int:
        """Send a command to the crawl, running or not, from any process; returns its number."""
        ...

    def examine(self) -> list[Finding]:
        """Check everything for damage; nothing is changed."""
        ...

    def accept(self) -> None:
        """Accept a changed but sound database as it is."""
        ...

    def migrate(self) -> str:
        """Bring an older format up to date; returns what was done, as a sentence."""
        ...
