"""Reading and writing rows of `urls`: few statements, each for many rows.

A commit reads the rows that it needs in one query, changes them in memory and writes what changed at its end,
sorted by shard and checksum. No other commit changes them meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from lagotto.base.records import Lease
from lagotto.base.urls import host_of
from lagotto.store.columns import listed, type_of
from lagotto.store.postgres.connection import Connection
from lagotto.store.postgres.schema import URLS
from lagotto.store.sql.database import Cache
from lagotto.store.sql.links import Known, Parent
from lagotto.store.values import pack, plain

REMEMBERED = 200_000
"""Links whose score, and hosts whose row, a worker remembers."""
_COLUMNS = listed(("id", "shard", *Known._fields, "retry_at"))
_BY_SHARD = f"""
SELECT {_COLUMNS}
FROM unnest(?[]::bigint[], ?[]::smallint[]) AS wanted (id, shard) JOIN urls USING (id, shard)
"""
_BY_ID = f"SELECT {_COLUMNS} FROM urls WHERE id = ANY(?[]::bigint[])"
_BY_SEQ = f"SELECT {_COLUMNS} FROM urls WHERE seq = ANY(?[]::bigint[])"
_UPDATE = """
UPDATE urls SET {columns} FROM unnest(?[]::bigint[], ?[]::smallint[], {types}) AS new (id, shard, {names})
WHERE urls.id = new.id AND urls.shard = new.shard
"""
_KEEP_HOSTS = """
INSERT INTO hosts SELECT * FROM unnest(?[]::bigint[], ?[]::text[]) ON CONFLICT DO NOTHING
"""
_LEAVE = "INSERT INTO arrivals (id, shard) SELECT * FROM unnest(?[]::bigint[], ?[]::smallint[])"


def _lists(names: Iterable[str]) -> str:
    """Placeholders for one list of values for each column."""
    return listed(f"?[]::{type_of(name, 'postgres', URLS)}[]" for name in names)


def _update(*names: str) -> str:
    return _UPDATE.format(
        columns=listed(f"{name} = new.{name}" for name in names), types=_lists(names), names=listed(names)
    )


_NAMES = [column.name for column in URLS]
_INSERT = f"INSERT INTO urls ({listed(_NAMES)}) SELECT * FROM unnest({_lists(_NAMES)})"
_SET_STATE = _update("page", "held", "score", "retry_at")
_SET_ORIGIN = _update("depth", "hops", "parent", "source", "parts", "anchor")
_SET_PARTS = _update("parts")
_SET_WAIT = _update("attempts", "reason", "detail")


class Origin(Struct):
    """What led to a link."""

    parent: int | None
    source: str | None
    parts: bytes | None
    anchor: str


class Wait(Struct):
    """Why a link is deferred."""

    attempts: int
    reason: str
    detail: str


class Link(Struct):
    """A row of `urls`, as it is after the changes so far."""

    id: int
    shard: int
    seq: int
    url: str
    host: int
    page: int | None
    held: int
    score: float
    depth: int
    hops: int
    retry_at: float | None
    origin: Origin | None = None
    """Set if the link is new, or was raised."""
    parts: bytes | None = None
    """New parts of its score."""
    wait: Wait | None = None
    new: bool = False

    @property
    def queued(self) -> bool:
        """Whether it may be leased now."""
        return self.page is None and not self.held and self.retry_at is None

    def known(self) -> Known:
        """What others need of it."""
        return Known(self.seq, self.url, self.host, self.page, self.held, self.score, self.depth, self.hops)

    def lease(self, parts: list[float], parent: str, anchor: str) -> Lease:
        """The link as it may be leased."""
        return Lease(
            id=self.id,
            url=self.url,
            host=host_of(self.url),
            score=self.score,
            parts=parts,
            depth=self.depth,
            parent=parent,
            seq=self.seq,
            hops=self.hops,
            anchor=plain(anchor),
        )


def origin_of(parent: Parent, parts: list[float], anchor: str) -> Origin:
    """What a page says of a link, as it is stored."""
    source = parent.url if parent.seq is None and parent.url else None
    return Origin(parent.seq, source, pack(parts), plain(anchor))


class LinkRows:
    """The rows that one transaction has read or changed."""

    def __init__(self, db: Connection) -> None:
        self.db = db
        self._links: dict[int, Link] = {}
        self._by_seq: dict[int, Link] = {}
        self._looked_up: set[int] = set()
        self._changed: dict[int, Link] = {}
        self.left = 0
        """Links that were left for other workers in this transaction."""
        self._last = 0
        self._known_before = 0
        self._hosts: Cache[int, bool] = Cache(REMEMBERED)
        """Hosts that are in the table."""

    def forget(self) -> None:
        """Forget what may have been rolled back."""
        self._hosts.clear()

    def begin(self, known: int) -> None:
        """A transaction begins; so many links are known."""
        self._links = {}
        self._by_seq = {}
        self._looked_up = set()
        self._changed = {}
        self._last = self._known_before = known
        self.left = 0

    def go_on(self) -> None:
        """Write all changes and begin anew in the same transaction, as rows are changed by other means."""
        self.write()
        left = self.left
        self.begin(self._last)
        self.left = left

    # Reading.

    def look_up(self, wanted: Mapping[int, int], ids: Iterable[int]) -> None:
        """Read links by checksum and shard, and others by checksum alone."""
        if wanted:
            self._read(_BY_SHARD, list(wanted), list(wanted.values()))
            self._looked_up.update(wanted)
        others = [id for id in ids if id not in self._looked_up]
        if others:
            self._read(_BY_ID, others)
            self._looked_up.update(others)

    def get(self, id: int) -> Link | None:
        """A known link by its checksum."""
        if id not in self._looked_up:
            self._looked_up.add(id)
            self._read(_BY_ID, [id])
        return self._links.get(id)

    def by_seqs(self, seqs: Iterable[int]) -> list[Link]:
        """Known links by `seq`, in order."""
        wanted = list(seqs)
        unread = [seq for seq in wanted if seq not in self._by_seq]
        if unread:
            self._read(_BY_SEQ, unread)
        return [self._by_seq[seq] for seq in wanted]

    def by_seq(self, seq: int) -> Link:
        """A link that was read or added in this transaction."""
        return self._by_seq[seq]

    def _read(self, query: str, *values: list[int]) -> None:
        for row in self.db.execute(query, values).fetchall():
            self._add(Link(*row))

    def _add(self, link: Link) -> None:
        self._links[link.id] = link
        self._by_seq[link.seq] = link

    # Writing.

    def number(self) -> int:
        """The `seq` of the next new link."""
        self._last += 1
        return self._last

    def add(self, link: Link) -> None:
        """A link is new."""
        self._add(link)
        self._changed[link.id] = link

    def change(self, link: Link) -> None:
        """A link was changed."""
        self._changed[link.id] = link

    def leave(self, links: list[tuple[int, int]]) -> None:
        """Tell the workers of other shards of links, by checksum and shard."""
        if links:
            self.left += len(links)
            self.db.execute(_LEAVE, columns(links))

    def write(self) -> None:
        """Write all changes, in the order of shards and checksums."""
        changed = sorted(self._changed.values(), key=lambda link: (link.shard, link.id))
        self._changed = {}
        new = [link for link in changed if link.new]
        if new:
            self._write_hosts(new)
            self.db.execute(_INSERT, columns(map(_row, new)))
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
            self.db.execute(query, columns(found))

    def _write_hosts(self, new: list[Link]) -> None:
        hosts = {link.host: link.url for link in new if self._hosts.get(link.host) is None}
        if hosts:
            self.db.execute(_KEEP_HOSTS, [list(hosts), list(map(host_of, hosts.values()))])
            for host in hosts:
                self._hosts[host] = True


def columns(rows: Iterable[Iterable[object]]) -> list[list[object]]:
    """Rows as one list for each column."""
    return [list(column) for column in zip(*rows, strict=True)]


def _origin_row(link: Link, origin: Origin) -> tuple[object, ...]:
    return link, link.depth, link.hops, origin.parent, origin.source, origin.parts, origin.anchor


def _row(link: Link) -> tuple[object, ...]:
    origin, wait = link.origin, link.wait or Wait(0, "", "")
    assert origin is not None
    return (
        *(link.id, link.shard, link.held, link.depth, link.hops, link.seq, link.host, link.page, link.score),
        *(origin.parent, link.retry_at, wait.attempts, origin.source, origin.parts, link.url, origin.anchor),
        *(wait.reason, wait.detail),
    )
