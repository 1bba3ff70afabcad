"""Applying a batch: each of its fields, in their order, in one transaction of the store."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Protocol

from lagotto.base.batch import Batch, Committed, Taken
from lagotto.base.events import Expanded
from lagotto.base.records import Lease, NewLink
from lagotto.base.urls import SHARDS, shard_of
from lagotto.store import crash_points
from lagotto.store.sql.database import Database
from lagotto.store.sql.events import Events
from lagotto.store.sql.learned import Learned, Snapshots
from lagotto.store.sql.links import Discovered, Links, Parent
from lagotto.store.sql.outcomes import Changes, Outcomes
from lagotto.store.sql.pages import Pages
from lagotto.store.sql.shelf import Owners, Shelf
from lagotto.store.sql.verdicts import Verdicts

_SEED = Parent(None, "")
_SET_WAIT = "INSERT INTO host_waits VALUES (?, ?) ON CONFLICT (host) DO UPDATE SET until = excluded.until"


class Commands(Protocol):
    """Commands that were sent to the crawl."""

    def take(self, taken: Iterable[Taken]) -> None:
        """Record what came of commands; one that is taken already, or that was never sent, is an error."""
        ...


class Batches:
    """Writes batches to the tables, and answers what they changed."""

    def __init__(
        self,
        db: Database,
        links: Links,
        events: Events,
        commands: Commands,
        *,
        keep_text: bool,
        seal: Callable[[Iterable[int]], None],
    ) -> None:
        """`seal` writes the checksums of page rows that have changed."""
        self._db = db
        self._links = links
        self._events = events
        self._commands = commands
        self.pages = Pages(db, keep_text=keep_text)
        self.shelf = Shelf(db)
        self.learned = Learned(db)
        self.snapshots = Snapshots(db)
        self.owners = Owners(db)
        self._outcomes = Outcomes(db, links, self.pages, self.shelf, self.learned, events, seal)
        self._verdicts = Verdicts(db, links, events, seal)

    def load(self) -> None:
        """Read what is kept in memory: at the start, after a rollback, after commits of other workers."""
        self.pages.load()
        self.shelf.load()

    def write(self, batch: Batch, owner: str, held: Collection[int]) -> Committed:
        """Apply a batch of an owner that holds these shards."""
        changes = Changes()
        if batch.outcomes:
            self._outcomes.take(batch.outcomes, owner, changes, content_seen=batch.content_seen)
        if batch.revisits:
            self._outcomes.revisit(batch.revisits, owner, changes)
        if batch.seeds:
            changes.add(self._links.discover(map(_as_link, batch.seeds), _SEED))
        if batch.expand is not None:
            changes.add(self._expand(batch.expand))
        if batch.patterns is not None:
            self._links.set_patterns(batch.patterns, held)
        self.shelf.rerank(batch.ranks)
        for score in batch.scores:
            self._links.rescore(score.id, score.score, score.parts)
        self.learned.add_samples(batch.samples)
        self._verdicts.judge(batch.judgements, batch.model)
        for mark in batch.marks:
            self._verdicts.mark(mark)
        self._commands.take(batch.taken)
        if batch.host_waits:
            self._set_host_waits(batch.host_waits)
        for version in batch.versions:
            self.learned.add_version(version)
        self._write_snapshot(batch)
        return Committed(
            added=self._own(list(changes.leases.values()), held),
            new=changes.new,
            pages=changes.pages,
            duplicates=changes.duplicates,
            spent=self.owners.spend(owner, changes.concluded, batch.seconds),
        )

    def _own(self, leases: list[Lease], held: Collection[int]) -> list[Lease]:
        """Those of the links that this worker may lease; the others are left for their workers."""
        if len(held) == SHARDS:
            return leases
        self._links.leave_for_others(lease.seq for lease in leases if shard_of(lease.host) not in held)
        return [lease for lease in leases if shard_of(lease.host) in held]

    def _write_snapshot(self, batch: Batch) -> None:
        if batch.snapshot is None:
            self.snapshots.write_next()
            return
        self.snapshots.begin(batch.snapshot)
        crash_points.point("snapshot.inside")

    def _expand(self, page_id: int) -> Discovered:
        """Take a page off the shelf and release its links."""
        taken = self.shelf.take(page_id)
        if taken is None:
            raise ValueError(f"page {page_id} is not on the shelf")
        released = self._links.release(taken.claims, Parent(taken.seq, taken.url))
        self.shelf.raise_barrier(self._links.queued_now(taken.claims))
        self._events.add(Expanded(taken.url, taken.rank, len(released)))
        return Discovered(released, 0)

    def _set_host_waits(self, waits: Mapping[str, float]) -> None:
        self._db.executemany(_SET_WAIT, list(waits.items()))
        self._db.execute("DELETE FROM host_waits WHERE until <= 0")


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
