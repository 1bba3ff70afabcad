"""Known links, as far as the parts of a batch need them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

from lagotto.batch import Patterns
from lagotto.records import Lease, NewLink
from lagotto.store.sql.rows import Claim, Discovered, Known, Parent


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
