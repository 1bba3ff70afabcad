"""Search engines: a query in, a ranked answer or a failure out; and those that the package ddgs asks.

Answers are not trusted: `answer` keeps only canonical http(s) URLs and short plain text.
"""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

from msgspec import Struct

from lagotto.base.errors import InputError
from lagotto.base.urls import MAX_URL_LENGTH, canonical

MAX_ROWS = 1000
"""Rows of one answer that are looked at; the rest of a longer list is ignored."""
MAX_TITLE = 200
MAX_SNIPPET = 1000
_URL_KEYS = ("url", "href", "link")
_TITLE_KEYS = ("title", "name")
_SNIPPET_KEYS = ("content", "snippet", "body", "description", "text")
_tags = re.compile(r"<[^<>]*>")
# Terminal escapes, bidirectional overrides and other characters that are not text.
_unprintable = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)


class SearchFailed(Exception):
    """An engine gave no usable answer."""

    def __init__(self, why: str, *, rate_limited: bool = False) -> None:
        super().__init__(why)
        self.why = why
        self.rate_limited = rate_limited
        """The engine limits its callers; do not ask again at once."""


class SearchResult(Struct, frozen=True):
    """One hit of one engine."""

    url: str
    """Canonical."""
    rank: int
    """Place in the engine's own list, 1 for the first."""
    title: str = ""
    snippet: str = ""


class Answer(Struct):
    """The answer of one engine."""

    results: list[SearchResult] = []
    left_out: int = 0
    """Rows that hold no http or https URL."""


class Engine(Protocol):
    """A search engine."""

    @property
    def name(self) -> str:
        """Name that is shown to people."""
        ...

    async def search(self, query: str, limit: int) -> Answer:
        """The first `limit` hits, best first; raises `SearchFailed`."""
        ...


def answer(rows: Iterable[object], limit: int) -> Answer:
    """Make an `Answer` of rows of any shape: mappings with a URL, or URLs themselves.

    A URL that comes twice keeps its better rank.

    >>> rows = ["javascript:alert(1)", {"url": "http://a.org/#top", "title": "<b>A</b> &amp; B"}]
    >>> answer(rows, limit=10).results
    [SearchResult(url='http://a.org/', rank=2, title='A & B', snippet='')]
    """
    found: dict[str, SearchResult] = {}
    left_out = 0
    for rank, row in _numbered(rows):
        url = _url_of(row)
        if url is None:
            left_out += 1
        elif url not in found:
            fields = row if isinstance(row, Mapping) else {}
            title = plain_text(_first(fields, _TITLE_KEYS), MAX_TITLE)
            snippet = plain_text(_first(fields, _SNIPPET_KEYS), MAX_SNIPPET)
            found[url] = SearchResult(url, rank, title, snippet)
        if len(found) >= limit:
            break
    return Answer(list(found.values()), left_out)


def plain_text(value: object, limit: int) -> str:
    """Text without tags, entities, control characters and runs of space; empty for what is no text."""
    if not isinstance(value, str):
        return ""
    # Cut before the regular expressions see it, and again after: a title may be megabytes long.
    bare = html.unescape(_tags.sub(" ", value[: 4 * limit]))
    # An escaped tag (`&lt;script&gt;`) is a tag again once unescaped.
    bare = _unprintable.sub("", _tags.sub(" ", bare))
    return " ".join(bare.split())[:limit]


def _numbered(rows: Iterable[object]) -> Iterator[tuple[int, object]]:
    for rank, row in enumerate(rows, start=1):
        if rank > MAX_ROWS:
            return
        yield rank, row


def _url_of(row: object) -> str | None:
    value = _first(row, _URL_KEYS) if isinstance(row, Mapping) else row
    if not isinstance(value, str):
        return None
    url = canonical(value.strip())
    return url if url is not None and len(url) <= MAX_URL_LENGTH else None


def _first(fields: Mapping[object, object], keys: tuple[str, ...]) -> object:
    return next((fields[key] for key in keys if fields.get(key)), None)


MAX_PAGES = 3


class Ddgs:
    """One of ddgs's text engines, such as `duckduckgo` (Bing's index), `brave`, `startpage` (Google's)."""

    def __init__(self, engine: str, *, region: str = "us-en", proxy: str = "", timeout: float = 10.0) -> None:
        known = _engines()
        if engine not in known:
            raise InputError(f"ddgs has no engine '{engine}'; it has {', '.join(sorted(known))}")
        self.engine = engine
        self.region = region
        self.proxy = proxy
        self.timeout = timeout

    @property
    def name(self) -> str:
        """The engine's own name."""
        return self.engine

    async def search(self, query: str, limit: int) -> Answer:
        """Ask in a thread, since ddgs blocks; it gives up by itself after the timeout."""
        return await asyncio.to_thread(self._search, query, limit)

    def _search(self, query: str, limit: int) -> Answer:
        from ddgs.exceptions import DDGSException, RatelimitException

        asked = _engines()[self.engine](proxy=self.proxy or None, timeout=max(1, round(self.timeout)))
        rows: list[object] = []
        found = Answer()
        for page in range(1, MAX_PAGES + 1):
            try:
                more = asked.search(query, region=self.region, page=page)
            except RatelimitException as error:
                raise SearchFailed(str(error) or "rate limit", rate_limited=True) from error
            except DDGSException as error:
                if rows:
                    break
                raise SearchFailed(str(error) or type(error).__name__) from error
            if more is None and not rows:
                # ddgs hides the status; of public engines it is nearly always a rate limit.
                raise SearchFailed("it refused the question, most likely a rate limit", rate_limited=True)
            rows += [vars(row) for row in more or []]
            seen, found = len(found.results), answer(rows, limit)
            if len(found.results) >= limit or len(found.results) == seen:
                break
        return found


def _engines() -> dict[str, Any]:
    """Name -> class of the text engines that this version of ddgs can use."""
    try:
        from ddgs.engines import ENGINES
    except ImportError:
        raise InputError(
            "searching the web needs the ddgs package: install it with `pip install ddgs`, "
            "or name a SearXNG instance or a results file with --engine"
        ) from None
    return dict(ENGINES["text"])
