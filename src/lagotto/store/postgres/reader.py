"""Looking into a crawl in PostgreSQL, from any machine, also while it runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from lagotto.base.batch import Restored
from lagotto.base.errors import CrawlDirectoryError
from lagotto.base.records import WarcPlace
from lagotto.base.urls import SHARDS, checksum, host_of, shard_of
from lagotto.base.views import TakenCommand
from lagotto.store.postgres import database
from lagotto.store.postgres.connection import Connection, plan_by_index
from lagotto.store.postgres.location import PostgresLocation
from lagotto.store.postgres.outages import Outages
from lagotto.store.postgres.queue import BEST_OF_HOSTS
from lagotto.store.postgres.schema import QUEUED
from lagotto.store.sql.database import Queries
from lagotto.store.sql.learned import Snapshots
from lagotto.store.sql.reader import SqlReader
from lagotto.store.warc.archive import ObjectStore
from lagotto.store.warc.reading import stored_record
from lagotto.store.warc.writer import FOLDER

_BEST = f"""
SELECT u.seq FROM ({BEST_OF_HOSTS} ORDER BY score DESC, seq LIMIT ?) AS host CROSS JOIN LATERAL (
    SELECT score, seq FROM urls WHERE shard = host.shard AND host = host.host AND {QUEUED}
    ORDER BY score DESC, seq LIMIT ?
) AS u ORDER BY u.score DESC, u.seq LIMIT ?
"""
_BEST_OF_HOST = f"""
SELECT seq FROM urls WHERE shard = ? AND host = ? AND {QUEUED} ORDER BY score DESC, seq LIMIT ?
"""
T = TypeVar("T")


class PostgresQueries(Queries):
    """Runs queries; a connection that was lost is made anew."""

    def __init__(self, location: PostgresLocation, outages: Outages) -> None:
        super().__init__(location.shown)
        self._location = location
        self._outages = outages
        self.db: Connection
        outages.survive(lambda: None, self._connect, connected=False)

    def _connect(self) -> None:
        self.db = database.open_crawl(self._location)
        plan_by_index(self.db)

    def _reconnect(self) -> None:
        self.db.close()
        self._connect()

    def survive(self, ask: Callable[[Connection], T]) -> T:
        """Ask the database something, again from the beginning if the connection is lost meanwhile."""
        return self._outages.survive(lambda: ask(self.db), self._reconnect)

    def __call__(self, query: str, *values: object) -> list[Any]:
        """All rows of a query."""
        return self.survive(lambda db: db.execute(query, values).fetchall())


class PostgresReader(SqlReader):
    """Answers questions about a crawl, through a connection of its own."""

    def __init__(self, location: PostgresLocation, outages: Outages | None = None) -> None:
        """`outages` are those of a store that it belongs to and that ends it; closing it leaves it open."""
        self._location = location
        self._shared = outages is not None
        self._postgres = PostgresQueries(location, outages or Outages(location.shown, patient=False))
        super().__init__(self._postgres, "TRUE")

    def close(self) -> None:
        """Close the connection."""
        if not self._shared:
            self.end()

    def end(self) -> None:
        """Close the connection in any case."""
        self._postgres.db.close()

    def _waiting(self) -> dict[int, int]:
        return dict(self._queries("SELECT held, count(*) FROM urls WHERE held > 0 GROUP BY held"))

    def learned(self, owner: str = "") -> Restored:
        """What the strategy had learned: the latest snapshot of an owner, and the samples since.

        Without an owner, the snapshot of all owners that covers most samples: they learn the same.
        """

        def restore(db: Connection) -> Restored:
            with db.transaction("REPEATABLE READ"):
                newest = "SELECT owner FROM snapshots ORDER BY samples DESC LIMIT 1"
                row = None if owner else db.execute(newest).fetchone()
                return Snapshots(db, row[0] if row else owner).restore()

        return self._postgres.survive(restore)

    def _best_queued(self, n: int, host: str) -> list[int]:
        if host:
            rows = self._queries(_BEST_OF_HOST, shard_of(host), checksum(host), n)
        else:
            rows = self._queries(_BEST, list(range(SHARDS)), n, n, n)
        return [seq for (seq,) in rows]

    def _named(self, place: WarcPlace) -> str:
        return place.file

    def _stored_record(self, place: WarcPlace) -> bytes:
        files = self._files()
        if "://" in files:
            return ObjectStore(files).read(place)
        return stored_record(self._warc_folder(files), place)

    def _files(self) -> str:
        return self._location.files or self._postgres.survive(database.files_of)

    def _warc_folder(self, files: str = "") -> Path:
        files = files or self._files()
        if not files:
            raise CrawlDirectoryError(f"the crawl in {self._location.shown} keeps no answers")
        return Path(files) / FOLDER

    def _find(self, url: str) -> int | None:
        query = "SELECT seq FROM urls WHERE id = ? AND shard = ?"
        rows = self._queries(query, checksum(url), shard_of(host_of(url)))
        return rows[0][0] if rows else None

    def commands(self) -> list[TakenCommand]:
        """All commands ever sent, oldest first."""
        query = "SELECT n, content, who, at, taken_at, outcome, applied FROM commands ORDER BY n"
        return [TakenCommand(*row) for row in self._queries(query)]
