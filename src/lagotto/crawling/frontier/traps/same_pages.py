"""Other URLs of a page that was fetched: session ids, idle parameters, letter case."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator

from lagotto.base.reasons import Refused
from lagotto.base.urls import host_of
from lagotto.crawling.frontier.traps.evidence import Comparison, Content, Sighting, Trapped, remember

MOST_PARAMETERS = 8
"""URLs with more parameters than this are compared without any of them only."""
_CASE = "letter case"
_QUERY = "the query"
_AS_IT_IS = ""
_WAY = re.compile(r"[A-Za-z]{1,12}([-_][A-Za-z]{1,12})?(\.html?)?")
# Session ids and numbers: letters and digits in one run of eight or more, or digits alone.
_VARIABLE = re.compile(r"(?=[A-Za-z]*\d)[0-9A-Za-z]{8,}|[0-9A-Za-z]{20,}|\d+")


class SamePages:
    """A parameter, a part of the path or letter case that does not change the pages of a host.

    The rule: once 5 different pages came from two URLs that differ in it alone, and at most one in
    ten such pairs gave different pages, a URL that differs from a fetched one in it alone is refused.
    """

    def __init__(self) -> None:
        self._fetched: OrderedDict[int, Content] = OrderedDict()
        self._differed: OrderedDict[int, None] = OrderedDict()
        self._evidence: dict[tuple[str, str], Comparison] = {}
        self._idle: dict[str, set[str]] = {}

    def count(self, page: Sighting) -> None:
        """Compare the page with the first one whose URL differs in one thing alone."""
        if not page.fingerprint:
            return
        host, content = host_of(page.url), Content(page.fingerprint, page.simhash)
        for name, rest in variations(page.url):
            key = hash((name, rest))
            first = self._fetched.get(key) or self._fetched.get(hash((_AS_IT_IS, rest)))
            if first is None:
                remember(self._fetched, key, content)
            else:
                self._compare(host, name, key, first, content)
        remember(self._fetched, hash((_AS_IT_IS, page.url)), content)

    def _compare(self, host: str, name: str, key: int, first: Content, content: Content) -> None:
        evidence = self._evidence.setdefault((host, name), Comparison())
        if content.same_as(first):
            evidence.agree(first.fingerprint)
        elif key not in self._differed:
            evidence.differ()
            remember(self._differed, key, None)
        idle = self._idle.setdefault(host, set())
        if evidence.convincing:
            idle.add(name)
        else:
            idle.discard(name)
        if not idle:
            del self._idle[host]

    @property
    def refuse_some(self) -> bool:
        """Whether any URL would be refused."""
        return bool(self._idle)

    def renames(self, url: str) -> bool:
        """Whether the URL's host is known to give one page several URLs."""
        return host_of(url) in self._idle

    def refuses(self, url: str) -> Trapped | None:
        """Why the URL stands for a page that was fetched, or None."""
        host = host_of(url)
        idle = self._idle.get(host)
        if idle is None:
            return None
        for name, rest in variations(url):
            if name in idle and self._was_fetched(name, rest):
                reason = Refused.LETTER_CASE if name == _CASE else Refused.NO_EFFECT
                return Trapped(reason, f"{name} does not change the pages of {host}")
        return None

    def _was_fetched(self, name: str, rest: str) -> bool:
        return hash((name, rest)) in self._fetched or hash((_AS_IT_IS, rest)) in self._fetched


def variations(url: str) -> Iterator[tuple[str, str]]:
    """Each thing that the URL may differ in from another, and the URL without it.

    >>> for name, rest in variations("http://a.org/page?id=1&sid=2"):
    ...     print(name, rest)
    parameter id http://a.org/page?sid=2
    parameter sid http://a.org/page?id=1
    the query http://a.org/page
    letter case http://a.org/page?id=1&sid=2
    >>> [name for name, _ in variations("http://a.org/amp/birds/print")][:2]
    ['/amp at the start of the path', '/print at the end of the path']
    """
    address, _, query = url.partition("?")
    pairs = query.split("&") if query else []
    # With one parameter, that and the query are the same.
    if len(pairs) > 1:
        if len(pairs) <= MOST_PARAMETERS:
            yield from _without_parameters(address, pairs)
        yield _QUERY, address
    elif pairs:
        yield f"parameter {_name(pairs[0])}", address
    yield from _without_parts(url, address)
    yield from _without_ends(address, url[len(address) :])
    yield _CASE, url.lower()


def _without_parameters(address: str, pairs: list[str]) -> Iterator[tuple[str, str]]:
    for name in dict.fromkeys(map(_name, pairs)):
        rest = "&".join(pair for pair in pairs if _name(pair) != name)
        yield f"parameter {name}", f"{address}?{rest}" if rest else address


def _without_parts(url: str, address: str) -> Iterator[tuple[str, str]]:
    start = address.find("/", 8)
    query = url[len(address) :]
    if start < 0 or not _VARIABLE.search(address, start):
        return
    parts = re.split("([/;])", address[start:])
    for place, part in enumerate(parts):
        shape = _VARIABLE.sub("#", part)
        if shape != part:
            rest = "".join([*parts[:place], shape, *parts[place + 1 :]])
            yield f"{shape} in part {place // 2} of the path", address[:start] + rest + query


def _without_ends(address: str, query: str) -> Iterator[tuple[str, str]]:
    """The URL without a first or last folder that may name a way to look at the page, such as `print`."""
    start = address.find("/", 8)
    segments = address[start + 1 :].split("/")
    if start < 0 or len(segments) < 3:
        return
    if _WAY.fullmatch(segments[0]):
        yield f"/{segments[0]} at the start of the path", f"{address[:start]}/{'/'.join(segments[1:])}{query}"
    if _WAY.fullmatch(segments[-1]):
        yield f"/{segments[-1]} at the end of the path", address[: -len(segments[-1]) - 1] + query


def _name(pair: str) -> str:
    return pair.partition("=")[0]
