"""Looking into a crawl, also while it runs: figures, rows, events.

A reader never writes. Long readings go in slices, so that the crawl's write-ahead log can be
emptied meanwhile.
"""

from __future__ import annotations

import heapq
import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, Self

from lagotto.batch import Patterns, Restored, Version
from lagotto.errors import CrawlDirectoryError, DamagedStore
from lagotto.events import EventRecord
from lagotto.reasons import Reason, counted_as
from lagotto.records import SEED_SCORE, Fetched, FetchedRow, Found, WarcPlace
from lagotto.store.disk_errors import disk_errors_explained
from lagotto.store.sqlite import database
from lagotto.store.sqlite.checksums import ROW_CHECKSUM, text_checksum
from lagotto.store.sqlite.commands import CommandFile, Mailbox
from lagotto.store.sqlite.events import EVENTS, read_events
from lagotto.store.sqlite.histories import FLOOR, STATES, Histories, hexadecimal, warc_place
from lagotto.store.sqlite.links.rows import unpack
from lagotto.store.sqlite.lock import holder
from lagotto.store.sqlite.recovery import check_before_reading
from lagotto.store.sqlite.schema import ASIDE, HELD, OWNER, QUEUED_HOSTS, STEERED
from lagotto.store.sqlite.snapshots import Snapshots
from lagotto.store.sqlite.texts import decompress
from lagotto.store.warc.reading import read_response, stored_record
from lagotto.store.warc.writer import FOLDER
from lagotto.urls import host_of
from lagotto.views import (
    HostCount,
    JudgedPage,
    MarkedPage,
    Matching,
    PageVersion,
    PageVisit,
    QueuedLink,
    Status,
    StoredPage,
    TakenCommand,
    UrlHistory,
    WaitingLink,
)

SLICE = 100
MOST_TRAPS = 20
"""Traps that `status` names."""

_IS_PAGE = f"status = 200 AND reason != '{Reason.SITEMAP}'"
_STATUS = f"""
SELECT count(*), coalesce(sum({_IS_PAGE}), 0), coalesce(sum(relevant), 0), coalesce(sum(size), 0),
    count(DISTINCT host), min(fetched_at), max(fetched_at)
FROM pages
"""
_REVISITS = "SELECT count(*), coalesce(sum(found = ?), 0) FROM visits"
_VISITS = f"""
SELECT n, page, at, found, status, reason, detail, warc, warc_offset, warc_length
FROM visits WHERE n > ? ORDER BY n LIMIT {SLICE}
"""
_EARLIER = """
SELECT page, fetched_at, title, fingerprint, relevance, relevant, warc, warc_offset, warc_length,
    text, text_checksum
FROM earlier WHERE page = ? ORDER BY n
"""
_PRESENT = """
SELECT p.page, fetched_at, title, fingerprint, relevance, relevant, warc, warc_offset, warc_length,
    t.text, text_checksum
FROM pages p LEFT JOIN texts t USING (page) WHERE page = ?
"""
_TRAPS = """
SELECT detail, count(*) FROM pages WHERE reason = ? GROUP BY detail ORDER BY count(*) DESC, detail LIMIT ?
"""
_HOSTS = f"""
SELECT h.name, count(*), sum({_IS_PAGE}), coalesce(sum(relevant), 0), sum(size)
FROM pages JOIN hosts h ON h.id = host GROUP BY host ORDER BY count(*) DESC, h.name
"""
_ROWS = f"""
SELECT p.page, u.url, coalesce(p.final_url, u.url), p.status, p.fetched_at, p.relevance, p.relevant,
    p.relevance_at_fetch, p.title, u.depth, coalesce(parent.url, u.source, ''), p.score, p.language,
    p.fingerprint, p.reason, {{text}}, p.text_checksum, p.checksum IS {ROW_CHECKSUM},
    p.content_type, p.detail, p.attempts, p.near_duplicate_of,
    p.page IN (SELECT page FROM gone), p.warc, p.warc_offset, p.warc_length
FROM pages p JOIN urls u USING (seq) LEFT JOIN urls parent ON parent.seq = u.parent {{join}}
WHERE {{which}} ORDER BY p.page LIMIT {SLICE}
"""
_TARGETS = f"SELECT page, ids FROM targets WHERE page > ? ORDER BY page LIMIT {SLICE}"
_WAITING = """
SELECT u.seq, u.held, u.url, u.score, u.parts, coalesce(p.url, u.source, ''), u.anchor, u.depth,
    d.retry_at, d.reason, d.detail
FROM urls u LEFT JOIN urls p ON p.seq = u.parent LEFT JOIN deferred d ON d.seq = u.seq
WHERE u.seq > ? AND u.page IS NULL ORDER BY u.seq LIMIT 1000
"""
_JUDGED = f"""
SELECT p.page, u.url, p.title, p.description, p.language, t.text, p.text_checksum,
    coalesce(g.ids, x''), p.score, p.parts, u.depth, p.mark
FROM pages p JOIN urls u USING (seq)
    LEFT JOIN texts t ON t.page = p.page LEFT JOIN targets g ON g.page = p.page
WHERE p.page > ? AND p.relevance IS NOT NULL ORDER BY p.page LIMIT {SLICE}
"""
_HARVEST = f"""
SELECT page, fetched_at, coalesce(relevant, 0) FROM pages WHERE page > ? AND {_IS_PAGE}
ORDER BY page LIMIT {SLICE}
"""
_FETCHED = f"""
SELECT p.page, u.url, coalesce(p.fingerprint, 0), coalesce(p.simhash, 0), coalesce(parent.url, u.source, '')
FROM pages p JOIN urls u USING (seq, page) LEFT JOIN urls parent ON parent.seq = u.parent
WHERE p.page > ? AND p.status = 200 ORDER BY p.page LIMIT {SLICE}
"""
# Queued links that are not in frontier yet; sweep.Sweep says why.
_RECENT = """
SELECT u.score, u.seq
FROM urls u LEFT JOIN swept m ON m.kind = 'frontier' AND m.bucket = u.host >> 32
WHERE u.seq > ? AND u.seq > coalesce(m.seq, 0) AND u.page IS NULL AND NOT u.held
    AND u.seq NOT IN (SELECT seq FROM deferred)
"""
_UNFETCHED = f"""
SELECT seq, url FROM urls WHERE seq > ? AND page IS NULL AND held != {ASIDE} ORDER BY seq LIMIT 1000
"""
_MAY_GO = f"""
SELECT seq, url FROM urls WHERE seq > ? AND {STEERED} AND held != {ASIDE} ORDER BY seq LIMIT 1000
"""
_MARKS = """
SELECT u.url, m.page, m.mark, m.who, m.at
FROM marks m JOIN pages p USING (page) JOIN urls u USING (seq) ORDER BY m.n
"""
_LINK = """
SELECT u.url, u.score, u.parts, coalesce(p.url, u.source, ''), u.anchor, u.depth
FROM urls u LEFT JOIN urls p ON p.seq = u.parent WHERE u.seq = ?
"""


class SqliteReader:
    """Answers questions about the crawl in a directory."""

    def __init__(
        self, db: sqlite3.Connection, directory: Path | None, mailbox: Mailbox, *, shared: bool = False
    ) -> None:
        """`shared`: the connection belongs to a store, so closing the reader leaves it open."""
        self._shared = shared
        self._directory = directory
        self._db = db
        self._mailbox = mailbox
        self._path = Path(database.FILE) if directory is None else directory / database.FILE

    @classmethod
    def open(cls, directory: Path) -> SqliteReader:
        """Look into a crawl, running or not."""
        path = directory / database.FILE
        # Closing a file of our own would drop the locks of the store that this process may have open.
        if holder(directory) != os.getpid():
            database.check_format(path)
            check_before_reading(directory)
        with disk_errors_explained(path):
            return cls(database.connect_to_read(path), directory, CommandFile(directory))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        if not self._shared:
            self._db.close()

    def _query(self, query: str, *values: object) -> list[Any]:
        with disk_errors_explained(self._path), closing(self._db.execute(query, values)) as cursor:
            return cursor.fetchall()

    def _slices(self, query: str, after: int = 0) -> Iterator[Any]:
        """Rows of a query in slices, each beginning after the number that the last one ended with."""
        last = after
        while rows := self._query(query, last):
            yield from rows
            last = rows[-1][0]

    # Figures.

    def status(self) -> Status:
        """The figures of the crawl."""
        [(created,)] = self._query("SELECT value FROM crawl WHERE name = 'created'")
        [(known,)] = self._query("SELECT coalesce(max(seq), 0) FROM urls")
        waiting = dict(
            self._query("SELECT held, count(*) FROM urls INDEXED BY urls_held WHERE held GROUP BY held")
        )
        held, aside = waiting.get(HELD, 0), waiting.get(ASIDE, 0)
        [(deferred,)] = self._query("SELECT count(*) FROM deferred")
        [(revisits, changed)] = self._query(_REVISITS, Found.CHANGED)
        [(gone,)] = self._query("SELECT count(*) FROM gone")
        [(shelved,)] = self._query("SELECT count(*) FROM shelf")
        [(concluded, pages, relevant, size, hosts, first_at, last_at)] = self._query(_STATUS)
        reasons = self._query(
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
            traps=dict(self._query(_TRAPS, Reason.TRAP, MOST_TRAPS)),
            first_at=first_at,
            last_at=last_at,
            revisits=revisits,
            changed=changed,
            gone=gone,
        )

    def learned(self, owner: str = OWNER) -> Restored:
        """What the strategy had learned: its latest snapshot, and the samples since.

        Both as of one moment: a crawl that runs may take the next snapshot between the two.
        """
        with disk_errors_explained(self._path):
            self._db.execute("BEGIN")
            try:
                return Snapshots(self._db, owner).restore()
            finally:
                self._db.execute("ROLLBACK")

    def hosts(self) -> list[HostCount]:
        """What each host has given, most first."""
        return [HostCount(*row) for row in self._query(_HOSTS)]

    def harvest(self) -> Iterator[tuple[int, float, bool]]:
        """Number, time and verdict of each page, in the order of the commits."""
        for number, fetched_at, relevant in self._slices(_HARVEST):
            yield number, fetched_at, bool(relevant)

    def fetched(self) -> Iterator[tuple[str, int, int, str]]:
        """URL, fingerprint, simhash and parent of each answer with status 200, in commit order."""
        for _, url, fingerprint, simhash, parent in self._slices(_FETCHED):
            yield url, fingerprint, simhash, parent

    def best_queued(self, n: int) -> list[QueuedLink]:
        """The n best links that could be leased now, over all hosts."""
        [(floor,)] = self._query(FLOOR, "frontier")
        best = self._query(f"{_RECENT} ORDER BY u.score DESC, u.seq LIMIT ?", floor, n)
        first_of_host = "SELECT score, seq FROM frontier WHERE host = ? ORDER BY score DESC, seq LIMIT ?"
        hosts = [host for (host,) in self._query(QUEUED_HOSTS)]
        heads = [(*self._query(first_of_host, host, 1)[0], host) for host in hosts]
        for _, _, host in heapq.nsmallest(n, heads, key=_best_first):
            best += self._query(first_of_host, host, n)
        chosen = heapq.nsmallest(n, best, key=_best_first)
        return [self._queued_link(seq) for _, seq in chosen]

    def queued_matching(self, pattern: str, n: int = 10) -> Matching:
        """Links held or queued whose URL matches a regular expression."""
        matches = re.compile(pattern).search
        return self._matching(_UNFETCHED, lambda url: matches(url) is not None, n)

    def refused_by(self, patterns: Patterns, n: int = 10) -> Matching:
        """Queued links that patterns would set aside."""
        admitted = patterns.test()
        return self._matching(_MAY_GO, lambda url: not admitted(url), n)

    def _matching(self, query: str, wanted: Callable[[str], bool], n: int) -> Matching:
        found = Matching(0, [])
        for seq, url in self._slices(query):
            if wanted(url):
                found.count += 1
                if len(found.examples) < n:
                    found.examples.append(self._queued_link(seq))
        return found

    def _queued_link(self, seq: int) -> QueuedLink:
        [(url, score, parts, parent, anchor, depth)] = self._query(_LINK, seq)
        return QueuedLink(url, score, unpack(parts), parent, anchor, depth)

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
        query = _rows_query("p.page > ?" + (" AND p.relevant" if relevant_only else ""), with_text)
        for row in self._slices(query, after):
            yield self._stored_page(row, with_text)

    def _stored_page(self, row: tuple[Any, ...], with_text: bool) -> StoredPage:
        (number, url, final_url, status, fetched_at, relevance, relevant, at_fetch, title, depth) = row[:10]
        (parent, score, language, fingerprint, reason, text, checksum, whole, content_type, *more) = row[10:]
        (detail, attempts, near_duplicate_of, gone, *place) = more
        if not whole:
            raise self._damaged(f"page {number}")
        fetched = FetchedRow(
            seq=number,
            url=url,
            final_url=final_url,
            status=status,
            fetched_at=datetime.fromtimestamp(fetched_at, UTC).isoformat(timespec="milliseconds")[:-6] + "Z",
            relevance=relevance,
            relevant=None if relevant is None else bool(relevant),
            relevance_at_fetch=at_fetch,
            title=title,
            depth=depth,
            parent=parent,
            link_score=None if score >= SEED_SCORE else score,
            host=host_of(url),
            language=language,
            fingerprint=hexadecimal(fingerprint),
            reason=reason,
            text=self._text(number, text, checksum) if with_text else None,
        )
        return StoredPage(
            fetched, content_type, warc_place(*place), detail, attempts, near_duplicate_of, bool(gone)
        )

    def pages_at(self, numbers: Iterable[int], *, with_text: bool = False) -> Iterator[StoredPage]:
        """The concluded URLs with these page numbers, in the order of the numbers."""
        wanted = iter(numbers)
        while some := list(islice(wanted, SLICE)):
            query = _rows_query(f"p.page IN ({', '.join('?' * len(some))})", with_text)
            found = {row[0]: row for row in self._query(query, *some)}
            for number in some:
                yield self._stored_page(found[number], with_text)

    def link_targets(self) -> Iterator[tuple[int, bytes]]:
        """Number of each page with links, and the checksums of their URLs as 64-bit integers."""
        yield from self._slices(_TARGETS)

    def waiting_links(self) -> Iterator[WaitingLink]:
        """All links that are not concluded, in order of discovery."""
        for row in self._slices(_WAITING):
            _, held, url, score, parts, parent, anchor, depth, retry_at, reason, detail = row
            yield WaitingLink(
                state=STATES[held] if retry_at is None else "deferred",
                link=QueuedLink(url, score, unpack(parts), parent, anchor, depth),
                retry_at=retry_at,
                waiting_for="" if reason is None else f"{reason} {detail}".strip(),
            )

    def judged_pages(self) -> Iterator[JudgedPage]:
        """Pages that were judged, in the order of the commits, with what judging them again needs."""
        for row in self._slices(_JUDGED):
            number, url, title, description, language, text, checksum, targets, score, parts, depth, mark = (
                row
            )
            yield JudgedPage(
                number=number,
                url=url,
                title=title,
                description=description,
                language=language,
                text=None if text is None else self._text(number, text, checksum),
                targets=targets,
                link_score=score,
                link_parts=unpack(parts),
                depth=depth,
                mark=None if mark is None else bool(mark),
            )

    def visits(self, after: int = 0) -> Iterator[PageVisit]:
        """Later visits to concluded URLs after a number, in the order of the commits."""
        for n, page, at, found, status, reason, detail, *place in self._slices(_VISITS, after):
            yield PageVisit(n, page, at, Found(found), status, reason, detail, warc_place(*place))

    def page_versions(self, url: str) -> list[PageVersion]:
        """What the page at a canonical URL has been like, oldest first, the present one last."""
        history = self.history(url)
        if history is None or history.page is None:
            return []
        number = history.page.number
        return [self._version(row) for row in self._query(_EARLIER, number) + self._query(_PRESENT, number)]

    def _version(self, row: tuple[Any, ...]) -> PageVersion:
        number, fetched_at, title, fingerprint, relevance, relevant, *place, text, checksum = row
        return PageVersion(
            fetched_at=fetched_at,
            title=title,
            text=None if text is None else self._text(number, text, checksum),
            fingerprint=hexadecimal(fingerprint),
            relevance=relevance,
            relevant=None if relevant is None else bool(relevant),
            place=warc_place(*place),
        )

    def events(self, after: int = 0, limit: int = 1000) -> list[EventRecord]:
        """What happened after the event with this number, oldest first."""
        return list(read_events(self._query(EVENTS, after, limit)))

    def last_event(self) -> int:
        """Number of the newest event."""
        [(last,)] = self._query("SELECT coalesce(max(n), 0) FROM events")
        return int(last)

    def body(self, place: WarcPlace) -> Fetched:
        """The answer that a page was made of."""
        return read_response(self._warc_folder(), place)

    def record(self, place: WarcPlace) -> bytes:
        """The compressed WARC record of an answer, as it is stored."""
        return stored_record(self._warc_folder(), place)

    def _warc_folder(self) -> Path:
        if self._directory is None:
            raise CrawlDirectoryError("a crawl in memory keeps no answers")
        return self._directory / FOLDER

    def text(self, number: int) -> str | None:
        """Text of a page, if it was kept."""
        rows = self._query("SELECT text FROM texts WHERE page = ?", number)
        [(checksum,)] = self._query("SELECT text_checksum FROM pages WHERE page = ?", number) or [(None,)]
        text = self._text(number, rows[0][0] if rows else None, checksum)
        return text if rows else None

    def _text(self, number: int, stored: bytes | None, checksum: int | None) -> str:
        """A stored text, empty if none was kept; raises if it is not the one that was."""
        try:
            if (None if stored is None else text_checksum(stored)) != checksum:
                raise ValueError("the checksum is wrong")
            return decompress(stored) if stored else ""
        except ValueError as error:
            raise self._damaged(f"the text of page {number}") from error

    def _damaged(self, what: str) -> DamagedStore:
        return DamagedStore(
            f"{what} in {self._path} is damaged; `lagotto doctor` names all that is, restore it from a copy"
        )

    def history(self, url: str) -> UrlHistory | None:
        """Everything known about a canonical URL; None if the crawl has never met it."""
        return Histories(self._query).history(url)

    # What users did.

    def commands(self) -> list[TakenCommand]:
        """All commands ever sent, oldest first."""
        query = "SELECT n, content, who, at, taken_at, outcome, applied FROM commands ORDER BY n"
        taken = {
            n: TakenCommand(n, content, who, at, taken_at, outcome, bool(applied))
            for n, content, who, at, taken_at, outcome, applied in self._query(query)
        }
        sent = {
            each.n: TakenCommand(each.n, each.content, each.who, each.at) for each in self._mailbox.after(0)
        }
        return [(sent | taken)[n] for n in sorted(sent | taken)]

    def marks(self) -> list[MarkedPage]:
        """Marks that count now, in the order in which they were taken."""
        return [MarkedPage(url, page, bool(on), who, at) for url, page, on, who, at in self._query(_MARKS)]

    def versions(self, kind: str) -> list[Version]:
        """All versions of something, oldest first."""
        query = "SELECT kind, content, version, created FROM versions WHERE kind = ? ORDER BY version"
        return [Version(*row) for row in self._query(query, kind)]


def _best_first(link: tuple[Any, ...]) -> tuple[float, int]:
    return (-link[0], link[1])


def _rows_query(which: str, with_text: bool) -> str:
    return _ROWS.format(
        text="t.text" if with_text else "NULL",
        join="LEFT JOIN texts t ON t.page = p.page" if with_text else "",
        which=which,
    )
