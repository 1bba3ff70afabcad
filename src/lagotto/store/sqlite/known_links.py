"""All known links: discovered, held or queued, raised when found again, deferred, concluded."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Sequence
from math import inf

from lagotto.base.batch import Arrivals, HostHeads, Patterns, Place
from lagotto.base.records import Lease, NewLink
from lagotto.base.urls import checksum, host_of
from lagotto.store.columns import LINKS, listed
from lagotto.store.sql.links import ASIDE, QUEUED, STEERED, Claim, Discovered, Known, Parent
from lagotto.store.sqlite.queue import Hosts, Queue
from lagotto.store.sqlite.schema import HOST_BITS
from lagotto.store.sqlite.seen import Seen
from lagotto.store.values import pack, plain, unpack

_NEW = [column.name for column in LINKS if column.name != "page"]
_INSERT = f"INSERT INTO urls ({listed(_NEW)}) VALUES ({listed('?' * len(_NEW))})"
_KNOWN = f"SELECT {listed(Known._fields)} FROM urls WHERE seq = ?"
_RAISE = """
UPDATE urls SET held = 0, score = ?, depth = ?, hops = ?, parent = ?, source = ?, parts = ?, anchor = ?
WHERE seq = ?
"""
_LEASE = """
SELECT u.url, u.parts, u.depth, coalesce(p.url, u.source, ''), coalesce(d.attempts, 0), u.hops, u.anchor
FROM urls u LEFT JOIN urls p ON p.seq = u.parent LEFT JOIN deferred d ON d.seq = u.seq
WHERE u.seq = ?
"""


class Links:
    """The life of a link between its discovery and its conclusion; all calls belong in a transaction."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._hosts = Hosts(db)
        self._seen = Seen(db)
        self._queue = Queue(db)
        self._deferring: set[int] = set()
        """Hosts that may have deferred links."""
        self.count = 0
        """Known links, which is also the `seq` of the newest."""

    def load(self, *, others_wrote: bool = False) -> None:
        """Read what is kept in memory: at the start, after a rollback, after commits of other workers."""
        self.count = self._db.execute("SELECT coalesce(max(seq), 0) FROM urls").fetchone()[0]
        self._hosts.load()
        self._seen.load(self.count, others_wrote=others_wrote)
        self._queue.load(self.count)
        self._deferring = {host for (host,) in self._db.execute("SELECT DISTINCT host FROM deferred")}
        floor = min(self._seen.floor, self._queue.floor)
        query = """
            SELECT seq, host, score, url, page IS NULL AND NOT held AND seq NOT IN (SELECT seq FROM deferred)
            FROM urls WHERE seq > ?
        """
        for seq, host, score, url, queued in self._db.execute(query, (floor,)):
            id = checksum(url)
            if self._seen.waits(id, seq):
                self._seen.add(id, seq)
            if queued and self._queue.waits(host, seq):
                self._queue.add(host, score, seq)

    def sweep(self) -> None:
        """Move what has been in memory long enough to disk; the last act of every transaction."""
        self._seen.sweep(self.count)
        self._queue.sweep(self.count)

    def find(self, id: int) -> Known | None:
        """A known link by its checksum."""
        seq = self._seen.find(id)
        return None if seq is None else self._known(seq)

    def of_lease(self, lease: Lease) -> Known | None:
        """The link that was leased."""
        known = self._known(lease.seq)
        return known if known is not None and known.url == lease.url else self.find(lease.id)

    def _known(self, seq: int) -> Known | None:
        row = self._db.execute(_KNOWN, (seq,)).fetchone()
        return None if row is None else Known._make(row)

    # Discovery.

    def discover(self, links: Iterable[NewLink], page: Parent) -> Discovered:
        """Queue the links that are new; release or raise those found again with a higher score."""
        leases = []
        fresh: dict[int, NewLink] = {}
        score_of, find = self._seen.scores.get, self._seen.find
        for link in links:
            best = score_of(link.id)
            if best is not None and link.score <= best:
                continue
            seq = find(link.id)
            if seq is None:
                other = fresh.get(link.id)
                if other is None or link.score > other.score:
                    fresh[link.id] = link
                continue
            claim = Claim(seq, link.score, link.parts, link.depth, link.hops, link.anchor)
            lease = self.claim(claim, self._parent(link.parent, page))
            if lease is not None:
                leases.append(lease)
        leases += self._insert(fresh.values(), page, held=False)
        return Discovered(leases, len(fresh))

    def hold(self, links: Sequence[NewLink], page: Parent) -> tuple[list[Claim], int]:
        """Note the links of a shelved page: what it claims of each, and how many were new."""
        fresh: dict[int, NewLink] = {}
        for link in links:
            if self._seen.find(link.id) is None:
                fresh.setdefault(link.id, link)
        self._insert(fresh.values(), page, held=True)
        claims = []
        for link in links:
            seq = self._seen.find(link.id)
            assert seq is not None
            claims.append(Claim(seq, link.score, link.parts, link.depth, link.hops, plain(link.anchor)))
        return claims, len(fresh)

    def _insert(self, links: Iterable[NewLink], page: Parent, *, held: bool) -> list[Lease]:
        rows = []
        leases = []
        seq = self.count
        for link in links:
            seq += 1
            host = self._hosts.number(link.host)
            parent = page if link.parent == page.url else self._parent(link.parent, page)
            source = _source(parent)
            url, anchor = plain(link.url), plain(link.anchor)
            parts = pack(link.parts)
            row = (held, link.depth, link.hops, seq, host, link.score, parent.seq, source, parts, url, anchor)
            rows.append(row)
            self._seen.add(link.id, seq)
            if held:
                continue
            self._seen.scores[link.id] = link.score
            self._queue.add(host, link.score, seq)
            leases.append(
                Lease(
                    id=link.id,
                    url=url,
                    host=link.host,
                    score=link.score,
                    parts=link.parts,
                    depth=link.depth,
                    parent=link.parent,
                    seq=seq,
                    hops=link.hops,
                    anchor=anchor,
                )
            )
        self._db.executemany(_INSERT, rows)
        self.count = seq
        return leases

    def _parent(self, url: str, page: Parent) -> Parent:
        if url == page.url:
            return page
        return Parent(self._seen.find(checksum(url)) if url else None, url)

    def claim(self, claim: Claim, parent: Parent) -> Lease | None:
        """A page says that it links to a known link; returns it if it may be leased and changed."""
        known = self._known(claim.seq)
        assert known is not None
        id = checksum(known.url)
        if known.page is not None:
            self._seen.scores[id] = inf
            return None
        if known.held == ASIDE and claim.depth:
            return None
        if not known.held and claim.score <= known.score:
            self._seen.scores[id] = known.score
            return None
        depth, hops = claim.depth, claim.hops
        if not known.held:
            depth, hops = min(depth, known.depth), min(hops, known.hops)
        anchor, parts = plain(claim.anchor), pack(claim.parts)
        row = (claim.score, depth, hops, parent.seq, _source(parent), parts, anchor, claim.seq)
        self._db.execute(_RAISE, row)
        self._seen.scores[id] = claim.score
        if not known.held and not self._queue.remove(known.host, known.score, known.seq):
            return None  # It is deferred, and stays so.
        self._queue.add(known.host, claim.score, known.seq)
        return Lease(
            id=id,
            url=known.url,
            host=host_of(known.url),
            score=claim.score,
            parts=claim.parts,
            depth=depth,
            parent=parent.url,
            seq=known.seq,
            hops=hops,
            anchor=anchor,
        )

    def release(self, claims: Iterable[Claim], page: Parent) -> list[Lease]:
        """A page left the shelf: take up what it claims; returns links that changed and may be leased."""
        leases = (self.claim(claim, page) for claim in claims)
        return [lease for lease in leases if lease is not None]

    def queued_now(self, claims: Iterable[Claim]) -> list[int]:
        """Which of the claimed links are queued and not deferred, by `seq`."""
        query = """
            SELECT seq FROM urls
            WHERE seq = ? AND page IS NULL AND NOT held AND seq NOT IN (SELECT seq FROM deferred)
        """
        rows = (self._db.execute(query, (claim.seq,)).fetchone() for claim in claims)
        return [row[0] for row in rows if row is not None]

    def rescore(self, id: int, score: float, parts: list[float]) -> None:
        """Give a queued link another score, higher or lower."""
        known = self.find(id)
        if known is None or known.page is not None:
            return
        row = (score, pack(parts), known.seq)
        self._db.execute("UPDATE urls SET score = ?, parts = ? WHERE seq = ?", row)
        if not known.held:
            self._seen.scores[id] = score
            if self._queue.remove(known.host, known.score, known.seq):
                self._queue.add(known.host, score, known.seq)

    # The end of a lease.

    def conclude(self, known: Known, page: int) -> None:
        """The link has its page row now and leaves the queue."""
        self._db.execute("UPDATE urls SET page = ?, held = 0 WHERE seq = ?", (page, known.seq))
        if not self._queue.remove(known.host, known.score, known.seq):
            self._db.execute("DELETE FROM deferred WHERE seq = ?", (known.seq,))
        self._seen.scores[checksum(known.url)] = inf

    def defer(self, known: Known, retry_at: float, attempts: int, reason: str, detail: str) -> None:
        """The link stays queued, but not before its retry time."""
        if known.held == ASIDE:
            return
        self._queue.remove(known.host, known.score, known.seq)
        row = (known.seq, known.host, retry_at, attempts, reason, plain(detail))
        self._db.execute("INSERT OR REPLACE INTO deferred VALUES (?, ?, ?, ?, ?, ?)", row)
        self._deferring.add(known.host)

    # The user's patterns.

    def set_patterns(self, patterns: Patterns, shards: Collection[int]) -> None:
        """Set queued links aside that the patterns refuse, and queue those again that they admit.

        Links that return to other shards than these are left for their workers.
        """
        admitted = patterns.test()
        query = f"SELECT seq, host, score, url, held FROM urls WHERE {STEERED}"
        changed = [
            (seq, host, score, held)
            for seq, host, score, url, held in self._db.execute(query)
            if admitted(url) == (held == ASIDE)
        ]
        for seq, host, score, held in changed:
            if held == ASIDE:
                self._queue.add(host, score, seq)
            elif not self._queue.remove(host, score, seq):
                self._db.execute("DELETE FROM deferred WHERE seq = ?", (seq,))
        rows = [(QUEUED if held == ASIDE else ASIDE, seq) for seq, _, _, held in changed]
        self._db.executemany("UPDATE urls SET held = ? WHERE seq = ?", rows)
        back = ((seq, host >> HOST_BITS) for seq, host, _, held in changed if held == ASIDE)
        self.leave_for_others(seq for seq, shard in back if shard not in shards)

    # The queue.

    def hosts(self, shards: Collection[int]) -> dict[str, Place | None]:
        """Hosts of these shards that have queued links -> place of the best, None where some are deferred."""
        best: dict[int, Place | None] = {**self._queue.best_of_hosts(shards)}
        for (host,) in self._db.execute("SELECT DISTINCT host FROM deferred"):
            if host >> HOST_BITS in shards:
                best[host] = None
        return self._hosts.named(best)

    def heads(self, host: str, n: int, now: float) -> HostHeads:
        """The n best links of the host that may be leased now, and where the best of them stands."""
        number = self._hosts.find(host)
        if number is None:
            return HostHeads()
        best = self._queue.top(number, max(n, 1))
        next_retry: float | None = 0.0 if best else None
        if number in self._deferring:
            if not best:
                next_retry = self._next_retry(number)
            best = sorted(best + self._due(number, now))[: max(n, 1)]
        links = [self._lease(-minus_score, seq) for minus_score, seq in best[:n]]
        return HostHeads(links, best[0] if best else None, next_retry)

    def leave_for_others(self, links: Iterable[int]) -> None:
        """Links, by `seq`, were queued for shards of other workers, which learn of them by `arrivals`."""
        self._db.executemany("INSERT INTO arrivals (seq) VALUES (?)", [(seq,) for seq in links])

    def arrivals(self, since: int | None, shards: Collection[int]) -> Arrivals:
        """Links of these shards that other workers queued after a number and that may be leased now."""
        last: int = self._db.execute("SELECT coalesce(max(n), 0) FROM arrivals").fetchone()[0]
        if since is None or since == last:
            return Arrivals([], last)
        query = """
            SELECT DISTINCT score, seq, host FROM arrivals JOIN urls USING (seq)
            WHERE n > ? AND page IS NULL AND NOT held AND seq NOT IN (SELECT seq FROM deferred) ORDER BY n
        """
        rows = self._db.execute(query, (since,)).fetchall()
        links = [self._lease(score, seq) for score, seq, host in rows if host >> HOST_BITS in shards]
        return Arrivals(links, last)

    def _due(self, host: int, now: float) -> list[Place]:
        """Places of the host's deferred links whose time has come."""
        query = """
            SELECT -u.score, d.seq FROM deferred d JOIN urls u ON u.seq = d.seq
            WHERE d.host = ? AND d.retry_at <= ?
        """
        return self._db.execute(query, (host, now)).fetchall()

    def _next_retry(self, host: int) -> float | None:
        """When the first of the host's deferred links may be leased; None if it has none."""
        query = "SELECT min(retry_at) FROM deferred WHERE host = ?"
        retry_at: float | None = self._db.execute(query, (host,)).fetchone()[0]
        return retry_at

    def _lease(self, score: float, seq: int) -> Lease:
        url, parts, depth, parent, attempts, hops, anchor = self._db.execute(_LEASE, (seq,)).fetchone()
        return Lease(
            id=checksum(url),
            url=url,
            host=host_of(url),
            score=score,
            parts=unpack(parts),
            depth=depth,
            parent=parent,
            seq=seq,
            attempts=attempts,
            hops=hops,
            anchor=anchor,
        )


def _source(parent: Parent) -> str | None:
    """What is kept of a parent that has no row to be pointed at."""
    return plain(parent.url) if parent.seq is None and parent.url else None
