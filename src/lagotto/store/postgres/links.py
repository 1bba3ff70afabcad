"""All known links: discovered, held or queued, raised when found again, deferred, concluded.

A commit reads the rows that it needs in one query, changes them in memory and writes what changed at its end,
sorted by shard and checksum. No other commit changes them meanwhile.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from math import inf

from msgspec import Struct

from lagotto.batch import Batch, Patterns
from lagotto.records import Lease, NewLink
from lagotto.store.postgres.connection import Connection
from lagotto.store.sql.cache import Cache
from lagotto.store.sql.rows import ASIDE, QUEUED, STEERED, Claim, Discovered, Known, Parent, pack
from lagotto.store.sql.texts import plain
from lagotto.urls import checksum, host_of, shard_of

REMEMBERED = 200_000
"""Links whose score, and hosts whose row, a worker remembers."""
_COLUMNS = "id, shard, seq, host, url, page, held, score, depth, hops, retry_at"
_BY_SHARD = f"""
SELECT {_COLUMNS}
FROM unnest(?[]::bigint[], ?[]::smallint[]) AS wanted (id, shard) JOIN urls USING (id, shard)
"""
_BY_ID = f"SELECT {_COLUMNS} FROM urls WHERE id = ANY(?[]::bigint[])"
_BY_SEQ = f"SELECT {_COLUMNS} FROM urls WHERE seq = ANY(?[]::bigint[])"
_INSERT = """
INSERT INTO urls (id, shard, seq, host, held, score, depth, hops, parent, source, parts, url, anchor,
    page, retry_at, attempts, reason, detail)
SELECT * FROM unnest(?[]::bigint[], ?[]::smallint[], ?[]::bigint[], ?[]::bigint[], ?[]::smallint[],
    ?[]::double precision[], ?[]::integer[], ?[]::integer[], ?[]::bigint[], ?[]::text[], ?[]::bytea[],
    ?[]::text[], ?[]::text[], ?[]::bigint[], ?[]::double precision[], ?[]::integer[], ?[]::text[],
    ?[]::text[])
"""
_UPDATE = """
UPDATE urls SET {columns} FROM unnest(?[]::bigint[], ?[]::smallint[], {types}) AS new (id, shard, {names})
WHERE urls.id = new.id AND urls.shard = new.shard
"""
_KEEP_HOSTS = """
INSERT INTO hosts SELECT * FROM unnest(?[]::bigint[], ?[]::text[]) ON CONFLICT DO NOTHING
"""
_LEAVE = "INSERT INTO arrivals (id, shard) SELECT * FROM unnest(?[]::bigint[], ?[]::smallint[])"


def _update(**types: str) -> str:
    names = list(types)
    return _UPDATE.format(
        columns=", ".join(f"{name} = new.{name}" for name in names),
        types=", ".join(f"?[]::{types[name]}[]" for name in names),
        names=", ".join(names),
    )


_SET_STATE = _update(page="bigint", held="smallint", score="double precision", retry_at="double precision")
_SET_ORIGIN = _update(
    depth="integer", hops="integer", parent="bigint", source="text", parts="bytea", anchor="text"
)
_SET_PARTS = _update(parts="bytea")
_SET_WAIT = _update(attempts="integer", reason="text", detail="text")


class _Origin(Struct):
    """What led to a link."""

    parent: int | None
    source: str | None
    parts: bytes | None
    anchor: str


class _Wait(Struct):
    """Why a link is deferred."""

    attempts: int
    reason: str
    detail: str


class _Link(Struct):
    """A row of `urls`, as it is after the changes so far."""

    id: int
    shard: int
    seq: int
    host: int
    url: str
    page: int | None
    held: int
    score: float
    depth: int
    hops: int
    retry_at: float | None
    origin: _Origin | None = None
    """Set if the link is new, or was raised."""
    parts: bytes | None = None
    """New parts of its score."""
    wait: _Wait | None = None
    new: bool = False

    @property
    def queued(self) -> bool:
        """Whether it may be leased now."""
        return self.page is None and not self.held and self.retry_at is None

    def known(self) -> Known:
        """What others need of it."""
        return Known(self.seq, self.url, self.host, self.page, self.held, self.score, self.depth, self.hops)


class PostgresLinks:
    """The life of a link between its discovery and its conclusion; all calls belong in a transaction."""

    def __init__(self, db: Connection) -> None:
        self.db = db
        self._links: dict[int, _Link] = {}
        self._by_seq: dict[int, _Link] = {}
        self._looked_up: set[int] = set()
        self._changed: dict[int, _Link] = {}
        self.left = 0
        """Links that were left for other workers in this transaction."""
        self._last = 0
        self._known_before = 0
        self._scores: Cache[int, float] = Cache(REMEMBERED)
        """Checksum -> score that a rediscovery must exceed to matter; infinite once concluded."""
        self._hosts: Cache[int, bool] = Cache(REMEMBERED)
        """Hosts that are in the table."""

    def load(self) -> None:
        """Forget what may have been rolled back."""
        self._scores.clear()
        self._hosts.clear()

    def begin(self, known: int) -> None:
        """A transaction begins; so many links are known."""
        self._links = {}
        self._by_seq = {}
        self._looked_up = set()
        self._changed = {}
        self._last = self._known_before = known
        self.left = 0

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
        if wanted:
            self._read(_BY_SHARD, list(wanted), list(wanted.values()))
            self._looked_up.update(wanted)
        scored = [score.id for score in batch.scores if score.id not in self._looked_up]
        if scored:
            self._read(_BY_ID, scored)
            self._looked_up.update(scored)

    def _matters(self, link: NewLink) -> bool:
        best = self._scores.get(link.id)
        return best is None or link.held or link.score > best

    def _read(self, query: str, *values: list[int]) -> None:
        for row in self.db.execute(query, values).fetchall():
            self._add(_Link(*row))

    def _read_seqs(self, seqs: Iterable[int]) -> None:
        unread = [seq for seq in seqs if seq not in self._by_seq]
        if unread:
            self._read(_BY_SEQ, unread)

    def _add(self, link: _Link) -> None:
        self._links[link.id] = link
        self._by_seq[link.seq] = link

    def _get(self, id: int) -> _Link | None:
        if id not in self._looked_up:
            self._looked_up.add(id)
            self._read(_BY_ID, [id])
        return self._links.get(id)

    def find(self, id: int) -> Known | None:
        """A known link by its checksum."""
        link = self._get(id)
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
            link = self._get(found.id)
            parent = self._parent(found.parent, page)
            if link is None:
                link = self._insert(found, parent, QUEUED)
                new += 1
                lease = _lease(link, found.parts, parent.url, found.anchor)
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
            link = self._get(found.id)
            if link is None:
                link = self._insert(found, self._parent(found.parent, page), held=1)
                new += 1
            anchor = plain(found.anchor)
            claims.append(Claim(link.seq, found.score, found.parts, found.depth, found.hops, anchor))
        return claims, new

    def _insert(self, found: NewLink, parent: Parent, held: int) -> _Link:
        self._last += 1
        link = _Link(
            id=found.id,
            shard=shard_of(found.host),
            seq=self._last,
            host=checksum(found.host),
            url=plain(found.url),
            page=None,
            held=held,
            score=found.score,
            depth=found.depth,
            hops=found.hops,
            retry_at=None,
            origin=_origin(parent, found.parts, found.anchor),
            new=True,
        )
        self._add(link)
        self._changed[link.id] = link
        if held == QUEUED:
            self._scores[link.id] = link.score
        return link

    def _parent(self, url: str, page: Parent) -> Parent:
        if url == page.url:
            return page
        link = self._get(checksum(url)) if url else None
        return Parent(None if link is None else link.seq, url)

    def _claim(self, link: _Link, claim: Claim, parent: Parent) -> Lease | None:
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
        link.origin = _origin(parent, claim.parts, claim.anchor)
        self._changed[link.id] = link
        self._scores[link.id] = claim.score
        if link.retry_at is not None:
            return None  # It is deferred, and stays so.
        return _lease(link, claim.parts, parent.url, claim.anchor)

    def release(self, claims: Sequence[Claim], page: Parent) -> list[Lease]:
        """A page left the shelf: take up what it claims; returns links that changed and may be leased."""
        self._read_seqs(claim.seq for claim in claims)
        leases = (self._claim(self._by_seq[claim.seq], claim, page) for claim in claims)
        return [lease for lease in leases if lease is not None]

    def queued_now(self, claims: Iterable[Claim]) -> list[int]:
        """Which of the claimed links are queued and not deferred, by `seq`."""
        return [claim.seq for claim in claims if self._by_seq[claim.seq].queued]

    def rescore(self, id: int, score: float, parts: list[float]) -> None:
        """Give a queued link another score, higher or lower."""
        link = self._get(id)
        if link is None or link.page is not None:
            return
        link.score = score
        if link.origin is not None:
            link.origin.parts = pack(parts)
        else:
            link.parts = pack(parts) or b""
        self._changed[id] = link
        if not link.held:
            self._scores[id] = score

    # The end of a lease.

    def conclude(self, known: Known, page: int) -> None:
        """The link has its page row now and leaves the queue."""
        link = self._by_seq[known.seq]
        link.page, link.held, link.retry_at = page, QUEUED, None
        self._changed[link.id] = link
        self._scores[link.id] = inf

    def defer(self, known: Known, retry_at: float, attempts: int, reason: str, detail: str) -> None:
        """The link stays queued, but not before its retry time."""
        link = self._by_seq[known.seq]
        if link.held == ASIDE:
            return
        link.retry_at = retry_at
        link.wait = _Wait(attempts, reason, detail)
        self._changed[link.id] = link

    # The user's patterns.

    def set_patterns(self, patterns: Patterns, shards: Collection[int]) -> None:
        """Set queued links aside that the patterns refuse, and queue those again that they admit.

        Links that return to other shards than these are left for their workers.
        """
        self.write()
        self.begin(self._last)
        admitted = patterns.test()
        query = f"SELECT id, shard, url, held FROM urls WHERE {STEERED}"
        changed = [
            (id, shard, QUEUED if held == ASIDE else ASIDE)
            for id, shard, url, held in self.db.execute(query).fetchall()
            if admitted(url) == (held == ASIDE)
        ]
        if not changed:
            return
        values = [list(column) for column in zip(*sorted(changed), strict=True)]
        self.db.execute(_update(held="smallint").replace("SET ", "SET retry_at = NULL, "), values)
        back = [(id, shard) for id, shard, held in changed if held == QUEUED and shard not in shards]
        self._leave(back)

    def leave_for_others(self, links: Iterable[int]) -> None:
        """Links, by `seq`, were queued for shards of other workers, which learn of them by `arrivals`."""
        wanted = list(links)
        self._read_seqs(wanted)
        self._leave([(link.id, link.shard) for link in map(self._by_seq.__getitem__, wanted)])

    def _leave(self, links: list[tuple[int, int]]) -> None:
        if links:
            self.left += len(links)
            self.db.execute(_LEAVE, _columns(links))

    # The end of a transaction.

    def write(self) -> None:
        """Write all changes, in the order of shards and checksums."""
        changed = sorted(self._changed.values(), key=lambda link: (link.shard, link.id))
        self._changed = {}
        new = [link for link in changed if link.new]
        if new:
            self._write_hosts(new)
            self.db.execute(_INSERT, _columns(map(_row, new)))
        if self._last > self._known_before:
            self.db.execute("UPDATE counters SET known = ?", (self._last,))
        old = [link for link in changed if not link.new]
        self._update(_SET_STATE, ((each, each.page, each.held, each.score, each.retry_at) for each in old))
        self._update(_SET_ORIGIN, (_origin_row(link, link.origin) for link in old if link.origin))
        self._update(_SET_PARTS, ((link, link.parts or None) for link in old if link.parts is not None))
        waits = ((link, link.wait) for link in old)
        self._update(_SET_WAIT, ((link, w.attempts, w.reason, w.detail) for link, w in waits if w))

    def _update(self, query: str, rows: Iterator[tuple[object, ...]]) -> None:
        found = [(link.id, link.shard, *values) for link, *values in rows]  # type: ignore[attr-defined]
        if found:
            self.db.execute(query, _columns(found))

    def _write_hosts(self, new: list[_Link]) -> None:
        hosts = {link.host: link.url for link in new if self._hosts.get(link.host) is None}
        if hosts:
            self.db.execute(_KEEP_HOSTS, [list(hosts), list(map(host_of, hosts.values()))])
            for host in hosts:
                self._hosts[host] = True


def _columns(rows: Iterable[Iterable[object]]) -> list[list[object]]:
    return [list(column) for column in zip(*rows, strict=True)]


def _origin(parent: Parent, parts: list[float], anchor: str) -> _Origin:
    source = parent.url if parent.seq is None and parent.url else None
    return _Origin(parent.seq, source, pack(parts), plain(anchor))


def _origin_row(link: _Link, origin: _Origin) -> tuple[object, ...]:
    return link, link.depth, link.hops, origin.parent, origin.source, origin.parts, origin.anchor


def _row(link: _Link) -> tuple[object, ...]:
    origin, wait = link.origin, link.wait or _Wait(0, "", "")
    assert origin is not None
    return (
        *(link.id, link.shard, link.seq, link.host, link.held, link.score, link.depth, link.hops),
        *(origin.parent, origin.source, origin.parts, link.url, origin.anchor, link.page, link.retry_at),
        *(wait.attempts, wait.reason, wait.detail),
    )


def _lease(link: _Link, parts: list[float], parent: str, anchor: str) -> Lease:
    return Lease(
        id=link.id,
        url=link.url,
        host=host_of(link.url),
        score=link.score,
        parts=parts,
        depth=link.depth,
        parent=parent,
        seq=link.seq,
        hops=link.hops,
        anchor=plain(anchor),
    )
