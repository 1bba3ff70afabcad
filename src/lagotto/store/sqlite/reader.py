"""Looking into the crawl of a directory, also while it runs."""

from __future__ import annotations

import heapq
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from lagotto.base.batch import Restored
from lagotto.base.errors import CrawlDirectoryError
from lagotto.base.records import WarcPlace
from lagotto.base.urls import checksum
from lagotto.base.views import TakenCommand
from lagotto.store.disk_errors import disk_errors_explained
from lagotto.store.sql.database import Queries
from lagotto.store.sql.learned import Snapshots
from lagotto.store.sql.reader import OWNER, SqlReader
from lagotto.store.sqlite import database
from lagotto.store.sqlite.checksums import row_checksum
from lagotto.store.sqlite.commands import CommandFile, Mailbox
from lagotto.store.sqlite.doctor import check_before_reading
from lagotto.store.sqlite.queue import QUEUED_HOSTS
from lagotto.store.warc.reading import stored_record
from lagotto.store.warc.writer import FOLDER

FLOOR = """
SELECT CASE WHEN count(*) < 256 THEN 0 ELSE min(seq) END FROM swept WHERE kind = ?
"""
"""All links up to this `seq` are in the index of this kind."""
# Queued links that are not in frontier yet; `seen.Sweep` says why.
_RECENT = """
SELECT u.score, u.seq
FROM urls u LEFT JOIN swept m ON m.kind = 'frontier' AND m.bucket = u.host >> 32
WHERE u.seq > ? AND u.seq > coalesce(m.seq, 0) AND u.page IS NULL AND NOT u.held
    AND u.seq NOT IN (SELECT seq FROM deferred)
"""
_WAITING = "SELECT held, count(*) FROM urls INDEXED BY urls_held WHERE held GROUP BY held"


class SqliteQueries(Queries):
    """Runs queries on one connection; between two slices the write-ahead log can be emptied."""

    def __init__(self, db: sqlite3.Connection, path: Path) -> None:
        super().__init__(str(path))
        self.db = db
        self.path = path

    def __call__(self, query: str, *values: object) -> list[Any]:
        """All rows of a query."""
        with disk_errors_explained(self.path), closing(self.db.execute(query, values)) as cursor:
            return cursor.fetchall()


class SqliteReader(SqlReader):
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
        super().__init__(SqliteQueries(db, self._path), f"p.checksum IS {row_checksum(db)}")

    @classmethod
    def open(cls, directory: Path) -> SqliteReader:
        """Look into a crawl, running or not."""
        path = directory / database.FILE
        database.check_format(path)
        check_before_reading(directory)
        with disk_errors_explained(path):
            return cls(database.connect_to_read(path), directory, CommandFile(directory))

    def close(self) -> None:
        """Close the connection."""
        if not self._shared:
            self._db.close()

    def _waiting(self) -> dict[int, int]:
        return dict(self._queries(_WAITING))

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

    def _best_queued(self, n: int, host: str) -> list[int]:
        [(floor,)] = self._queries(FLOOR, "frontier")
        first_of_host = "SELECT score, seq FROM frontier WHERE host = ? ORDER BY score DESC, seq LIMIT ?"
        order = "ORDER BY u.score DESC, u.seq LIMIT ?"
        if host:
            [(id,)] = self._queries("SELECT id FROM hosts WHERE name = ?", host) or [(-1,)]
            best = self._queries(f"{_RECENT} AND u.host = ? {order}", floor, id, n)
            hosts = [id] if self._queries(first_of_host, id, 1) else []
        else:
            best = self._queries(f"{_RECENT} {order}", floor, n)
            hosts = [id for (id,) in self._queries(QUEUED_HOSTS)]
        heads = [(*self._queries(first_of_host, id, 1)[0], id) for id in hosts]
        for _, _, id in heapq.nsmallest(n, heads, key=_best_first):
            best += self._queries(first_of_host, id, n)
        return [seq for _, seq in heapq.nsmallest(n, best, key=_best_first)]

    def _stored_record(self, place: WarcPlace) -> bytes:
        return stored_record(self._warc_folder(), place)

    def _named(self, place: WarcPlace) -> str:
        return str(self._warc_folder() / place.file)

    def _warc_folder(self) -> Path:
        if self._directory is None:
            raise CrawlDirectoryError("a crawl in memory keeps no answers")
        return self._directory / FOLDER

    def _find(self, url: str) -> int | None:
        rows = self._queries("SELECT seq FROM known WHERE id = ?", checksum(url))
        if not rows:
            [(floor,)] = self._queries(FLOOR, "known")
            rows = self._queries("SELECT seq FROM urls WHERE seq > ? AND url = ?", floor, url)
        return rows[0][0] if rows else None

    def commands(self) -> list[TakenCommand]:
        """All commands ever sent, oldest first."""
        query = "SELECT n, content, who, at, taken_at, outcome, applied FROM commands ORDER BY n"
        taken = {
            n: TakenCommand(n, content, who, at, taken_at, outcome, bool(applied))
            for n, content, who, at, taken_at, outcome, applied in self._queries(query)
        }
        sent = {
            each.n: TakenCommand(each.n, each.content, each.who, each.at) for each in self._mailbox.after(0)
        }
        return [(sent | taken)[n] for n in sorted(sent | taken)]


def _best_first(link: tuple[Any, ...]) -> tuple[float, int]:
    return (-link[0], link[1])
