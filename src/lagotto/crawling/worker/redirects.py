"""Which redirects are followed: as many as the limits allow, and only where they lead to new pages.

A redirect counts for the pattern of its URL, for its top folder and for its host. A chain of redirects is
good if it ends at a page that was not fetched before, and bad if it ends anywhere else, if another redirect
led to the same place, or from its third redirect on. Patterns and folders that also hold pages are kept.
"""

from __future__ import annotations

from enum import StrEnum

from cachetools import LRUCache
from msgspec import Struct

from lagotto.base.records import Lease, Outcome, Reason
from lagotto.base.urls import checksum, host_of
from lagotto.crawling.frontier.shapes import shape_of

ALLOWED = 20
"""Bad redirects of a pattern before it is judged; for a folder and a host there are others."""
ALLOWED_FOR_FOLDER = 50
ALLOWED_FOR_HOST = 100
WORTH = 0.1
"""Good redirects for each bad one that are needed from then on."""
LONG = 2
"""Redirects in a row from which on each further one is bad."""
_REMEMBERED = 50_000


class NotFollowed(StrEnum):
    """Why a redirect is not followed; the detail of its outcome."""

    PATTERN_LIMIT = "pattern-limit"
    NOWHERE = "redirects-lead-nowhere"


class _Tally(Struct):
    followed: int = 0
    good: int = 0
    bad: int = 0

    def worthless(self, allowed: int) -> bool:
        return self.bad >= allowed and self.good < WORTH * self.bad


class Redirects:
    """Counts redirects by pattern and by host; `pattern_limit` 0 means no limit."""

    def __init__(self, *, pattern_limit: int = 0) -> None:
        self.pattern_limit = pattern_limit
        self._tallies: LRUCache[str, _Tally] = LRUCache(_REMEMBERED)
        """Pattern, folder or host -> its redirects."""
        self._chains: LRUCache[int, tuple[str, ...]] = LRUCache(_REMEMBERED)
        """Target -> URLs that led there by redirects."""
        self._targets: LRUCache[int, bool] = LRUCache(_REMEMBERED)

    def refusal(self, url: str) -> NotFollowed | None:
        """Why the URL is not asked for, as others of its pattern or folder redirect; None if it is."""
        if not self._tallies:
            return None
        pattern, folder = self._tallies.get(shape_of(url)), self._tallies.get(_folder_of(url))
        if pattern and self.pattern_limit and pattern.followed >= self.pattern_limit:
            return NotFollowed.PATTERN_LIMIT
        if pattern and pattern.worthless(ALLOWED):
            return NotFollowed.NOWHERE
        return NotFollowed.NOWHERE if folder and folder.worthless(ALLOWED_FOR_FOLDER) else None

    def follow(self, lease: Lease, target: str) -> NotFollowed | None:
        """Count the redirect from a lease to a target; returns why it is not followed, None if it is."""
        seen = checksum(target) in self._targets
        if seen or lease.hops >= LONG:
            self._count(lease.url, bad=1)
        refusal = self.refusal(lease.url)
        host = self._tallies.get(host_of(lease.url))
        if refusal is None and host and host.worthless(ALLOWED_FOR_HOST):
            refusal = NotFollowed.NOWHERE
        self._count(lease.url, followed=1)
        chain = (*self._chains.pop(lease.id, ()), lease.url)
        if refusal is None and not seen:
            self._targets[checksum(target)] = True
            self._chains[checksum(target)] = chain
        return refusal

    def concluded(self, outcome: Outcome) -> None:
        """Judge the redirects that led to this outcome, and count a page for its own pattern and folder."""
        if outcome.reason == Reason.REDIRECT or outcome.retry_at is not None:
            return
        page = outcome.status == 200 and not outcome.reason
        if page and self._tallies:
            for key in (shape_of(outcome.lease.url), _folder_of(outcome.lease.url)):
                if tally := self._tallies.get(key):
                    tally.good += 1
        for url in self._chains.pop(outcome.lease.id, ()):
            self._count(url, good=int(page), bad=int(not page))

    def _count(self, url: str, *, followed: int = 0, good: int = 0, bad: int = 0) -> None:
        for key in (shape_of(url), _folder_of(url), host_of(url)):
            tally = self._tallies.setdefault(key, _Tally()) if key else _Tally()
            tally.followed += followed
            tally.good += good
            tally.bad += bad


def _folder_of(url: str) -> str:
    """The URL up to the end of its first path segment, if there are more.

    >>> _folder_of("http://a.org/go/to/x"), _folder_of("http://a.org/page")
    ('http://a.org/go/*', '')
    """
    address = url.partition("?")[0]
    start = address.find("/", 8)
    end = address.find("/", start + 1) if start >= 0 else -1
    return f"{address[:end]}/*" if end >= 0 else ""
