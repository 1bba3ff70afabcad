"""A row of `urls` in memory: changed there, and written at the end of the transaction."""

from __future__ import annotations

from msgspec import Struct

from lagotto.base.records import Lease
from lagotto.base.urls import host_of
from lagotto.store.sql.rows import Known, Parent, pack, plain


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
    host: int
    url: str
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
