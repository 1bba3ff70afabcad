"""All known links: discovered, held or queued, raised when found again, deferred, concluded."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from math import inf

from lagotto.base.batch import Batch, Patterns
from lagotto.base.records import Lease, NewLink
from lagotto.base.urls import checksum, host_of, shard_of
from lagotto.store.postgres.connection import Connection
from lagotto.store.postgres.link_rows import REMEMBERED, Link, LinkRows, Wait, origin_of
from lagotto.store.sql.database import Cache
from lagotto.store.sql.links import ASIDE, QUEUED, STEERED, Claim, Discovered, Known, Parent
from lagotto.store.values import pack, plain

_STEERED = f"SELECT id, shard, url, held FROM urls WHERE {STEERED}"
_MOVE = """
UPDATE urls SET retry_at = NULL, held = new.held
FROM unnest(?[]::bigint[], ?[]::smallint[], ?[]::smallint[]) AS new (id, shard, held)
WHERE urls.id = new.id AND urls.shard = new.shard
"""


def apply_patterns(db: Connection, patterns: Patterns) -> list[tuple[int, int]]:
    """Set links aside or queue them again; returns checksum and shard of those that are queued again."""
    admitted = patterns.test()
    changed = [
        (id, shard, QUEUED if held == ASIDE else ASIDE)
        for id, shard, url, held in db.execute(_STEERED).fetchall()
        if admitted(url) == (held == ASIDE)
    ]
    if changed:
        db.execute(_MOVE, [list(column) for column in zip(*sorted(changed), strict=True)])
    return [(id, shard) for id, shard, held in changed if held == QUEUED]


class PostgresLinks:
    """The life of a link between its discovery and its conclusion; all calls belong in a transaction."""

    def __init__(self, rows: LinkRows) -> None:
        self._rows = rows
        self._scores: Cache[int, float] = Cache(REMEMBERED)
        """Checksum -> score that a rediscovery must exceed to matter; infinite once concluded."""

    def load(self) -> None:
        """Forget what may have been rolled back."""
        self._scores.clear()
        self._rows.forget()

    def prepare(self, batch: Batch) -> None:
        """Read all links that a batch may change, in one query for each way to name them."""
        wanted: dict[int, int] = {}
        outcomes = [*batch.outcomes, *(revisit.outcome for revisit in batch.revisits)]
        for outcome in outcomes:
            wanted[outcome.lease.id] = shard_of(outcome.lease.host)
        for link in (link for outcome in outcomes for link in outcome.links):
            if self._matters(link):
                wanted[link.id] = shard_of(link.host)
        for seed in batch.seeds:
            wanted[seed.id] = shard_of(seed.host)
        urls = {link.parent for outcome in outcomes for link in outcome.links if link.parent}
        for url in urls.union(mark.url for mark in batch.marks):
            wanted[checksum(url)] = shard_of(host_of(url))
        self._rows.look_up(wanted, [score.id for score in batch.scores])

    def _matters(self, link: NewLink) -> bool:
        best = self._scores.get(link.id)
        return best is None or link.held or link.score > best

    def find(self, id: int) -> Known | None:
        """A known link by its checksum."""
        link = self._rows.get(id)
        return None if link is None else link.known()

    def of_lease(self, lease: Lease) -> Known | None:
        """The link that was leased."""
        return self.find(lease.id)

    # Discovery.

    def discover(self, links: Iterable[NewLink], page: Parent) -> Discovered:
        """Queue the links that are new; release or raise those found again with a higher score."""
        leases: dict[int, Lease] = {}
        new = 0
        for found in links:
            if not self._matters(found):
                continue
            link = self._rows.get(found.id)
            parent = self._parent(found.parent, page)
            if link is None:
                link = self._insert(found, parent, QUEUED)
                new += 1
                lease = link.lease(found.parts, parent.url, found.anchor)
            else:
                claim = Claim(link.seq, found.score, found.parts, found.depth, found.hops, found.anchor)
                raised = self._claim(link, claim, parent)
                if raised is None:
                    continue
                lease = raised
            leases[link.id] = lease
        return Discovered(list(leases.values()), new)

    def hold(self, links: Sequence[NewLink], page: Parent) -> tuple[list[Claim], int]:
        """Note the links of a shelved page: what it claims of each, and how many were new."""
        claims, new = [], 0
        for found in links:
            link = self._rows.get(found.id)
            if link is None:
                link = self._insert(found, self._parent(found.parent, page), held=1)
                new += 1
            anchor = plain(found.anchor)
            claims.append(Claim(link.seq, found.score, found.parts, found.depth, found.hops, anchor))
        return claims, new

    def _insert(self, found: NewLink, parent: Parent, held: int) -> Link:
        link = Link(
            id=found.id,
            shard=shard_of(found.host),
            seq=self._rows.number(),
            host=checksum(found.host),
            url=plain(found.url),
            page=None,
            held=held,
            score=found.score,
            depth=found.depth,
            hops=found.hops,
            retry_at=None,
            origin=origin_of(parent, found.parts, found.anchor),
            new=True,
        )
        self._rows.add(link)
        if held == QUEUED:
            self._scores[link.id] = link.score
        return link

    def _parent(self, url: str, page: Parent) -> Parent:
        if url == page.url:
            return page
        link = self._rows.get(checksum(url)) if url else None
        return Parent(None if link is None else link.seq, url)

    def _claim(self, link: Link, claim: Claim, parent: Parent) -> Lease | None:
        """A page says that it links to a known link; returns it if it may be leased and changed."""
        if link.page is not None:
            self._scores[link.id] = inf
            return None
        if link.held == ASIDE and claim.depth:
            return None
        if not link.held and claim.score <= link.score:
            self._scores[link.id] = link.score
            return None
        link.depth = claim.depth if link.held else min(claim.depth, link.depth)
        link.hops = claim.hops if link.held else min(claim.hops, link.hops)
        link.held, link.score = QUEUED, claim.score
        link.origin = origin_of(parent, claim.parts, claim.anchor)
        self._rows.change(link)
        self._scores[link.id] = claim.score
        if link.retry_at is not None:
            return None  # It is deferred, and stays so.
        return link.lease(claim.parts, parent.url, claim.anchor)

    def release(self, claims: Sequence[Claim], page: Parent) -> list[Lease]:
        """A page left the shelf: take up what it claims; returns links that changed and may be leased."""
        links = self._rows.by_seqs(claim.seq for claim in claims)
        leases = (self._claim(link, claim, page) for link, claim in zip(links, claims, strict=True))
        return [lease for lease in leases if lease is not None]

    def queued_now(self, claims: Iterable[Claim]) -> list[int]:
        """Which of the claimed links are queued and not deferred, by `seq`."""
        return [claim.seq for claim in claims if self._rows.by_seq(claim.seq).queued]

    def rescore(self, id: int, score: float, parts: list[float]) -> None:
        """Give a queued link another score, higher or lower."""
        link = self._rows.get(id)
        if link is None or link.page is not None:
            return
        link.score = score
        if link.origin is not None:
            link.origin.parts = pack(parts)
        else:
            link.parts = pack(parts) or b""
        self._rows.change(link)
        if not link.held:
            self._scores[id] = score

    # The end of a lease.

    def conclude(self, known: Known, page: int) -> None:
        """The link has its page row now and leaves the queue."""
        link = self._rows.by_seq(known.seq)
        link.page, link.held, link.retry_at = page, QUEUED, None
        self._rows.change(link)
        self._scores[link.id] = inf

    def defer(self, known: Known, retry_at: float, attempts: int, reason: str, detail: str) -> None:
        """The link stays queued, but not before its retry time."""
        link = self._rows.by_seq(known.seq)
        if link.held == ASIDE:
            return
        link.retry_at = retry_at
        link.wait = Wait(attempts, reason, detail)
        self._rows.change(link)

    # Links for other workers.

    def set_patterns(self, patterns: Patterns, shards: Collection[int]) -> None:
        """Set queued links aside that the patterns refuse, and queue those again that they admit.

        Links that return to other shards than these are left for their workers.
        """
        self._rows.go_on()
        back = apply_patterns(self._rows.db, patterns)
        self._rows.leave([(id, shard) for id, shard in back if shard not in shards])

    def leave_for_others(self, links: Iterable[int]) -> None:
        """Links, by `seq`, were queued for shards of other workers, which learn of them by `arrivals`."""
        self._rows.leave([(link.id, link.shard) for link in self._rows.by_seqs(links)])
