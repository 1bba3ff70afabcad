"""Known links, as far as the parts of a batch need them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct

from lagotto.base.batch import Patterns
from lagotto.base.records import Lease, NewLink

QUEUED, HELD, ASIDE = range(3)
"""What `urls.held` may be, while the link is not concluded."""
STEERED = f"page IS NULL AND depth > 0 AND held != {HELD}"
"""Links that a user's patterns may set aside, or have set aside: neither seeds nor links of shelved pages."""


class Known(NamedTuple):
    """The columns of a known link that are read before it is changed."""

    seq: int
    url: str
    host: int
    page: int | None
    held: int
    score: float
    depth: int
    hops: int


class Parent(NamedTuple):
    """The page that a link was found on; `seq` is None if it is no URL of this crawl."""

    seq: int | None
    url: str


class Claim(Struct, array_like=True):
    """What a page says about a link that is already known."""

    seq: int
    score: float
    parts: list[float]
    depth: int
    hops: int
    anchor: str


class Discovered(NamedTuple):
    """What the discovery of links changed."""

    leases: list[Lease]
    """New or raised, and free to be leased."""
    new: int


class Links(Protocol):
    """The life of a link between its discovery and its conclusion; all calls belong in a transaction."""

    def find(self, id: int) -> Known | None:
        """A known link by its checksum."""
        ...

    def of_lease(self, lease: Lease) -> Known | None:
        """The link that was leased."""
        ...

    def discover(self, links: Iterable[NewLink], page: Parent) -> Discovered:
        """Queue the links that are new; release or raise those found again with a higher score."""
        ...

    def hold(self, links: Sequence[NewLink], page: Parent) -> tuple[list[Claim], int]:
        """Note the links of a shelved page: what it claims of each, and how many were new."""
        ...

    def release(self, claims: Sequence[Claim], page: Parent) -> list[Lease]:
        """A page left the shelf: take up what it claims; returns links that changed and may be leased."""
        ...

    def queued_now(self, claims: Iterable[Claim]) -> list[int]:
        """Which of the claimed links are queued and not deferred, by `seq`."""
        ...

    def rescore(self, id: int, score: float, parts: list[float]) -> None:
        """Give a queued link another score, higher or lower."""
        ...

    def conclude(self, known: Known, page: int) -> None:
        """The link has its page row now and leaves the queue."""
        ...

    def defer(self, known: Known, retry_at: float, attempts: int, reason: str, detail: str) -> None:
        """The link stays queued, but not before its retry time."""
        ...

    def set_patterns(self, patterns: Patterns, shards: Collection[int]) -> None:
        """Set queued links aside that the patterns refuse, and queue those again that they admit.

        Links that return to other shards than these are left for their workers.
        """
        ...

    def leave_for_others(self, links: Iterable[int]) -> None:
        """Links, by `seq`, were queued for shards of other workers, which learn of them by `arrivals`."""
        ...
