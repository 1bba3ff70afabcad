"""Sections that lead to ever more of their own pages and bring nothing new, and sections without pages."""

from __future__ import annotations

import re
from collections import OrderedDict

from lagotto.base.reasons import Refused
from lagotto.base.urls import host_of
from lagotto.crawling.frontier.traps.evidence import Sighting, Trapped, remember
from lagotto.crawling.frontier.traps.novelty import Brought, Novelty

LATEST = 20
"""Pages of a group that its shares are about, older ones counting less and less."""
COPY = 0.15
"""Share of new text below which a page is put together from what was seen."""
COPIES, COPIES_GROW = 30, 0.4
"""Pages of a group of copies, and the share of new links on them, from which on it is endless."""
MANY_COPIES = 90
"""Pages from which on half of that share is enough."""
MOSTLY, NEARLY_ALL = 0.8, 0.95
OWN, OWN_GROW, OWN_HOST_GROWS = 120, 0.6, 0.85
"""The same for a group whose pages are new, but found on its own pages alone, and for a whole host."""
ALONE = 0.9
MANY = 3
"""Links into its own section that a page of made-up text has at least; a real tree has fewer."""
SCATTERED = 0.5
"""Share of a host's latest pages that were the first of their sections, if it makes up its sections."""
MISSES = 15
"""Requests without a page in a section that gave less than a tenth as many pages."""
KNOWN = 5
"""Pages from which on a group stands for itself."""
GROUPS = 50_000
_NAME = re.compile(r"[A-Za-z-]{1,19}(\.[a-z]{1,5})?")
"""A last segment that names a way to look at a page, such as `print`, rather than the page."""


class _Group:
    """Pages that are alike by their URLs, and what the latest of them brought."""

    def __init__(self) -> None:
        self.pages = 0
        self.misses = 0
        self.repeats = self.copies = self.own = self.growth = self.scattered = self.many = 0.0
        self.closed = ""
        """Why no more of it is wanted; empty while it is."""
        self.copied = False

    def add(self, brought: Brought, growth: float, *, own: bool, first: bool, many: bool) -> None:
        """Count a page, that may be found on one of the group (`own`), or the `first` of its section."""
        self.pages += 1
        weight = max(1.0 / LATEST, 1.0 / self.pages)
        self.repeats += weight * (brought.repeated - self.repeats)
        self.copies += weight * ((brought.text < COPY) - self.copies)
        self.own += weight * (own - self.own)
        self.growth += weight * (growth - self.growth)
        self.scattered += weight * (first - self.scattered)
        self.many += weight * (many - self.many)

    def judge(self, *, of_host: bool, renamed: bool) -> None:
        """Close the group if it is endless."""
        if of_host and self.scattered < SCATTERED:
            return
        copies_grow, own_grows = (OWN_GROW, OWN_HOST_GROWS) if of_host else (COPIES_GROW, OWN_GROW)
        if self.pages >= MANY_COPIES:
            copies_grow /= 2
        if self.pages >= COPIES and self.repeats >= NEARLY_ALL:
            self.closed, self.copied = "repeats word for word what other pages said", True
        elif self.pages >= COPIES and self.copies >= MOSTLY and self.growth >= copies_grow:
            self.closed, self.copied = "puts together in ever new ways what other pages said", True
        elif self.many < MOSTLY:
            return
        elif self.pages >= OWN and self.own >= ALONE and self.growth >= own_grows and not renamed:
            self.closed = "leads to ever more of its own pages, which no other page links to"

    @property
    def empty(self) -> bool:
        return self.misses >= MISSES and 10 * self.pages <= self.misses


class Endless:
    """Groups of URLs that would go on for ever, or that hold no pages.

    A group is what the URLs of a host have in common: their first folder and the names in their query, with
    or without their depth and their last segment; or depth and query alone. Each page is asked how much of
    its text was on no page before, and how many of its links into its own section were on none. In a real
    section the links are soon known. A group is closed once

    - 30 pages mostly repeat what was seen, and two fifths of their links are new (a fifth from 90 pages on),
    - 30 pages nearly all repeat it word for word,
    - 120 pages were found on each other alone, and three fifths of their links are new,
    - or 15 requests brought hardly a page.

    What holds for a wider group is not meant for a narrower one whose pages have texts of their own, and a
    host is closed only where it makes up its sections.
    """

    def __init__(self) -> None:
        self._novelty = Novelty()
        self._groups: OrderedDict[str, _Group] = OrderedDict()
        self._closed: dict[str, set[str]] = {}
        """Host -> its closed groups."""

    @property
    def refuse_some(self) -> bool:
        """Whether any URL would be refused."""
        return bool(self._closed)

    def count(self, page: Sighting, *, renamed: bool = False) -> None:
        """Count a page with its text and links; pages of which only the URL is known say nothing.

        `renamed` says that its host gives the same pages new URLs, so that new links mean no new pages.
        """
        if not page.text:
            return
        names, section = groups_of(page.url), section_of(page.url)
        host = host_of(page.url)
        inside: list[int] = []
        elsewhere: list[int] = []
        for link in page.links:
            if link.host == host:
                (inside if link.url.startswith(section) else elsewhere).append(link.id)
        brought = self._novelty.look(page.text, inside, elsewhere, page.fingerprint)
        if brought is None:
            return
        found_on = groups_of(page.parent) if page.parent else ()
        first = names[1] not in self._groups
        for name in names:
            of_host = name == names[-1]
            group = self._group(name)
            growth = brought.on_host if of_host else brought.in_section
            group.add(brought, growth, own=name in found_on, first=first, many=len(inside) >= MANY)
            if not group.closed:
                group.judge(of_host=of_host, renamed=renamed)
                if group.closed:
                    self._close(page.url, name)

    def miss(self, url: str) -> None:
        """A request for the URL brought no page."""
        for name in groups_of(url)[:-1]:
            group = self._group(name)
            group.misses += 1
            if group.empty and not group.closed:
                group.closed, group.copied = "has hardly a page behind its links", True
                self._close(url, name)

    def refuses(self, url: str, parent: str = "") -> Trapped | None:
        """Why the URL, found on the page `parent`, is one of too many, or None."""
        closed = self._closed.get(host_of(url))
        if closed is None:
            return None
        names = groups_of(url)
        for at, name in enumerate(names):
            if name in closed and not any(map(self._stands_for_itself, names[:at])):
                group = self._groups[name]
                if group.copied or (parent and name in groups_of(parent)):
                    return Trapped(Refused.ENDLESS, f"{name} {group.closed}")
        return None

    def _stands_for_itself(self, name: str) -> bool:
        """Whether a group has pages with texts of their own, whatever is said of a wider one."""
        known = self._groups.get(name)
        return known is not None and known.pages >= KNOWN and known.copies < MOSTLY / 2

    def _group(self, name: str) -> _Group:
        group = self._groups.get(name) or _Group()
        if not group.closed:
            remember(self._groups, name, group, GROUPS)
        return group

    def _close(self, url: str, name: str) -> None:
        self._closed.setdefault(host_of(url), set()).add(name)


def section_of(url: str) -> str:
    """The URL up to its first folder, or its host.

    >>> section_of("http://a.org/tag/x"), section_of("http://a.org/page?n=1")
    ('http://a.org/tag/', 'http://a.org/page?')
    """
    address, question, _ = url.partition("?")
    start = address.find("/", 8) + 1
    folder = address.find("/", start) + 1
    if folder:
        return address[:folder]
    return address + question if question else address[:start]


def groups_of(url: str) -> tuple[str, str, str]:
    """The groups of a URL, that of its host last.

    >>> groups_of("http://a.org/tag/x/7?sort=up")
    ('http://a.org/tag/*3/?sort', 'http://a.org/tag/?sort', 'http://a.org *3?sort')
    """
    address, question, query = url.partition("?")
    start = address.find("/", 8)
    host, segments = address[:start], address[start + 1 :].split("/")
    names = ""
    if question:
        names = "?" + "&".join(sorted({pair.partition("=")[0] for pair in query.split("&")}))
    depth = len(segments)
    first = f"{segments[0]}/" if depth > 1 else segments[0] if question else ""
    last = segments[-1] if depth > 2 and _NAME.fullmatch(segments[-1]) else ""
    return f"{host}/{first}*{depth}/{last}{names}", f"{host}/{first}{names}", f"{host} *{depth}{names}"
