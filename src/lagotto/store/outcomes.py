"""What an outcome changes: its URL, its page row, its links, its sample, its place in the WARC."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from lagotto.records import Outcome
from lagotto.store.learned import Learned
from lagotto.store.links import Links
from lagotto.store.pages import Pages
from lagotto.store.rows import Discovered, Known, Parent
from lagotto.store.shelf import Shelf

LONG_WAIT = 60.0
"""Seconds of waiting after which a deferred link no longer holds up the shelf."""

_NOTE_WARC = """
INSERT INTO warcs VALUES (?, ?) ON CONFLICT DO UPDATE SET committed = max(committed, excluded.committed)
"""


class Outcomes:
    """Spreads outcomes over the tables; all calls belong in a transaction."""

    def __init__(
        self, db: sqlite3.Connection, links: Links, pages: Pages, shelf: Shelf, learned: Learned
    ) -> None:
        self._db = db
        self._links = links
        self._pages = pages
        self._shelf = shelf
        self._learned = learned

    def take(self, outcome: Outcome) -> Discovered:
        """Commit one outcome, unless its URL is concluded already."""
        known = self._links.of_lease(outcome.lease)
        if known is None:
            raise ValueError(f"{outcome.lease.url} was never queued")
        if known.page is not None:
            return Discovered([], 0)
        if outcome.retry_at is not None:
            self._defer(known, outcome, outcome.retry_at)
        else:
            self._links.conclude(known, self._pages.add(outcome, known))
            self._shelf.pass_barrier(known.seq)
        if outcome.sample is not None:
            self._learned.add_sample(outcome.sample)
        return self._take_links(known, outcome)

    def _defer(self, known: Known, outcome: Outcome, retry_at: float) -> None:
        attempts = outcome.lease.attempts + 1
        self._links.defer(known, retry_at, attempts, outcome.reason, outcome.detail)
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

    def note_warcs(self, outcomes: Sequence[Outcome]) -> None:
        """Remember how far each WARC file is committed."""
        places = [outcome.warc for outcome in outcomes if outcome.warc is not None]
        self._db.executemany(_NOTE_WARC, [(place.file, place.offset + place.length) for place in places])
