"""What a visit changes: its URL, its page row, its links, its sample, its place in the WARC.

A first visit is an outcome that concludes a URL or defers it. A later one is a revisit, which keeps what the
page was like before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec
from msgspec import Struct

from lagotto.base.events import Deferred, Revisited
from lagotto.base.records import Found, Lease, Outcome, Reason, Revisit
from lagotto.store.columns import PLACE, VERSION, VISITS, listed
from lagotto.store.sql.database import Database
from lagotto.store.sql.events import Events
from lagotto.store.sql.learned import Learned
from lagotto.store.sql.links import Discovered, Known, Links, Parent
from lagotto.store.sql.pages import Pages
from lagotto.store.sql.shelf import Shelf
from lagotto.store.values import plain

LONG_WAIT = 60.0
"""Seconds of waiting after which a deferred link no longer holds up the shelf."""

_NOTE_WARC = """
INSERT INTO warcs (file, committed, owner) VALUES (?, ?, ?)
ON CONFLICT (file) DO UPDATE SET committed = excluded.committed WHERE excluded.committed > warcs.committed
"""
_KEEP_EARLIER = f"""
INSERT INTO earlier (page, {listed(VERSION)}, text, text_checksum)
SELECT p.page, {listed(VERSION, "p")}, t.text, p.text_checksum
FROM pages p LEFT JOIN texts t USING (page) WHERE p.page = ?
"""
_SET_PLACE = f"UPDATE pages SET {', '.join(f'{name} = ?' for name in PLACE)} WHERE page = ?"
_VISIT = [column.name for column in VISITS[1:]]
_ADD_VISIT = f"INSERT INTO visits ({listed(_VISIT)}) VALUES ({listed('?' * len(_VISIT))})"
_JUDGE = """
UPDATE pages SET relevance = ?, relevant = ?, relevance_by_model = NULL, relevant_by_model = NULL
WHERE page = ? AND mark IS NULL
"""
_JUDGE_MARKED = """
UPDATE pages SET relevance_by_model = ?, relevant_by_model = ? WHERE page = ? AND mark IS NOT NULL
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
        self._note_warcs(outcomes, owner)

    def _note_warcs(self, outcomes: Sequence[Outcome], owner: str) -> None:
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

    # Later visits.

    def revisit(self, revisits: Sequence[Revisit], owner: str, changes: Changes) -> None:
        """Commit revisits; raises `ValueError` for a URL that is not concluded."""
        for revisit in revisits:
            outcome = revisit.outcome
            known = self._links.find(outcome.lease.id)
            if known is None or known.page is None:
                raise ValueError(f"{outcome.lease.url} was never concluded")
            self._revisit(known, known.page, revisit)
            if revisit.found in (Found.CHANGED, Found.MOVED):
                changes.add(self._links.discover(outcome.links, Parent(known.seq, known.url)))
            changes.pages[outcome.lease.id] = known.page
        self._note_warcs([revisit.outcome for revisit in revisits], owner)

    def _revisit(self, known: Known, number: int, revisit: Revisit) -> None:
        outcome, found, warc = revisit.outcome, revisit.found, revisit.outcome.warc
        place = (None, None, None) if warc is None else (warc.file, warc.offset, warc.length)
        reason = plain(outcome.reason)
        row = (number, outcome.fetched_at, found, outcome.status, reason, plain(outcome.detail), *place)
        self._db.execute(_ADD_VISIT, row)
        if found is Found.GONE:
            self._db.execute(
                "INSERT INTO gone VALUES (?, ?) ON CONFLICT DO NOTHING", (number, outcome.fetched_at)
            )
        elif found is not Found.FAILED:
            self._db.execute("DELETE FROM gone WHERE page = ?", (number,))
        if found is Found.CHANGED:
            self._replace(number, outcome)
        elif revisit.restores:
            self._restore(number, outcome, found)
        self._events.add(Revisited(known.url, found, number, outcome.status, reason))

    def _restore(self, number: int, outcome: Outcome, found: Found) -> None:
        """Put the new answer in the place of a lost one; none is there if the server now says something else.

        After no answer at all the page stays as it is, and is asked for again.
        """
        (status,) = self._db.execute("SELECT status FROM pages WHERE page = ?", (number,)).fetchone()
        if outcome.status == status and outcome.warc is not None:
            place: tuple[object, ...] = (outcome.warc.file, outcome.warc.offset, outcome.warc.length)
        elif found is Found.FAILED:
            return
        else:
            place = (None, None, None)
        self._db.execute(_SET_PLACE, (*place, number))
        self._seal([number])

    def _replace(self, number: int, outcome: Outcome) -> None:
        """Put the new version in the place of the old one, which is kept."""
        self._db.execute(_KEEP_EARLIER, (number,))
        self._pages.replace(number, outcome)
        judgement = outcome.judgement
        verdict = (None, None) if judgement is None else (judgement.relevance, judgement.relevant)
        self._db.execute(_JUDGE_MARKED, (*verdict, number))
        self._db.execute(_JUDGE, (*verdict, number))
        self._seal([number])


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
