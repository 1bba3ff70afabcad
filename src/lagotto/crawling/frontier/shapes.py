"""Endless parts of the web, told by how their URLs look: calendars, session numbers, filters, host names.

What counts is what was fetched, not what was found: a large archive whose pages all look like
`/article/#` brings in its links freely, and only what is fetched of it is bounded.
"""

from __future__ import annotations

import re
from collections import Counter, OrderedDict

from lagotto.base.reasons import Refused
from lagotto.base.urls import host_of, site_of
from lagotto.crawling.frontier.traps.evidence import remember

QUERIES = 4
"""A path may have this many times `limit` pages over all the kinds of query it is asked with."""
_NAMED = 1000
# Words joined by hyphens are a page's name, however long; letters and digits in one run are not.
_VARIABLE = re.compile(r"[0-9A-Za-z]{20,}|[0-9a-fA-F]{12,}|\d+")


class Shapes:
    """Counts pages by the shape of their URL, and each site's hosts; 0 means no limit."""

    def __init__(self, *, limit: int = 0, hosts_per_site: int = 0) -> None:
        self.limit = limit
        self.hosts_per_site = hosts_per_site
        self.full: Counter[str] = Counter()
        """Shape, or site, that has given enough -> links refused since."""
        self._pages: OrderedDict[int, int] = OrderedDict()
        self._hosts: OrderedDict[str, set[str]] = OrderedDict()
        # Most hosts never come near a limit, so that every other link costs one look here.
        self._full_shapes: dict[str, set[str]] = {}
        self._full_sites: set[str] = set()

    @property
    def refuse_some(self) -> bool:
        """Whether anything is full, so that links must be looked at."""
        return bool(self._full_shapes or self._full_sites)

    def refuses(self, url: str) -> Refused | None:
        """Why no more is wanted of what the URL belongs to, or None."""
        host = host_of(url)
        if host in self._full_shapes:
            for shape, _ in self._limits(url):
                if shape in self._full_shapes[host]:
                    self._note(shape)
                    return Refused.PATTERN_LIMIT
        if self._full_sites:
            site = _site_above(host)
            if site in self._full_sites and host not in self._hosts.get(site, ()):
                self._note(f"*.{site}")
                return Refused.HOSTS_PER_SITE
        return None

    def count(self, url: str) -> None:
        """A page came from this URL."""
        host = host_of(url)
        for shape, limit in self._limits(url) if self.limit else ():
            pages = self._pages.get(hash(shape), 0) + 1
            remember(self._pages, hash(shape), pages)
            if pages >= limit:
                self._full_shapes.setdefault(host, set()).add(shape)
        site = _site_above(host) if self.hosts_per_site else ""
        if site:
            hosts = self._hosts.get(site) or set()
            hosts.add(host)
            remember(self._hosts, site, hosts)
            if len(hosts) >= self.hosts_per_site:
                self._full_sites.add(site)

    def _limits(self, url: str) -> list[tuple[str, int]]:
        """The shapes that the URL counts for, each with its limit."""
        shape = shape_of(url)
        address, question, _ = shape.partition("?")
        limits = [(shape, self.limit)] if question or "#" in shape else []
        return [*limits, (f"{address}?*", QUERIES * self.limit)] if question else limits

    def _note(self, what: str) -> None:
        if what in self.full or len(self.full) < _NAMED:
            self.full[what] += 1


def shape_of(url: str) -> str:
    """The URL with all that varies replaced by `#`, and its query reduced to sorted names.

    >>> shape_of("http://a.org/events/2024/05/?sort=x&day=3")
    'http://a.org/events/#/#/?day&sort'
    """
    address, _, query = url.partition("?")
    start = address.find("/", 8)
    if start < 0:
        return url
    shape = address[:start] + _VARIABLE.sub("#", address[start:])
    if not query:
        return shape
    return shape + "?" + "&".join(sorted({pair.partition("=")[0] for pair in query.split("&")}))


def _site_above(host: str) -> str:
    """Registrable domain of a host that is one of possibly many below it; else an empty string."""
    site = site_of(host)
    name = host.rpartition(":")[0] or host
    return "" if name in (site, f"www.{site}") else site
