"""Reading and writing rows of `urls`: few statements, each for many rows.

A commit reads the rows that it needs in one query, changes them in memory and writes what changed at its end,
sorted by shard and checksum. No other commit changes them meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from lagotto.base.urls import host_of
from lagotto.store.postgres.connection import Connection
from lagotto.store.postgres.link import Link, Origin, Wait
from lagotto.store.sql.database import Cache

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
        *(link.id, link.shard, link.seq, link.host, link.held, link.score, link.depth, link.hops),
        *(origin.parent, origin.source, origin.parts, link.url, origin.anchor, link.page, link.retry_at),
        *(wait.attempts, wait.reason, wait.detail),
    )
