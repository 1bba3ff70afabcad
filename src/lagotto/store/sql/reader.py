"""Looking into a crawl, also while it runs: figures, rows, events.

A reader never writes. Long readings go in slices.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Self

from lagotto.base.batch import Patterns, Restored, Version
from lagotto.base.events import EventRecord
from lagotto.base.reasons import Reason, counted_as
from lagotto.base.records import Fetched, FetchedRow, Found, WarcPlace
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
from lagotto.store.sql.database import SLICE, Queries
from lagotto.store.sql.histories import Histories, warc_place
from lagotto.store.sql.links import QueuedLinks
from lagotto.store.sql.overview import EVENTS, IS_PAGE, Overview, read_events
from lagotto.store.sql.rows import ASIDE, HELD
from lagotto.store.sql.stored_pages import StoredPages
from lagotto.store.warc.reading import read_response, stored_record

OWNER = "local"
"""The one worker of a crawl on one machine."""
MOST_TRAPS = 20
"""Traps that `status` names."""

_STATUS = f"""
SELECT count(*), count(*) FILTER (WHERE {IS_PAGE}), count(*) FILTER (WHERE relevant), coalesce(sum(size), 0),
    count(DISTINCT host), min(fetched_at), max(fetched_at)
FROM pages
"""
_REVISITS = "SELECT count(*), count(*) FILTER (WHERE found = ?) FROM visits"
_VISITS = f"""
SELECT n, page, at, found, status, reason, detail, warc, warc_offset, warc_length
FROM visits WHERE n > ? ORDER BY n LIMIT {SLICE}
"""
_TRAPS = """
SELECT detail, count(*) FROM pages WHERE reason = ? GROUP BY detail ORDER BY count(*) DESC, detail LIMIT ?
"""
_HOSTS = f"""
SELECT h.name, count(*), count(*) FILTER (WHERE {IS_PAGE}), count(*) FILTER (WHERE relevant), sum(size)
FROM pages JOIN hosts h ON h.id = host GROUP BY h.name ORDER BY count(*) DESC, h.name
"""
_TARGETS = f"SELECT page, ids FROM targets WHERE page > ? ORDER BY page LIMIT {SLICE}"
_HARVEST = f"""
SELECT page, fetched_at, relevant FROM pages WHERE page > ? AND {IS_PAGE}
ORDER BY page LIMIT {SLICE}
"""
_FETCHED = f"""
SELECT p.page, u.url, coalesce(p.fingerprint, 0), coalesce(p.simhash, 0), coalesce(parent.url, u.source, '')
FROM pages p JOIN urls u USING (seq, page) LEFT JOIN urls parent ON parent.seq = u.parent
WHERE p.page > ? AND p.status = 200 ORDER BY p.page LIMIT {SLICE}
"""
_MARKS = """
SELECT u.url, m.page, m.mark, m.who, m.at
FROM marks m JOIN pages p USING (page) JOIN urls u USING (seq) ORDER BY m.n
"""


class SqlReader(ABC):
    """Answers questions about a crawl in tables; what is left open depends on the database."""

    def __init__(self, queries: Queries, intact: str) -> None:
        """`intact` is an SQL condition that a page row is as it was written."""
        self._queries = queries
        self._links = QueuedLinks(queries)
        self._pages = StoredPages(queries, intact)
        self._overview = Overview(queries)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @abstractmethod
    def close(self) -> None:
        """Close the connection."""

    # Figures.

    @abstractmethod
    def _waiting(self) -> dict[int, int]:
        """How many links are held and set aside, by `urls.held`."""

    def status(self) -> Status:
        """The figures of the crawl."""
        [(created,)] = self._queries("SELECT value FROM crawl WHERE name = 'created'")
        [(known,)] = self._queries("SELECT coalesce(max(seq), 0) FROM urls")
        waiting = self._waiting()
        held, aside = waiting.get(HELD, 0), waiting.get(ASIDE, 0)
        [(deferred,)] = self._queries("SELECT count(*) FROM deferred")
        [(revisits, changed)] = self._queries(_REVISITS, Found.CHANGED)
        [(gone,)] = self._queries("SELECT count(*) FROM gone")
        [(shelved,)] = self._queries("SELECT count(*) FROM shelf")
        [(concluded, pages, relevant, size, hosts, first_at, last_at)] = self._queries(_STATUS)
        reasons = self._queries(
            "SELECT reason, CASE reason WHEN ? THEN status ELSE 0 END, count(*) FROM pages WHERE reason != ''"
            " GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2",
            Reason.HTTP_STATUS,
        )
        return Status(
            created=created,
            known=known,
            queued=known - concluded - held - aside,
            deferred=deferred,
            held=held,
            aside=aside,
            shelved=shelved,
            concluded=concluded,
            pages=pages,
            relevant=relevant,
            bytes=size,
            hosts=hosts,
            reasons={counted_as(reason, status): count for reason, status, count in reasons},
            traps=dict(self._queries(_TRAPS, Reason.TRAP, MOST_TRAPS)),
            first_at=first_at,
            last_at=last_at,
            revisits=revisits,
            changed=changed,
            gone=gone,
        )

    @abstractmethod
    def learned(self, owner: str = OWNER) -> Restored:
        """What the strategy had learned: its latest snapshot, and the samples since, as of one moment."""

    def hosts(self) -> list[HostCount]:
        """What each host has given, most first."""
        return [HostCount(*row) for row in self._queries(_HOSTS)]

    def harvest(self) -> Iterator[tuple[int, float, bool]]:
        """Number, time and verdict of each page, in the order of the commits."""
        for number, fetched_at, relevant in self._queries.slices(_HARVEST):
            yield number, fetched_at, bool(relevant)

    def fetched(self) -> Iterator[tuple[str, int, int, str]]:
        """URL, fingerprint, simhash and parent of each answer with status 200, in commit order."""
        for _, url, fingerprint, simhash, parent in self._queries.slices(_FETCHED):
            yield url, fingerprint, simhash, parent

    @abstractmethod
    def _best_queued(self, n: int, host: str) -> list[int]:
        """The n best links that could be leased now, over all hosts or of one, by `seq`."""

    def best_queued(self, n: int, host: str = "") -> list[QueuedLink]:
        """The n best links that could be leased now, over all hosts or of one."""
        return [self._links.link(seq) for seq in self._best_queued(n, host)]

    def known_hosts(self) -> list[KnownHost]:
        """All hosts of known URLs, with what they have given and what waits."""
        return self._overview.known_hosts()

    def host_waits(self) -> dict[str, float]:
        """Host -> wall-clock time until which it asked to be left alone."""
        return dict(self._queries("SELECT host, until FROM host_waits"))

    def course(self, points: int = 400) -> list[Moment]:
        """How the crawl went."""
        return self._overview.course(points)

    def queued_matching(self, pattern: str, n: int = 10) -> Matching:
        """Links held or queued whose URL matches a regular expression."""
        return self._links.matching(pattern, n)

    def refused_by(self, patterns: Patterns, n: int = 10) -> Matching:
        """Queued links that patterns would set aside."""
        return self._links.refused_by(patterns, n)

    def waiting_links(self) -> Iterator[WaitingLink]:
        """All links that are not concluded, in order of discovery."""
        return self._links.waiting()

    # Rows.

    def rows(
        self, *, after: int = 0, with_text: bool = False, relevant_only: bool = False
    ) -> Iterator[FetchedRow]:
        """Concluded URLs in the order of the commits."""
        for stored in self.stored_pages(after=after, with_text=with_text, relevant_only=relevant_only):
            yield stored.row

    def stored_pages(
        self, *, after: int = 0, with_text: bool = False, relevant_only: bool = False
    ) -> Iterator[StoredPage]:
        """Concluded URLs in the order of the commits, with the place of each body."""
        return self._pages.all(after=after, with_text=with_text, relevant_only=relevant_only)

    def pages_at(self, numbers: Iterable[int], *, with_text: bool = False) -> Iterator[StoredPage]:
        """The concluded URLs with these page numbers, in the order of the numbers."""
        return self._pages.at(numbers, with_text=with_text)

    def chosen_pages(
        self, choice: PageChoice, order: PageOrder = "newest", *, offset: int = 0, limit: int = 100
    ) -> ChosenPages:
        """Numbers of some of the concluded URLs that are wanted."""
        return self._overview.chosen(choice, order, offset, limit)

    def judged_pages(self, counting: int = 0, *, with_text: bool = True) -> Iterator[JudgedPage]:
        """Pages that were judged, in the order of the commits, with what judging them again needs."""
        return self._pages.judged(counting, with_text=with_text)

    def page_versions(self, url: str) -> list[PageVersion]:
        """What the page at a canonical URL has been like, oldest first, the present one last."""
        history = self.history(url)
        return self._pages.versions(history.page.number) if history and history.page else []

    def text(self, number: int) -> str | None:
        """Text of a page, if it was kept."""
        return self._pages.text(number)

    def link_targets(self) -> Iterator[tuple[int, bytes]]:
        """Number of each page with links, and the checksums of their URLs as 64-bit integers."""
        yield from self._queries.slices(_TARGETS)

    def visits(self, after: int = 0) -> Iterator[PageVisit]:
        """Later visits to concluded URLs after a number, in the order of the commits."""
        for n, page, at, found, status, reason, detail, *place in self._queries.slices(_VISITS, after):
            yield PageVisit(n, page, at, Found(found), status, reason, detail, warc_place(*place))

    def events(self, after: int = 0, limit: int = 1000) -> list[EventRecord]:
        """What happened after the event with this number, oldest first."""
        return list(read_events(self._queries(EVENTS, after, limit)))

    def last_event(self) -> int:
        """Number of the newest event."""
        [(last,)] = self._queries("SELECT coalesce(max(n), 0) FROM events")
        return int(last)

    def body(self, place: WarcPlace) -> Fetched:
        """The answer that a page was made of."""
        return read_response(self._warc_folder(), place)

    def record(self, place: WarcPlace) -> bytes:
        """The compressed WARC record of an answer, as it is stored."""
        return stored_record(self._warc_folder(), place)

    @abstractmethod
    def _warc_folder(self) -> Path:
        """Where the answers are."""

    def history(self, url: str) -> UrlHistory | None:
        """Everything known about a canonical URL; None if the crawl has never met it."""
        return Histories(self._queries, self._find).history(url)

    @abstractmethod
    def _find(self, url: str) -> int | None:
        """The `seq` of a canonical URL, None if it is not known."""

    # What users did.

    @abstractmethod
    def commands(self) -> list[TakenCommand]:
        """All commands ever sent, oldest first."""

    def marks(self) -> list[MarkedPage]:
        """Marks that count now, in the order in which they were taken."""
        return [MarkedPage(url, page, bool(on), who, at) for url, page, on, who, at in self._queries(_MARKS)]

    def versions(self, kind: str) -> list[Version]:
        """All versions of something, oldest first."""
        query = "SELECT kind, content, version, created FROM versions WHERE kind = ? ORDER BY version"
        return [Version(*row) for row in self._queries(query, kind)]
