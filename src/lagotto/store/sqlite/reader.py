"""Looking into the crawl of a directory, also while it runs."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from lagotto.base.batch import Restored
from lagotto.base.errors import CrawlDirectoryError
from lagotto.base.urls import checksum
from lagotto.base.views import TakenCommand
from lagotto.store.disk_errors import disk_errors_explained
from lagotto.store.sql.learned import Snapshots
from lagotto.store.sql.reader import OWNER, SqlReader
from lagotto.store.sqlite import database
from lagotto.store.sqlite.commands import CommandFile, Mailbox
from lagotto.store.sqlite.queries import FLOOR, SqliteQueries, best_links
from lagotto.store.sqlite.raw_file import ROW_CHECKSUM
from lagotto.store.sqlite.recovery import check_before_reading
from lagotto.store.warc.writer import FOLDER

_WAITING = "SELECT held, count(*) FROM urls INDEXED BY urls_held WHERE held GROUP BY held"


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
        self._sqlite = SqliteQueries(db, self._path)
        super().__init__(self._sqlite, f"p.checksum IS {ROW_CHECKSUM}")

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
        return best_links(self._sqlite, n, host)

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
