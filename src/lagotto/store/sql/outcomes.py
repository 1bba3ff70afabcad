"""What an outcome changes: its URL, its page row, its links, its sample, its place in the WARC."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec
from msgspec import Struct

from lagotto.base.events import Deferred
from lagotto.base.records import Lease, Outcome, Reason
from lagotto.store.sql.database import Database
from lagotto.store.sql.learned import Learned
from lagotto.store.sql.links import Links
from lagotto.store.sql.overview import Events
from lagotto.store.sql.pages import Pages
from lagotto.store.sql.rows import Discovered, Known, Parent, plain
from lagotto.store.sql.shelf import Shelf

LONG_WAIT = 60.0
"""Seconds of waiting after which a deferred link no longer holds up the shelf."""

_NOTE_WARC = """
INSERT INTO warcs (file, committed, owner) VALUES (?, ?, ?)
ON CONFLICT (file) DO UPDATE SET committed = excluded.committed WHERE excluded.committed > warcs.committed
"""


class Changes(Struct):
    """What a batch has changed so far."""

    leases: dict[int, Lease] = {}
    """Links that are new or raised and may be leased now, by checksum."""
    new: int = 0
    pages: dict[int, int] = {}
    duplicates: list[int] = []
    concluded: list[Outcome] = []
    """Outcomes as they were stored; without those that were ignored."""

    def add(self, found: Discovered) -> None:
        """Links were found."""
        self.new += found.new
        for lease in found.leases:
            self.leases[lease.id] = lease


class Outcomes:
    """Writes outcomes to the tables; all calls belong in a transaction."""

    def __init__(
        self,
        db: Database,
        links: Links,
        pages: Pages,
        shelf: Shelf,
        learned: Learned,
        events: Events,
        seal: Callable[[Iterable[int]], None],
    ) -> None:
        """`seal` writes the checksums of page rows that have changed."""
        self._seal = seal
        self._db = db
        self._links = links
        self._pages = pages
        self._shelf = shelf
        self._learned = learned
        self._events = events

    def take(self, outcomes: Sequence[Outcome], owner: str, changes: Changes, *, content_seen: bool) -> None:
        """Commit outcomes; one whose URL is already concluded is ignored."""
        with self._pages.contents_of(outcomes):
            for outcome in outcomes:
                self._take(outcome, changes, content_seen=content_seen)
        # A link that was found and settled in the same batch cannot be leased.
        for outcome in outcomes:
            changes.leases.pop(outcome.lease.id, None)
        self._learned.add_samples([each.sample for each in changes.concluded if each.sample is not None])
        self.note_warcs(outcomes, owner)

    def note_warcs(self, outcomes: Sequence[Outcome], owner: str) -> None:
        """Note where the records of these outcomes end."""
        places = [each.warc for each in outcomes if each.warc is not None]
        self._db.executemany(
            _NOTE_WARC, [(place.file, place.offset + place.length, owner) for place in places]
        )

    def _take(self, outcome: Outcome, changes: Changes, *, content_seen: bool) -> None:
        known = self._links.of_lease(outcome.lease)
        if known is None:
            raise ValueError(f"{outcome.lease.url} was never queued")
        if known.page is not None:
            return
        if outcome.retry_at is not None:
            self._defer(known, outcome, outcome.retry_at)
        else:
            if content_seen and (same_as := self._same_as(outcome)):
                outcome = _duplicate(outcome, same_as)
                changes.duplicates.append(outcome.lease.id)
            number = self._pages.add(outcome, known)
            self._links.conclude(known, number)
            self._seal([number])
            self._shelf.pass_barrier(known.seq)
            self._events.page(number)
            changes.pages[outcome.lease.id] = number
        changes.concluded.append(outcome)
        changes.add(self._take_links(known, outcome))

    def _same_as(self, outcome: Outcome) -> str:
        """URL of another page with the same content."""
        if outcome.page is None or outcome.reason:
            return ""
        same = self._pages.content_seen(outcome.page.fingerprint)
        return same if same != outcome.lease.url else ""

    def _defer(self, known: Known, outcome: Outcome, retry_at: float) -> None:
        attempts = outcome.lease.attempts + 1
        self._links.defer(known, retry_at, attempts, outcome.reason, outcome.detail)
        self._events.add(Deferred(known.url, plain(outcome.reason), retry_at))
        if retry_at - outcome.fetched_at > LONG_WAIT:
            self._shelf.pass_barrier(known.seq)

    def _take_links(self, known: Known, outcome: Outcome) -> Discovered:
        page = Parent(known.seq, known.url)
        rank = outcome.judgement.shelf if outcome.judgement is not None else None
        if rank is None:
            return self._links.discover(outcome.links, page)
        found = self._links.discover([link for link in outcome.links if not link.held], page)
        claims, new = self._links.hold([link for link in outcome.links if link.held], page)
        self._shelf.put(outcome.lease.id, self._pages.count, rank, claims)
        return Discovered(found.leases, found.new + new)


def _duplicate(outcome: Outcome, same_as: str) -> Outcome:
    """The outcome of a page whose content another URL was first to bring."""
    return msgspec.structs.replace(
        outcome,
        reason=Reason.DUPLICATE,
        detail=same_as,
        judgement=None,
        links=[],
        left_out={},
        near_duplicate_of="",
        sample=None,
    )
