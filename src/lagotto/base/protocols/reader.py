"""The read side of a crawl."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol, Self

from lagotto.base.batch import Patterns, Restored, Version
from lagotto.base.events import EventRecord
from lagotto.base.records import Fetched, FetchedRow, WarcPlace
from lagotto.base.views import (
    ChosenPages,
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
    Status,
    StoredPage,
    TakenCommand,
    UrlHistory,
    WaitingLink,
)


class Reader(Protocol):
    """The read side of a crawl: never writes, and works in any process beside a running crawl."""

    lost_answers: dict[WarcPlace, str]
    """Places of answers that could not be read so far, and why."""

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

    def judged_pages(self, counting: int = 0, *, with_text: bool = True) -> Iterator[JudgedPage]:
        """Pages that were judged, in the order of the commits, with what judging them again needs.

        Those whose terms were counted in this way, as `text.counting` says it, have their term counts, and
        their text only if that is asked for.
        """
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
        """The answer that a page was made of; raises `LostAnswer` if it is missing or damaged."""
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
