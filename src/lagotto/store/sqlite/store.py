"""The store on one machine: one SQLite file in the crawl directory.

The calls are coroutines because the protocol is made for networks too; none of them ever suspends.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import inf
from pathlib import Path

from lagotto.base.batch import (
    Arrivals,
    Batch,
    Command,
    Committed,
    Content,
    HostHeads,
    Place,
    Restored,
    Samples,
    Seen,
    ShelfState,
    Spent,
)
from lagotto.base.urls import shard_of
from lagotto.base.views import ShardHolder
from lagotto.store import crash_points
from lagotto.store.disk_errors import disk_errors_explained
from lagotto.store.sql.batches import Batches
from lagotto.store.sql.events import Events
from lagotto.store.sqlite import checksums, database
from lagotto.store.sqlite.commands import Commands, Mailbox
from lagotto.store.sqlite.database import Checkpoints
from lagotto.store.sqlite.doctor import commits_in
from lagotto.store.sqlite.known_links import Links
from lagotto.store.sqlite.lock import Lock
from lagotto.store.sqlite.reader import SqliteReader
from lagotto.store.sqlite.shards import Shards
from lagotto.store.warc.writer import FOLDER, sync_newest


class SqliteStore:
    """The write side of a crawl; `protocols.Store` says what each method promises.

    After a transaction that failed, memory is read again from the database, so the same batch
    can be committed later. The same happens when another connection has written.
    """

    read_ahead = 1

    def __init__(
        self,
        db: sqlite3.Connection,
        directory: Path | None,
        mailbox: Mailbox,
        lock: Lock | None = None,
        *,
        keep_text: bool = True,
    ) -> None:
        self.directory = directory
        self.notes: list[str] = []
        self._db = db
        self._lock = lock
        self._path = Path(database.FILE) if directory is None else directory / database.FILE
        self._mailbox = mailbox
        self._links = Links(db)
        self._events = Events(db)
        self._commands = Commands(db, mailbox, self._events)
        seal = checksums.sealing(db)
        self._batches = Batches(db, self._links, self._events, self._commands, keep_text=keep_text, seal=seal)
        self._owners, self._snapshots = self._batches.owners, self._batches.snapshots
        self._shards = Shards(db)
        self._checkpoints = None if lock is None else Checkpoints(self._path)
        self._commits = 0
        self._version = 0
        self._durable = False
        self._load()
        if lock is not None:
            lock.record(self._commits)

    def keep_each_commit(self) -> None:
        """Have each commit, and the answers it names, on the disk before it is done."""
        if self._lock is not None:
            self._db.execute("PRAGMA synchronous = FULL")
            self._durable = True

    def _load(self, *, others_wrote: bool = False) -> None:
        self._links.load(others_wrote=others_wrote)
        self._batches.load()
        self._snapshots.load()
        self._events.load()
        self._commands.load()
        self._shards.load()
        self._commits = commits_in(self._db)

    def _catch_up(self) -> None:
        """Read memory again if another connection has committed something."""
        version: int = self._db.execute("PRAGMA data_version").fetchone()[0]
        if version != self._version:
            self._version = version
            self._shards.load()
            if commits_in(self._db) != self._commits:
                self._load(others_wrote=True)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing, in the database and in memory."""
        with disk_errors_explained(self._path):
            crash_points.point("commit.before")
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._catch_up()
                yield
                self._events.write()
                self._links.sweep()
                self._commits += 1
                self._db.execute("UPDATE crawl SET value = ? WHERE name = 'commits'", (self._commits,))
                crash_points.point("commit.inside")
                if self._durable:
                    sync_newest(self._path.parent / FOLDER)
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                self._load()
                raise
            crash_points.point("commit.after")
            if self._lock is not None:
                self._lock.record(self._commits)
            if self._checkpoints is not None:
                self._checkpoints.committed()

    # Shards.

    async def acquire(self, shards: Iterable[int], owner: str, lease: float = inf) -> dict[int, int]:
        """Take shards, raising each one's epoch."""
        with self._transaction():
            taken = self._shards.acquire(shards, owner, lease)
            self._owners.enter(owner)
        self._shards.hold(taken, owner, lease)
        self._snapshots.owner = owner
        return taken

    async def renew(self) -> None:
        """Extend the lease of the held shards."""
        with self._transaction():
            self._shards.check()
            self._shards.renew()

    async def release(self, shards: Iterable[int]) -> None:
        """Give shards up."""
        given_up = list(shards)
        with self._transaction():
            self._shards.release(given_up)
        self._shards.drop(given_up)

    async def holders(self) -> list[ShardHolder]:
        """Who holds which shard."""
        return self._shards.holders()

    # Links.

    async def hosts(self) -> dict[str, Place | None]:
        """Hosts that have queued links in the held shards -> place of the best, None where some wait."""
        with disk_errors_explained(self._path):
            self._catch_up()
            return self._links.hosts(self._shards.held)

    async def heads(self, wanted: Mapping[str, int], now: float) -> dict[str, HostHeads]:
        """The best queued links of each host."""
        with disk_errors_explained(self._path):
            return {host: self._links.heads(host, n, now) for host, n in wanted.items()}

    async def arrivals(self, since: int | None) -> Arrivals:
        """Links that other workers queued for the held shards after a number."""
        with disk_errors_explained(self._path):
            self._catch_up()
            return self._links.arrivals(since, self._shards.held)

    # Commits.

    async def commit(self, batch: Batch) -> Committed:
        """Write a batch in one transaction."""
        if batch.id and (answer := self._owners.answer(self._shards.owner, batch.id)) is not None:
            return answer
        with self._transaction():
            outcomes = [*batch.outcomes, *(revisit.outcome for revisit in batch.revisits)]
            self._shards.check({shard_of(outcome.lease.host) for outcome in outcomes})
            committed = self._batches.write(batch, self._shards.owner, self._shards.held)
            if batch.id:
                self._owners.keep_answer(self._shards.owner, batch.id, committed)
            return committed

    # Questions.

    async def seen(self, contents: Sequence[Content]) -> list[Seen]:
        """Which committed pages have these contents."""
        return [self._batches.pages.seen(content) for content in contents]

    async def shelf(self) -> ShelfState:
        """The best page on the shelf, and the links it must wait for."""
        return ShelfState(self._batches.shelf.top(), len(self._batches.shelf.waiting))

    async def samples(self, since: int) -> Samples:
        """Samples after a number, in order."""
        return self._batches.learned.samples(since)

    async def restore(self) -> Restored:
        """This owner's latest snapshot and the samples committed since."""
        return self._snapshots.restore()

    async def spent(self) -> Spent:
        """What all workers have used together."""
        return self._owners.spent()

    async def commands(self) -> list[Command]:
        """Commands that were sent and not yet taken."""
        return self._commands.waiting()

    async def host_waits(self) -> dict[str, float]:
        """Host -> wall-clock time until which it asked to be left alone."""
        return dict(self._db.execute("SELECT host, until FROM host_waits"))

    async def warc_ends(self) -> dict[str, int]:
        """WARC file of this owner -> where its last committed record ends."""
        if not self._shards.owner:
            raise ValueError("WARC files have an owner; call acquire first")
        query = "SELECT file, committed FROM warcs WHERE owner = ? ORDER BY file"
        return dict(self._db.execute(query, (self._shards.owner,)))

    def reader(self) -> SqliteReader:
        """Look into this store, through its own connection."""
        return SqliteReader(self._db, self.directory, self._mailbox, shared=True)

    async def close(self) -> None:
        """Close cleanly, and keep the checksum of what is left behind."""
        lock, self._lock = self._lock, None
        if self._checkpoints is not None:
            self._checkpoints.close()
        if lock is None:
            self._db.close()
            return
        with disk_errors_explained(self._path):
            try:
                self._db.execute("PRAGMA busy_timeout = 1000")  # A reader may hold the log a little longer.
                database.checkpoint(self._db, self._path, mode="TRUNCATE")
                self._db.close()
                lock.release(self._commits, database.digest(self._path))
            finally:
                self._db.close()
                lock.abandon()
