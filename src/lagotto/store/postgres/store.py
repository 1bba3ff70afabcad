"""The write side of a crawl in PostgreSQL, one object for each worker.

Statements run in a thread of their own, so that fetches go on while the database works. If the connection is
lost, the store connects again and repeats what was not committed.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from importlib.metadata import version
from math import inf
from typing import TypeVar
from uuid import uuid4

import psycopg
from msgspec import Struct

from lagotto.base.batch import (
    Arrivals,
    Batch,
    Census,
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
from lagotto.base.views import ShardHolder, WarcFile
from lagotto.store import crash_points
from lagotto.store.postgres import database
from lagotto.store.postgres.commands import LINKS, Commands, News, notify
from lagotto.store.postgres.connection import Connection, enter
from lagotto.store.postgres.known_links import PostgresLinks
from lagotto.store.postgres.link_rows import LinkRows
from lagotto.store.postgres.outages import Outages
from lagotto.store.postgres.pruning import prune
from lagotto.store.postgres.queue import Queue
from lagotto.store.postgres.reader import PostgresReader
from lagotto.store.postgres.workers import Shards, Team
from lagotto.store.sql.batches import Batches
from lagotto.store.sql.events import Events

T = TypeVar("T")


class _Sent(Struct):
    """A batch whose commit was sent, and what it changed; whether it arrived may be unknown."""

    name: str
    committed: Committed


class PostgresStore:
    """The write side of a crawl; `protocols.Store` says what each method promises."""

    read_ahead = 16

    def __init__(self, db: Connection, *, keep_text: bool = True) -> None:
        self.notes: list[str] = []
        self.db = db
        self.location = db.location
        self._rows = LinkRows(db)
        self._links = PostgresLinks(self._rows)
        self._queue = Queue(db)
        self._events = Events(db)
        self._commands = Commands(db, self._events)
        self._shards = Shards(db)
        self._news: News | None = None
        self._batches = Batches(
            db, self._links, self._events, self._commands, keep_text=keep_text, seal=lambda _: None
        )
        self._team = Team(db, self._shards, self._batches.owners)
        self._closing = threading.Event()
        self._outages = Outages(self.location.shown, self._closing, patient=True)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="postgres")
        self._sent: _Sent | None = None
        self._reader: PostgresReader | None = None
        self._forget()
        enter(db)

    def _forget(self) -> None:
        """Forget what may have been rolled back."""
        self._links.load()
        self._batches.snapshots.load()
        self._events.load()

    # Statements.

    async def _run(self, act: Callable[[], T]) -> T:
        """Run something in the thread of the database, until the database has answered."""
        work = partial(self._outages.survive, act, self._connect_again)
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def _connect_again(self) -> None:
        self.db.reopen()
        database.check_format(self.db, self.location)
        enter(self.db)

    def _transaction(self, work: Callable[[int], T]) -> T:
        """Do work in a transaction of its own; it is told how often shards have changed hands."""
        crash_points.point("commit.before")
        try:
            with self.db.transaction(piped=True):
                row = self.db.execute("SELECT epochs, known FROM counters FOR UPDATE").fetchone()
                assert row is not None
                epochs, known = row
                self._rows.begin(known)
                result = work(epochs)
                crash_points.point("commit.inside")
        except BaseException:
            self._forget()
            raise
        crash_points.point("commit.after")
        return result

    # Shards.

    async def acquire(self, shards: Iterable[int], owner: str, lease: float = inf) -> dict[int, int]:
        """Take shards, raising each one's epoch."""
        wanted = list(shards)

        def work(_: int) -> dict[int, int]:
            taken = self._shards.acquire(wanted, owner, lease)
            self._batches.owners.enter(owner)
            self._team.enter(owner, lease, version("lagotto"))
            return taken

        taken = await self._run(lambda: self._transaction(work))
        self._shards.hold(taken, owner, lease)
        self._batches.snapshots.owner = owner
        return taken

    async def renew(self) -> None:
        """Extend the lease of the held shards."""

        def work(epochs: int) -> None:
            self._shards.check(epochs)
            self._shards.renew()

        await self._run(lambda: self._transaction(work))

    async def release(self, shards: Iterable[int]) -> None:
        """Give shards up."""
        given_up = list(shards)
        await self._run(lambda: self._transaction(lambda _: self._shards.release(given_up)))
        self._shards.drop(given_up)

    async def holders(self) -> list[ShardHolder]:
        """Who holds which shard."""
        return await self._run(self._shards.holders)

    # Other workers.

    async def beat(self, idle_at: int | None) -> Census:
        """Extend the leases, and say that this worker lives; before `acquire`, only look who does."""

        def beat() -> Census:
            if self._shards.owner:
                with self.db.transaction():
                    self._team.beat(self._shards.owner, idle_at)
            return self._team.census()

        return await self._run(beat)

    async def offer(self, best: Place | None) -> Place | None:
        """Say what this worker could lease; returns the best that others could."""
        return await self._run(lambda: self._team.offer(self._shards.owner, best))

    async def offered(self) -> Place | None:
        """The best that other workers could lease."""
        return await self._run(lambda: self._team.offered(self._shards.owner))

    async def take_free(self, most: int) -> dict[int, int]:
        """Take up to so many shards that nobody holds, or whose lease is over."""
        owner, lease = self._shards.owner, self._shards.lease

        def work(_: int) -> dict[int, int]:
            free = self._shards.free()[:most]
            if not free:
                return {}
            self._team.stir(owner)
            return self._shards.acquire(free, owner, lease)

        taken = await self._run(lambda: self._transaction(work))
        self._shards.hold(taken, owner, lease)
        return taken

    async def prune(self) -> None:
        """Remove old arrivals, and rows of workers that are gone."""

        def work() -> None:
            with self.db.transaction():
                prune(self.db)

        await self._run(work)

    async def end(self, why: str) -> None:
        """Tell all workers that the crawl has ended, or that it goes on."""

        def work(_: int) -> None:
            self._team.end(why)
            notify(self.db)

        await self._run(lambda: self._transaction(work))

    async def leave(self) -> None:
        """Release all shards, and say that this worker is gone."""

        def work(_: int) -> None:
            self._team.leave(self._shards.owner)
            notify(self.db)

        await self._run(lambda: self._transaction(work))
        self._shards.drop(list(self._shards.held))

    async def warcs(self) -> list[WarcFile]:
        """All WARC files of the crawl, by name."""
        query = "SELECT file, owner, committed, sealed FROM warcs ORDER BY file"
        return await self._run(lambda: [WarcFile(*row) for row in self.db.execute(query).fetchall()])

    async def seal(self, files: Iterable[str]) -> None:
        """Note that these WARC files are finished and where all can read them."""
        names = list(files)
        query = "UPDATE warcs SET sealed = TRUE WHERE file = ANY(?[]::text[])"
        if names:
            await self._run(lambda: self.db.execute(query, (names,)))

    def watch(self, wake: Callable[[bool], None]) -> None:
        """Have a function called when other workers or users have sent something."""
        self._news = News(self.location, wake)

    # Links.

    async def hosts(self) -> Mapping[str, Place | None]:
        """Hosts that have queued links in the held shards -> place of the best, None where some wait."""
        return await self._run(lambda: self._queue.hosts(self._shards.held))

    async def heads(self, wanted: Mapping[str, int], now: float) -> dict[str, HostHeads]:
        """The best queued links of each host."""
        return await self._run(lambda: self._queue.heads(wanted, now))

    async def arrivals(self, since: int | None) -> Arrivals:
        """Links that other workers queued for the held shards after a number."""
        return await self._run(lambda: self._queue.arrivals(since, self._shards.held))

    # Commits.

    async def commit(self, batch: Batch) -> Committed:
        """Write a batch in one transaction."""
        name = batch.id or f"~{uuid4().hex}"
        return await self._run(lambda: self._commit(batch, name))

    def _commit(self, batch: Batch, name: str) -> Committed:
        """Write a batch, unless an earlier attempt has committed it without our knowing."""
        if (answer := self._answer(name)) is not None:
            return answer

        def work(epochs: int) -> Committed:
            outcomes = [*batch.outcomes, *(revisit.outcome for revisit in batch.revisits)]
            self._shards.check(epochs, {shard_of(outcome.lease.host) for outcome in outcomes})
            self._links.prepare(batch)
            self._batches.load()
            committed = self._batches.write(batch, self._shards.owner, self._shards.held)
            self._rows.write()
            self._events.write()
            self._team.stir(self._shards.owner)
            if batch.id:
                self._batches.owners.keep_answer(self._shards.owner, batch.id, committed)
            else:
                self.db.execute("UPDATE owners SET batch = ? WHERE owner = ?", (name, self._shards.owner))
            if self._rows.left or batch.taken:
                notify(self.db, "" if batch.taken else LINKS)
            self._sent = _Sent(name, committed)
            return committed

        return self._transaction(work)

    def _answer(self, name: str) -> Committed | None:
        """What a batch was answered, if it is the owner's last one."""
        if not name.startswith("~"):
            return self._batches.owners.answer(self._shards.owner, name)
        if self._sent is None or self._sent.name != name:
            return None
        query = "SELECT FROM owners WHERE owner = ? AND batch = ?"
        there = self.db.execute(query, (self._shards.owner, name)).fetchone()
        return None if there is None else self._sent.committed

    # Questions.

    async def seen(self, contents: Sequence[Content]) -> list[Seen]:
        """Which committed pages have these contents."""
        return await self._run(lambda: [self._batches.pages.seen(content) for content in contents])

    async def shelf(self) -> ShelfState:
        """The best page on the shelf, and the links it must wait for."""

        def state() -> ShelfState:
            self._batches.shelf.load()
            return ShelfState(self._batches.shelf.top(), len(self._batches.shelf.waiting))

        return await self._run(state)

    async def samples(self, since: int) -> Samples:
        """Samples after a number, in order."""
        return await self._run(lambda: self._batches.learned.samples(since))

    async def restore(self) -> Restored:
        """This owner's latest snapshot and the samples committed since."""
        return await self._run(self._batches.snapshots.restore)

    async def spent(self) -> Spent:
        """What all workers have used together."""
        return await self._run(self._batches.owners.spent)

    async def commands(self) -> list[Command]:
        """Commands that were sent and not yet taken."""
        return await self._run(self._commands.waiting)

    async def host_waits(self) -> dict[str, float]:
        """Host -> wall-clock time until which it asked to be left alone."""
        query = "SELECT host, until FROM host_waits"
        return await self._run(lambda: dict(self.db.execute(query).fetchall()))

    async def warc_ends(self) -> dict[str, int]:
        """WARC file of this owner -> where its last committed record ends."""
        if not self._shards.owner:
            raise ValueError("WARC files have an owner; call acquire first")
        query = "SELECT file, committed FROM warcs WHERE owner = ? ORDER BY file"
        owner = self._shards.owner
        return await self._run(lambda: dict(self.db.execute(query, (owner,)).fetchall()))

    def reader(self) -> PostgresReader:
        """Look into this store, through a connection of its own."""
        if self._reader is None:
            self._reader = PostgresReader(self.location, self._outages)
        return self._reader

    async def close(self) -> None:
        """Close the connections; what is held stays so until its lease ends."""
        self._closing.set()
        await asyncio.get_running_loop().run_in_executor(self._thread, self._end)
        self._thread.shutdown()

    def _end(self) -> None:
        # The server may take a moment to notice that a connection has ended.
        with suppress(psycopg.Error):
            self.db.execute("SELECT pg_advisory_unlock_all()")
        self.drop()

    def drop(self) -> None:
        """Close all connections."""
        if self._news is not None:
            self._news.close()
        self.db.close()
        if self._reader is not None:
            self._reader.end()
