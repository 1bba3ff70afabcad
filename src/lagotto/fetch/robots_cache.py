"""robots.txt of each origin that is asked: fetched when needed, kept for a day at most.

After RFC 9309: a file that is not there (4xx) allows everything, one that cannot be had (5xx, no
answer) forbids everything for a while, unless an older copy is at hand. 429 counts as the latter:
a server that is too busy for its robots.txt is too busy for its pages.

A redirect is followed by the next call, so that each request can take its host's turn.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import TypeGuard

from cachetools import LRUCache
from msgspec import Struct

from lagotto.base.facts import OptOut
from lagotto.base.records import Failure, Fetched, Reason
from lagotto.base.urls import canonical, host_of, origin_of
from lagotto.fetch.robots import MAX_SIZE, Robots

Get = Callable[[str], Awaitable[Fetched | Failure]]

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MAX_HOPS = 5
_MAX_REDIRECTED = 10_000


class _Entry(Struct):
    robots: Robots | None
    """None if the file could not be fetched, so that everything is forbidden."""
    until: float
    failure: Failure | None = None

    @property
    def size(self) -> int:
        """Number of rules."""
        return self.robots.size if self.robots else 0


class _Redirected(Struct):
    url: str
    hops: int


class RobotsCache:
    """A cache of robots.txt files, limited in origins and in rules."""

    def __init__(
        self,
        get: Get,
        product: str,
        *,
        obey: bool = True,
        max_crawl_delay: float = 30.0,
        keep: float = 86_400.0,
        retry: float = 600.0,
        max_origins: int = 20_000,
        max_rules: int = 500_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.get = get
        self.product = product
        self.obey = obey
        self.max_crawl_delay = max_crawl_delay
        self.keep = min(keep, 86_400.0)
        self.retry = retry
        self.max_origins = max_origins
        self.max_rules = max_rules
        self.clock = clock
        # An entry takes the room of its rules, and at least a share that lets in `max_origins` of them.
        share = max_rules / max_origins
        self._entries: LRUCache[str, _Entry] = LRUCache(
            max_rules, getsizeof=lambda entry: min(max(share, entry.size), max_rules)
        )
        self._redirected: LRUCache[str, _Redirected] = LRUCache(_MAX_REDIRECTED)

    def known(self, url: str) -> bool:
        """Whether the file of the URL's origin is cached and fresh, or not needed."""
        if not self.obey:
            return True
        entry = self._entries.get(origin_of(url))
        return entry is not None and self.clock() < entry.until

    def host(self, url: str) -> str:
        """Host that the next request for the file goes to, not the URL's own after a redirect."""
        redirected = self._redirected.get(origin_of(url))
        return host_of(redirected.url if redirected else url)

    async def fetch(self, url: str) -> float | Failure:
        """Send one request for the file of the URL's origin; returns when it left, 0 if it did not.

        If the host gives no answer nothing is cached, and the caller decides when to ask again.
        """
        origin = origin_of(url)
        asked = self._redirected.get(origin) or _Redirected(f"{origin}/robots.txt", 0)
        answer = await self.get(asked.url)
        if isinstance(answer, Failure) and answer.again:
            return answer
        self._redirected.pop(origin, None)
        if _leads_on(answer) and asked.hops < _MAX_HOPS:
            self._redirected[origin] = _Redirected(answer.location, asked.hops + 1)
            return answer.sent_at
        entry = self._entry_for(answer, self._entries.get(origin))
        if isinstance(answer, Failure) and not asked.hops and entry.robots is None:
            self._entries.pop(origin, None)
            return entry.failure or answer
        self._entries[origin] = entry
        return answer.sent_at

    def refusal(self, url: str) -> Failure | None:
        """Why the file forbids the URL; None if it allows it."""
        if not self.obey:
            return None
        entry = self._entries.get(origin_of(url))
        if entry is None:
            return Failure(Reason.ROBOTS_UNREACHABLE, "robots.txt has not been fetched")
        if entry.robots is None:
            return entry.failure
        return None if entry.robots.allowed(url) else Failure(Reason.ROBOTS)

    def opt_outs(self, url: str) -> list[OptOut]:
        """Uses of the URL that the file opts out of."""
        entry = self._entries.get(origin_of(url))
        return entry.robots.opt_outs(url) if entry and entry.robots else []

    def crawl_delay(self, url: str) -> float:
        """Crawl-delay that the file asks for, capped; 0 when it asks for none."""
        entry = self._entries.get(origin_of(url)) if self.obey else None
        return min(entry.robots.crawl_delay, self.max_crawl_delay) if entry and entry.robots else 0.0

    def sitemaps(self, url: str) -> list[str]:
        """Absolute, canonical URLs of the sitemaps that the file names."""
        origin = origin_of(url)
        entry = self._entries.get(origin)
        named = entry.robots.sitemaps if entry and entry.robots else []
        found = (canonical(name, f"{origin}/") for name in named)
        return list(dict.fromkeys(sitemap for sitemap in found if sitemap))

    def _entry_for(self, answer: Fetched | Failure, before: _Entry | None) -> _Entry:
        now = self.clock()
        broken_off = isinstance(answer, Fetched) and answer.truncated and len(answer.body) <= MAX_SIZE
        if isinstance(answer, Fetched) and answer.status < 500 and answer.status != 429 and not broken_off:
            # A chain of redirects that leads nowhere, like 4xx, means that there is no such file.
            body = answer.body[: MAX_SIZE + 1] if answer.status < 300 else b""
            return _Entry(Robots(body, self.product), now + self.keep)
        robots = before.robots if before else None
        if isinstance(answer, Fetched):
            wait = max(self.retry, answer.retry_after)
            detail = f"robots.txt: {'it broke off' if broken_off else f'status {answer.status}'}"
            failure = Failure(Reason.ROBOTS_UNREACHABLE, detail, retry_after=wait)
            return _Entry(robots, now + wait, failure)
        reason, detail = Reason.ROBOTS_UNREACHABLE, f"robots.txt: {answer.reason} {answer.detail}".rstrip()
        if answer.reason is Reason.ADDRESS:
            reason, detail = answer.reason, answer.detail
        return _Entry(robots, now + self.retry, Failure(reason, detail, sent_at=answer.sent_at))


def _leads_on(answer: Fetched | Failure) -> TypeGuard[Fetched]:
    return isinstance(answer, Fetched) and answer.status in _REDIRECTS and bool(answer.location)
