"""Any SearXNG instance, asked through its JSON interface (`/search?format=json`)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from urllib.parse import urlencode

import msgspec

from lagotto.base.errors import InputError
from lagotto.base.protocols import Fetcher
from lagotto.base.reasons import Reason, describe
from lagotto.base.records import Failure
from lagotto.base.urls import canonical, host_of
from lagotto.crawling.seeds.engines import Answer, SearchFailed, answer

Fetch = Callable[[str], Awaitable[bytes]]
"""Gets the body behind a URL; raises `SearchFailed` when there is none."""

ANSWER_TYPES = frozenset({"application/json", "text/plain", "text/html"})
"""What a fetcher must let through: JSON, and what instances send instead when they refuse it."""
MAX_BYTES = 10_000_000
MAX_PAGES = 3
"""Result pages asked for when one holds fewer hits than wanted."""
_MAX_REDIRECTS = 3
# SearXNG names the trouble of an engine in words; these mean that it was asked too often.
_RATE_LIMITED = ("too many requests", "captcha", "suspended", "access denied", "rate limit")


class Searxng:
    """One engine of a SearXNG instance, or the instance's own blend when no engine is named."""

    def __init__(self, endpoint: str, fetch: Fetch, *, engine: str = "", language: str = "") -> None:
        self.endpoint = _search_url(endpoint)
        self.fetch = fetch
        self.engine = engine
        self.language = language

    @property
    def name(self) -> str:
        """Host of the instance, with the engine behind it if one is named."""
        host = host_of(self.endpoint)
        return f"{self.engine} at {host}" if self.engine else host

    async def search(self, query: str, limit: int) -> Answer:
        """Ask for as many result pages as it takes to see `limit` hits, three at most."""
        rows: list[object] = []
        found = Answer()
        for page in range(1, MAX_PAGES + 1):
            more = self._rows(await self.fetch(self._url(query, page)), first_page=page == 1)
            rows += more
            seen, found = len(found.results), answer(rows, limit)
            if len(found.results) >= limit or len(found.results) == seen:
                break
        return found

    def _url(self, query: str, page: int) -> str:
        asked = {"q": query, "format": "json"}
        if self.engine:
            asked["engines"] = self.engine
        if self.language:
            asked["language"] = self.language
        if page > 1:
            asked["pageno"] = str(page)
        return f"{self.endpoint}?{urlencode(asked)}"

    def _rows(self, body: bytes, *, first_page: bool) -> list[object]:
        """The `results` of an answer, or the reason why there are none."""
        if len(body) > MAX_BYTES:
            raise SearchFailed(f"its answer is larger than {MAX_BYTES // 1_000_000} MB")
        try:
            said = msgspec.json.decode(body)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            raise SearchFailed("its answer is not JSON; the instance must allow format=json") from None
        rows = said.get("results") if isinstance(said, dict) else None
        if not isinstance(rows, list):
            raise SearchFailed("its answer is JSON, but not SearXNG's") from None
        trouble = _trouble(said.get("unresponsive_engines"))
        if first_page and not rows and trouble:
            limited = any(sign in trouble.lower() for sign in _RATE_LIMITED)
            raise SearchFailed(trouble, rate_limited=limited)
        return rows


def through(fetcher: Fetcher) -> Fetch:
    """A `Fetch` that uses the crawler's own door to the network, with its address guard and size caps.

    The fetcher must accept `ANSWER_TYPES`. robots.txt is not consulted: the user names this endpoint, and
    it is an interface made for programs.
    """

    async def fetch(url: str) -> bytes:
        for _ in range(_MAX_REDIRECTS + 1):
            got = await fetcher.fetch(url)
            if isinstance(got, Failure):
                raise SearchFailed(_sentence(got), rate_limited=got.reason is Reason.THROTTLED)
            if got.location and 300 <= got.status < 400:
                url = got.location
            elif got.status == 200:
                return got.body
            else:
                raise SearchFailed(f"HTTP status {got.status}", rate_limited=got.status == 429)
        raise SearchFailed("too many redirects")

    return fetch


def _sentence(failure: Failure) -> str:
    if failure.reason is Reason.ADDRESS:
        return "its address is private; allow it with --allow-private if the instance is yours"
    return describe(failure.reason, failure.detail)


def _search_url(endpoint: str) -> str:
    """Full address of the search interface, whether the user gave it or just the instance."""
    url = canonical(endpoint.strip())
    if url is None:
        raise InputError(f"'{endpoint}' is no SearXNG address; write it like https://searx.example.org")
    url = url.split("?", 1)[0].rstrip("/")
    return url if url.endswith("/search") else f"{url}/search"


def _trouble(unresponsive: object) -> str:
    """Engines that did not answer and why, as SearXNG reports them, such as `bing: timeout`."""
    if not isinstance(unresponsive, list):
        return ""
    pairs = (pair for pair in unresponsive[:10] if isinstance(pair, list) and len(pair) >= 2)
    return "; ".join(f"{name}: {why}" for name, why, *_ in pairs)[:200]
