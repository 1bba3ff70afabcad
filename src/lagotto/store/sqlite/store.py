"""The store on one machine: one SQLite file in the crawl directory.

The calls are coroutines because the protocol is made for networks too; none of them ever suspends.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import inf
from pathlib import Path

from lagotto.batch import (
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
from lagotto.events import Expanded
from lagotto.records import Lease, NewLink
from lagotto.store import crash_points
from lagotto.store.disk_errors import disk_errors_explained
from lagotto.store.sqlite import database
from lagotto.store.sqlite.checkpoints import Checkpoints
from lagotto.store.sqlite.commands import Commands, Mailbox
from lagotto.store.sqlite.events import Events
from lagotto.store.sqlite.learned import Learned
from lagotto.store.sqlite.links.links import Links
from lagotto.store.sqlite.links.rows import Discovered, Parent
from lagotto.store.sqlite.links.shelf import Shelf
from lagotto.store.sqlite.lock import Lock
from lagotto.store.sqlite.outcomes import Changes, Outcomes
from lagotto.store.sqlite.owners import Owners
from lagotto.store.sqlite.pages import Pages
from lagotto.store.sqlite.reader import SqliteReader
from lagotto.store.sqlite.recovery import commits_in
from lagotto.store.sqlite.revisits import Revisits
from lagotto.store.sqlite.shards import Shards
from lagotto.store.sqlite.snapshots import Snapshots
from lagotto.store.sqlite.verdicts import Verdicts
from lagotto.urls import shard_of
from lagotto.views import ShardHolder

_SEED = Parent(None, "")


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
        self._pages = Pages(db, keep_text=keep_text)
        self._shelf = Shelf(db)
        self._learned = Learned(db)
        self._snapshots = Snapshots(db)
        self._events = Events(db)
        self._outcomes = Outcomes(db, self._links, self._pages, self._shelf, self._learned, self._events)
        self._revisits = Revisits(db, self._links, self._pages, self._outcomes, self._events)
        self._verdicts = Verdicts(db, self._links, self._events)
        self._commands = Commands(db, mailbox, self._events)
        self._shards = Shards(db)
        self._owners = Owners(db)
        self._checkpoints = None if lock is None else Checkpoints(self._path)
        self._commits = 0
        self._version = 0
        self._load()
        if lock is not None:
            lock.record(self._commits)

    def _load(self, *, others_wrote: bool = False) -> None:
        self._links.load(others_wrote=others_wrote)
        self._pages.load()
        self._shelf.load()
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
            committed = self._write(batch)
            if batch.id:
                self._owners.keep_answer(self._shards.owner, batch.id, committed)
            return committed

    def _write(self, batch: Batch) -> Committed:
        """Apply a batch, in the order of its fields."""
        owner, changes = self._shards.owner, Changes()
        if batch.outcomes:
            self._outcomes.take(batch.outcomes, owner, changes, content_seen=batch.content_seen)
        if batch.revisits:
            self._revisits.take(batch.revisits, owner, changes)
        if batch.seeds:
            changes.add(self._links.discover(map(_as_link, batch.seeds), _SEED))
        if batch.expand is not None:
            changes.add(self._expand(batch.expand))
        if batch.patterns is not None:
            self._links.set_patterns(batch.patterns, self._shards.held)
        self._shelf.rerank(batch.ranks)
        for score in batch.scores:
            self._links.rescore(score.id, score.score, score.parts)
        self._learned.add_samples(batch.samples)
        self._verdicts.judge(batch.judgements, batch.model)
        for mark in batch.marks:
            self._verdicts.mark(mark)
        self._commands.take(batch.taken)
        if batch.host_waits:
            self._set_host_waits(batch.host_waits)
        for version in batch.versions:
            self._learned.add_version(version)
        self._write_snapshot(batch)
        return Committed(
            added=self._own(changes.leases.values()),
            new=changes.new,
            pages=changes.pages,
            duplicates=changes.duplicates,
            spent=self._owners.spend(owner, changes.concluded, batch.seconds),
        )

    def _own(self, leases: Iterable[Lease]) -> list[Lease]:
        """Those of the links that this worker may lease; the others are left for their workers."""
        if self._shards.holds_all:
            return list(leases)
        others = [lease.seq for lease in leases if not self._shards.holds(lease.host)]
        self._links.leave_for_others(others)
        return [lease for lease in leases if self._shards.holds(lease.host)]

    def _write_snapshot(self, batch: Batch) -> None:
        if batch.snapshot is None:
            self._snapshots.write_next()
            return
        self._snapshots.begin(batch.snapshot)
        crash_points.point("snapshot.inside")

    def _expand(self, page_id: int) -> Discovered:
        """Take a page off the shelf and release its links."""
        taken = self._shelf.take(page_id)
        if taken is None:
            raise ValueError(f"page {page_id} is not on the shelf")
        leases = [self._links.claim(claim, Parent(taken.seq, taken.url)) for claim in taken.claims]
        released = [lease for lease in leases if lease is not None]
        self._shelf.raise_barrier(self._links.queued_now(taken.claims))
        self._events.add(Expanded(taken.url, taken.rank, len(released)))
        return Discovered(released, 0)

    def _set_host_waits(self, waits: Mapping[str, float]) -> None:
        rows = list(waits.items())
        self._db.executemany("INSERT OR REPLACE INTO host_waits VALUES (?, ?)", rows)
        self._db.execute("DELETE FROM host_waits WHERE until <= 0")

    # Questions.

    async def seen(self, contents: Sequence[Content]) -> list[Seen]:
        """Which committed pages have these contents."""
        return [self._pages.seen(content) for content in contents]

    async def shelf(self) -> ShelfState:
        """The best page on the shelf, and the links it must wait for."""
        return ShelfState(self._shelf.top(), len(self._shelf.waiting))

    async def samples(self, since: int) -> Samples:
        """Samples after a number, in order."""
        return self._learned.samples(since)

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
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                self._db.close()
                lock.release(self._commits, database.digest(self._path))
            finally:
                self._db.close()
                lock.abandon()


def _as_link(lease: Lease) -> NewLink:
    return NewLink(
        id=lease.id,
        url=lease.url,
        host=lease.host,
        score=lease.score,
        parts=lease.parts,
        depth=lease.depth,
        parent=lease.parent,
        anchor=lease.anchor,
        hops=lease.hops,
    )
