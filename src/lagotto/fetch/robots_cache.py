"""robots.txt of every origin we ask anything of: fetched when needed, kept for a day at most.

After RFC 9309: a file that is not there (4xx) allows everything, one that cannot be had (5xx, no
answer) forbids everything for a while, unless an older copy is at hand. 429 counts as the latter:
a server that is too busy for its robots.txt is too busy for its pages.

A redirect is not followed on the spot but by the next call, so that each request can take its turn.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import TypeGuard

from msgspec import Struct

from lagotto.fetch.robots import MAX_SIZE, Robots
from lagotto.records import Failure, Fetched, Reason
from lagotto.urls import canonical, host_of, origin_of

Get = Callable[[str], Awaitable[Fetched | Failure]]

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MAX_HOPS = 5
_MAX_REDIRECTED = 10_000


class _Entry(Struct):
    robots: Robots | None
    """None when everything is forbidden because the file could not be had."""
    until: float
    failure: Failure | None = None


class _Redirected(Struct):
    url: str
    hops: int


class RobotsCache:
    """Answers from the cache what robots.txt says; bounded in origins and in rules."""

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
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._redirected: OrderedDict[str, _Redirected] = OrderedDict()
        self._rules = 0

    def known(self, url: str) -> bool:
        """Whether the file of the URL's origin is at hand and fresh, or not needed."""
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

        A host that gives no answer at all is for the caller to deal with: nothing is known then.
        """
        origin = origin_of(url)
        asked = self._redirected.get(origin) or _Redirected(f"{origin}/robots.txt", 0)
        answer = await self.get(asked.url)
        self._redirected.pop(origin, None)
        if _leads_on(answer) and asked.hops < _MAX_HOPS:
            self._redirected[origin] = _Redirected(answer.location, asked.hops + 1)
            if len(self._redirected) > _MAX_REDIRECTED:
                self._redirected.popitem(last=False)
            return answer.sent_at
        entry = self._entry_for(answer, self._entries.get(origin))
        if isinstance(answer, Failure) and not asked.hops and entry.robots is None:
            self._drop(origin)
            return entry.failure or answer
        self._keep(origin, entry)
        return answer.sent_at

    def allowed(self, url: str) -> Failure | None:
        """None if the file lets us have the URL."""
        if not self.obey:
            return None
        entry = self._entries.get(origin_of(url))
        if entry is None:
            return Failure(Reason.ROBOTS_UNREACHABLE, "robots.txt has not been fetched")
        if entry.robots is None:
            return entry.failure
        return None if entry.robots.allowed(url) else Failure(Reason.ROBOTS)

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

    def _keep(self, origin: str, entry: _Entry) -> None:
        self._drop(origin)
        self._entries[origin] = entry
        self._rules += len(entry.robots.rules) if entry.robots else 0
        while len(self._entries) > self.max_origins or (
            self._rules > self.max_rules and len(self._entries) > 1
        ):
            self._drop(next(iter(self._entries)))

    def _drop(self, origin: str) -> None:
        entry = self._entries.pop(origin, None)
        if entry is not None and entry.robots is not None:
            self._rules -= len(entry.robots.rules)


def _leads_on(answer: Fetched | Failure) -> TypeGuard[Fetched]:
    return isinstance(answer, Fetched) and answer.status in _REDIRECTS and bool(answer.location)
