"""Known links, as far as the parts of a batch need them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Protocol

from lagotto.base.batch import Patterns
from lagotto.base.records import Lease, NewLink
from lagotto.base.views import Matching, QueuedLink, WaitingLink
from lagotto.store.sql.database import Queries
from lagotto.store.sql.histories import STATES
from lagotto.store.sql.rows import ASIDE, STEERED, Claim, Discovered, Known, Parent, unpack


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


_WAITING = """
SELECT u.seq, u.held, u.url, u.score, u.parts, coalesce(p.url, u.source, ''), u.anchor, u.depth,
    d.retry_at, d.reason, d.detail
FROM urls u LEFT JOIN urls p ON p.seq = u.parent LEFT JOIN deferred d ON d.seq = u.seq
WHERE u.seq > ? AND u.page IS NULL ORDER BY u.seq LIMIT 1000
"""
_UNFETCHED = f"""
SELECT seq, url FROM urls WHERE seq > ? AND page IS NULL AND held != {ASIDE} ORDER BY seq LIMIT 1000
"""
_MAY_GO = f"""
SELECT seq, url FROM urls WHERE seq > ? AND {STEERED} AND held != {ASIDE} ORDER BY seq LIMIT 1000
"""
_LINK = """
SELECT u.url, u.score, u.parts, coalesce(p.url, u.source, ''), u.anchor, u.depth
FROM urls u LEFT JOIN urls p ON p.seq = u.parent WHERE u.seq = ?
"""


class QueuedLinks:
    """Reads links that wait."""

    def __init__(self, queries: Queries) -> None:
        self._queries = queries

    def matching(self, pattern: str, n: int = 10) -> Matching:
        """Links held or queued whose URL matches a regular expression."""
        matches = re.compile(pattern).search
        return self._matching(_UNFETCHED, lambda url: matches(url) is not None, n)

    def refused_by(self, patterns: Patterns, n: int = 10) -> Matching:
        """Queued links that patterns would set aside."""
        admitted = patterns.test()
        return self._matching(_MAY_GO, lambda url: not admitted(url), n)

    def _matching(self, query: str, wanted: Callable[[str], bool], n: int) -> Matching:
        found = Matching(0, [])
        for seq, url in self._queries.slices(query):
            if wanted(url):
                found.count += 1
                if len(found.examples) < n:
                    found.examples.append(self.link(seq))
        return found

    def link(self, seq: int) -> QueuedLink:
        """A link by its number."""
        [(url, score, parts, parent, anchor, depth)] = self._queries(_LINK, seq)
        return QueuedLink(url, score, unpack(parts), parent, anchor, depth)

    def waiting(self) -> Iterator[WaitingLink]:
        """All links that are not concluded, in order of discovery."""
        for row in self._queries.slices(_WAITING):
            _, held, url, score, parts, parent, anchor, depth, retry_at, reason, detail = row
            yield WaitingLink(
                state=STATES[held] if retry_at is None else "deferred",
                link=QueuedLink(url, score, unpack(parts), parent, anchor, depth),
                retry_at=retry_at,
                waiting_for="" if reason is None else f"{reason} {detail}".strip(),
            )
