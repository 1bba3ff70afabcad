"""Looking into a crawl: figures, rows, and the whole story of one URL, also while it runs.

A reader never writes. Long readings go in slices, so that the crawl's write-ahead log can be
emptied meanwhile.
"""

from __future__ import annotations

import heapq
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

import msgspec

from lagotto.errors import CrawlDirectoryError
from lagotto.records import Fetched, FetchedRow, Reason, WarcPlace
from lagotto.store import database
from lagotto.store.lock import holder
from lagotto.store.plainly import said_plainly
from lagotto.store.rows import unpack
from lagotto.store.schema import QUEUED_HOSTS
from lagotto.store.snapshots import Snapshots
from lagotto.store.stories import HostCount, PageStory, QueuedLink, Status, Step, StoredPage, Story
from lagotto.store.texts import unsqueeze
from lagotto.store.warc import FOLDER
from lagotto.store.warc_reading import read_response
from lagotto.urls import checksum, host_of

SLICE = 100
LONGEST_PATH = 1000
"""Steps back towards a seed that are followed at most."""

_IS_PAGE = f"status = 200 AND reason != '{Reason.SITEMAP}'"
_STATUS = f"""
SELECT count(*), coalesce(sum({_IS_PAGE}), 0), coalesce(sum(relevant), 0), coalesce(sum(size), 0),
    count(DISTINCT host), min(fetched_at), max(fetched_at)
FROM pages
"""
_REASONS = (
    "SELECT reason, count(*) FROM pages WHERE reason != '' GROUP BY reason ORDER BY count(*) DESC, reason"
)
_HOSTS = f"""
SELECT h.name, count(*), sum({_IS_PAGE}), coalesce(sum(relevant), 0), sum(size)
FROM pages JOIN hosts h ON h.id = host GROUP BY host ORDER BY count(*) DESC, h.name
"""
_ROWS = f"""
SELECT p.page, u.url, coalesce(p.final_url, u.url), p.status, p.fetched_at, p.relevance, p.relevant,
    p.title, u.depth, coalesce(parent.url, u.source, ''), p.score, p.language, p.fingerprint, p.reason,
    {{text}}, p.content_type, p.warc, p.warc_offset, p.warc_length
FROM pages p JOIN urls u USING (seq) LEFT JOIN urls parent ON parent.seq = u.parent {{join}}
WHERE p.page > ? {{only}} ORDER BY p.page LIMIT {SLICE}
"""
_HARVEST = f"""
SELECT page, fetched_at, coalesce(relevant, 0) FROM pages WHERE page > ? AND {_IS_PAGE}
ORDER BY page LIMIT {SLICE}
"""
_FETCHED = f"""
SELECT page, url, coalesce(simhash, 0) FROM pages JOIN urls USING (seq, page) WHERE page > ? AND status = 200
ORDER BY page LIMIT {SLICE}
"""
_FLOOR = """
SELECT CASE WHEN count(*) < 256 THEN 0 ELSE min(seq) END FROM marks WHERE kind = ?
"""
# Queued links that are not in frontier yet; sweep.Sweep says why.
_RECENT = """
SELECT u.score, u.seq
FROM urls u LEFT JOIN marks m ON m.kind = 'frontier' AND m.bucket = u.host >> 32
WHERE u.seq > ? AND u.seq > coalesce(m.seq, 0) AND u.page IS NULL AND NOT u.held
    AND u.seq NOT IN (SELECT seq FROM deferred)
"""
_LINK = """
SELECT u.url, u.score, u.parts, coalesce(p.url, u.source, ''), u.anchor, u.depth
FROM urls u LEFT JOIN urls p ON p.seq = u.parent WHERE u.seq = ?
"""
_STEP = """
SELECT u.url, u.anchor, coalesce(p.score, u.score), coalesce(p.parts, u.parts), u.depth,
    coalesce(p.title, ''), p.relevance, p.relevant, coalesce(p.reason, ''), u.parent
FROM urls u LEFT JOIN pages p ON p.page = u.page WHERE u.seq = ?
"""


class CrawlReader:
    """Answers questions about the crawl in a directory."""

    def __init__(self, db: sqlite3.Connection, directory: Path | None) -> None:
        self.directory = directory
        self._db = db
        self._path = Path(database.FILE) if directory is None else directory / database.FILE

    @classmethod
    def open(cls, directory: Path) -> CrawlReader:
        """Look into a crawl, running or not."""
        path = directory / database.FILE
        # Closing a file of our own would drop the locks of the store that this process may have open.
        if holder(directory) != os.getpid():
            database.look_at(path)
        with said_plainly(path):
            return cls(database.connect_to_read(path), directory)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the database go."""
        self._db.close()

    def _query(self, query: str, *values: object) -> list[Any]:
        with said_plainly(self._path), closing(self._db.execute(query, values)) as cursor:
            return cursor.fetchall()

    def _slices(self, query: str) -> Iterator[Any]:
        """Rows of a query in slices, each picked up after the number that the last one ended with."""
        last = 0
        while rows := self._query(query, last):
            yield from rows
            last = rows[-1][0]

    # Figures.

    def status(self) -> Status:
        """The figures of the crawl."""
        [(created,)] = self._query("SELECT value FROM crawl WHERE name = 'created'")
        [(known,)] = self._query("SELECT coalesce(max(seq), 0) FROM urls")
        [(held,)] = self._query("SELECT count(*) FROM urls INDEXED BY urls_held WHERE held")
        [(deferred,)] = self._query("SELECT count(*) FROM deferred")
        [(shelved,)] = self._query("SELECT count(*) FROM shelf")
        [(concluded, pages, relevant, size, hosts, first_at, last_at)] = self._query(_STATUS)
        reasons = self._query(
            "SELECT reason, count(*) FROM pages WHERE reason != '' GROUP BY 1 ORDER BY 2 DESC"
        )
        return Status(
            created=created,
            known=known,
            queued=known - concluded - held,
            deferred=deferred,
            held=held,
            shelved=shelved,
            concluded=concluded,
            pages=pages,
            relevant=relevant,
            bytes=size,
            hosts=hosts,
            reasons=dict(reasons),
            first_at=first_at,
            last_at=last_at,
        )

    def learned(self) -> tuple[bytes | None, list[bytes]]:
        """What the strategy had learned: its latest snapshot, and the samples since.

        Both as of one moment: a crawl that runs may take the next snapshot between the two.
        """
        with said_plainly(self._path):
            self._db.execute("BEGIN")
            try:
                return Snapshots(self._db).restore()
            finally:
                self._db.execute("ROLLBACK")

    def hosts(self) -> list[HostCount]:
        """What each host has given, most first."""
        return [HostCount(*row) for row in self._query(_HOSTS)]

    def harvest(self) -> Iterator[tuple[int, float, bool]]:
        """Number, time and verdict of each page, in the order of the commits."""
        for number, fetched_at, relevant in self._slices(_HARVEST):
            yield number, fetched_at, bool(relevant)

    def fetched(self) -> Iterator[tuple[str, int]]:
        """URL and simhash of each answer with status 200, in the order of the commits."""
        for _, url, simhash in self._slices(_FETCHED):
            yield url, simhash

    def best_queued(self, n: int) -> list[QueuedLink]:
        """The n best links that could be leased now, over all hosts."""
        [(floor,)] = self._query(_FLOOR, "frontier")
        best = self._query(f"{_RECENT} ORDER BY u.score DESC, u.seq LIMIT ?", floor, n)
        first_of_host = "SELECT score, seq FROM frontier WHERE host = ? ORDER BY score DESC, seq LIMIT ?"
        hosts = [host for (host,) in self._query(QUEUED_HOSTS)]
        heads = [(*self._query(first_of_host, host, 1)[0], host) for host in hosts]
        for _, _, host in heapq.nsmallest(n, heads, key=_best_first):
            best += self._query(first_of_host, host, n)
        chosen = heapq.nsmallest(n, best, key=_best_first)
        return [self._queued_link(seq) for _, seq in chosen]

    def _queued_link(self, seq: int) -> QueuedLink:
        [(url, score, parts, parent, anchor, depth)] = self._query(_LINK, seq)
        return QueuedLink(url, score, unpack(parts), parent, anchor, depth)

    # Rows.

    def rows(self, *, with_text: bool = False, relevant_only: bool = False) -> Iterator[FetchedRow]:
        """Concluded URLs in the order of the commits."""
        for stored in self.stored_pages(with_text=with_text, relevant_only=relevant_only):
            yield stored.row

    def stored_pages(self, *, with_text: bool = False, relevant_only: bool = False) -> Iterator[StoredPage]:
        """Concluded URLs in the order of the commits, and where their bodies lie."""
        query = _ROWS.format(
            text="t.text" if with_text else "NULL",
            join="LEFT JOIN texts t ON t.page = p.page" if with_text else "",
            only="AND p.relevant" if relevant_only else "",
        )
        for row in self._slices(query):
            yield _stored_page(row, with_text)

    def body(self, place: WarcPlace) -> Fetched:
        """The answer that a page was made of."""
        if self.directory is None:
            raise CrawlDirectoryError("a crawl in memory keeps no answers")
        return read_response(self.directory / FOLDER, place)

    def text(self, number: int) -> str | None:
        """Text of a page, if it was kept."""
        rows = self._query("SELECT text FROM texts WHERE page = ?", number)
        return unsqueeze(rows[0][0]) if rows else None

    # One URL.

    def story(self, url: str) -> Story | None:
        """All that is known about a canonical URL; None if it never came up."""
        seq = self._find(url)
        if seq is None:
            return None
        [(page, held)] = self._query("SELECT page, held FROM urls WHERE seq = ?", seq)
        story = Story(url, "held" if held else "queued", seq, host_of(url), self._path_to(seq))
        if page is not None:
            story.state, story.page = "concluded", self._page_story(page, url)
        for retry_at, attempts, reason, detail in self._query(
            "SELECT retry_at, attempts, reason, detail FROM deferred WHERE seq = ?", seq
        ):
            story.state, story.retry_at, story.attempts = "deferred", retry_at, attempts
            story.waiting_for = f"{reason} {detail}".strip()
        return story

    def _find(self, url: str) -> int | None:
        rows = self._query("SELECT seq FROM known WHERE id = ?", checksum(url))
        if not rows:
            [(floor,)] = self._query(_FLOOR, "known")
            rows = self._query("SELECT seq FROM urls WHERE seq > ? AND url = ?", floor, url)
        return rows[0][0] if rows else None

    def _path_to(self, seq: int | None) -> list[Step]:
        path: list[Step] = []
        while seq is not None and len(path) < LONGEST_PATH:
            [row] = self._query(_STEP, seq)
            url, anchor, score, parts, depth, title, relevance, relevant, reason, seq = row
            verdict = None if relevant is None else bool(relevant)
            path.append(Step(url, anchor, score, unpack(parts), depth, title, relevance, verdict, reason))
        path.reverse()
        return path

    def _page_story(self, number: int, url: str) -> PageStory:
        with closing(self._db.execute("SELECT * FROM pages WHERE page = ?", (number,))) as cursor:
            names = [column[0] for column in cursor.description]
            row = dict(zip(names, cursor.fetchone(), strict=True))
        ranks = self._query("SELECT rank FROM shelf WHERE id = ?", checksum(url))
        row |= {
            "number": number,
            "final_url": row["final_url"] or url,
            "relevant": None if row["relevant"] is None else bool(row["relevant"]),
            "judged": msgspec.json.decode(row["judged"]) if row["judged"] else {},
            "fingerprint": _hex(row["fingerprint"]),
            "truncated": bool(row["truncated"]),
            "place": _place(row["warc"], row["warc_offset"], row["warc_length"]),
            "rank": ranks[0][0] if ranks else None,
        }
        return PageStory(**{name: row[name] for name in PageStory.__struct_fields__})


def _best_first(link: tuple[Any, ...]) -> tuple[float, int]:
    return (-link[0], link[1])


def _stored_page(row: tuple[Any, ...], with_text: bool) -> StoredPage:
    (number, url, final_url, status, fetched_at, relevance, relevant, title, depth, parent, score) = row[:11]
    (language, fingerprint, reason, text, content_type, *place) = row[11:]
    fetched = FetchedRow(
        seq=number,
        url=url,
        final_url=final_url,
        status=status,
        fetched_at=datetime.fromtimestamp(fetched_at, UTC).isoformat(timespec="milliseconds")[:-6] + "Z",
        relevance=relevance,
        relevant=None if relevant is None else bool(relevant),
        title=title,
        depth=depth,
        parent=parent,
        link_score=score,
        host=host_of(url),
        language=language,
        fingerprint=_hex(fingerprint),
        reason=reason,
        text=(unsqueeze(text) if text else "") if with_text else None,
    )
    return StoredPage(fetched, content_type, _place(*place))


def _place(file: str | None, offset: int, length: int) -> WarcPlace | None:
    return None if file is None else WarcPlace(file, offset, length)


def _hex(fingerprint: int | None) -> str:
    return "" if fingerprint is None else f"{fingerprint & (1 << 64) - 1:016x}"
