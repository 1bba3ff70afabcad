"""The demo web: pages, copies, redirects, traps such as an endless calendar, and labels."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from pathlib import Path
from random import Random
from typing import NamedTuple
from urllib.parse import urlsplit

from lagotto.base.errors import UnknownName
from lagotto.base.urls import canonical
from lagotto.lab.demo.prose import GENERAL, topic_words
from lagotto.lab.demo.rendering import content_type, render, render_calendar, render_search
from lagotto.lab.demo.sites import (
    FORMER_HOSTS,
    LOOP_HOST,
    MEMBERS_HOSTS,
    MIRRORS,
    PageKind,
    Plan,
    PlannedPage,
    Site,
    SiteKind,
)
from lagotto.lab.webs.freezing import WebWriter
from lagotto.lab.webs.spelling import page_key
from lagotto.lab.webs.web import WebPage

HOSTS = {
    "events.example": "general",
    "hedgerow-diary.example": "birds",
    "under-the-oak.example": "truffles",
    "fair-tide.example": "sailing",
}
"""Host -> word list that its calendar is written with."""
CLOSED_HOSTS = frozenset({"fair-tide.example"})
"""Hosts whose robots.txt disallows the calendar."""
_PATH = re.compile(r"/calendar/(\d{4})/(\d{2})/(?:(\d{2})/)?")


class Day(NamedTuple):
    """A month of a host's calendar, or a day of it."""

    host: str
    year: int
    month: int
    day: int = 0
    """0 means the whole month."""

    @property
    def url(self) -> str:
        """Path of its page."""
        folder = f"http://{self.host}/calendar/{self.year:04d}/{self.month:02d}/"
        return folder + (f"{self.day:02d}/" if self.day else "")

    def month_after(self, months: int) -> Day:
        """The month some months later."""
        years, month = divmod(self.month - 1 + months, 12)
        return Day(self.host, self.year + years, month + 1)


def first_day(host: str) -> Day:
    """First page of a host's calendar."""
    return Day(host, 2024, 1)


def day_of(host: str, path: str) -> Day | None:
    """The month or day of a path, None if it is no calendar page."""
    found = _PATH.fullmatch(path)
    if found is None or host not in HOSTS or not 1 <= int(found[2]) <= 12:
        return None
    return Day(host, int(found[1]), int(found[2]), int(found[3] or 0))


def links_of(day: Day, draw: Random) -> list[tuple[str, str]]:
    """URLs and anchors of a calendar page's links, among them always the next month."""
    month = day.month_after(0)
    links = [(month.month_after(1).url, "next month"), (month.month_after(-1).url, "previous month")]
    if not day.day:
        days = sorted(draw.sample(range(1, 29), 6))
        links += [(day._replace(day=number).url, str(number)) for number in days]
    return links


CRAWL_DELAYS = {"slow-kiln.example": "1", "corner-shop.example": "0.5"}
SITEMAP_HOST = "nightsky.example"


def robots_text(site: Site) -> str | None:
    """A site's robots.txt, None when it has none."""
    rules = []
    if site.kind is SiteKind.MAGAZINE:
        rules.append("Disallow: /search")
    if site.host in MEMBERS_HOSTS:
        rules.append("Disallow: /members/")
    if site.host in CLOSED_HOSTS:
        rules.append("Disallow: /calendar/")
    if site.host in CRAWL_DELAYS:
        rules.append(f"Crawl-delay: {CRAWL_DELAYS[site.host]}")
    text = "\n".join(["User-agent: *", *rules, ""]) if rules else ""
    if site.host == SITEMAP_HOST:
        text += f"Sitemap: http://{site.host}/sitemap.xml\n"
    return text or None


_MIRRORED = {mirror: host for host, mirror in MIRRORS.items()}
_PRESENT = {former: host for host, former in FORMER_HOSTS.items()}
_LOOP = {"/loop/a": "/loop/b", "/loop/b": "/loop/a"}
_COPY = re.compile(r"[?&](?:print=1|sid=\d{3})$")
_MOVED = re.compile(r"/moved/(\d{1,6})")


class DemoTopic(NamedTuple):
    """Search words and seeds of a topic."""

    words: str
    seeds: list[str]


class DemoWeb:
    """A web of some 3,000 pages on some 60 hosts, the same for the same seed; implements `Web`."""

    def __init__(self, seed: int = 1) -> None:
        self.seed = seed
        self.plan = Plan(seed)
        self._by_key = {page_key(page.url): page for page in self.plan.pages}
        self._rendered: dict[int, bytes] = {}

    def page(self, url: str) -> WebPage | None:
        """The page behind any spelling of its URL, made on first use."""
        planned = self._planned(url)
        if planned is None:
            return self._unplanned(url)
        if planned.number not in self._rendered:
            self._rendered[planned.number] = render(self.plan, planned)
        return WebPage(planned.url, self._rendered[planned.number], content_type(planned.site))

    def get(self, url: str) -> bytes | None:
        """The page's HTML."""
        page = self.page(url)
        return None if page is None else page.body

    def resolve(self, url: str) -> str | None:
        """The main URL of a page; that of the original for copies."""
        planned = self._planned(url)
        if planned is not None:
            return planned.url
        page = self._unplanned(url)
        return None if page is None else page.url

    def redirect(self, url: str) -> str | None:
        """Where the URL redirects to."""
        parts = urlsplit(url)
        moved = _MOVED.fullmatch(parts.path)
        if moved and int(moved[1]) < len(self.plan.pages):
            return self.plan.pages[int(moved[1])].url
        if parts.hostname in _PRESENT:
            return parts._replace(scheme="http", netloc=_PRESENT[parts.hostname]).geturl()
        if parts.hostname == LOOP_HOST and parts.path in _LOOP:
            return f"http://{LOOP_HOST}{_LOOP[parts.path]}"
        return None

    def robots(self, host: str) -> str | None:
        """The host's robots.txt, None if it has none."""
        return robots_text(self.plan.sites[host]) if host in self.plan.sites else None

    def topics(self) -> dict[str, DemoTopic]:
        """Topic -> its search words and seed URLs."""
        return {
            name: DemoTopic(words.query, self._seeds(name))
            for name, words in topic_words().items()
            if name != GENERAL
        }

    def labels(self, topic: str) -> set[str]:
        """URLs of the pages about a topic that a crawler may fetch; for evaluation only."""
        if topic not in self.topics():
            known = ", ".join(self.topics())
            raise UnknownName(f"the demo web has no topic '{topic}'; its topics are {known}")
        return {page.url for page in self.plan.pages if page.topic == topic and _counts(page)}

    def hits(self, topic: str, urls: Iterable[str]) -> list[bool]:
        """For each fetched URL, whether it is a page about the topic that was not fetched before."""
        wanted = self.labels(topic)
        hits = []
        for url in urls:
            page = self.resolve(url)
            hits.append(page in wanted)
            wanted.discard(page or "")
        return hits

    def __len__(self) -> int:
        return len(self.plan.pages)

    def urls(self) -> list[str]:
        """URLs of all pages but copies and endless ones."""
        return [page.url for page in self.plan.pages]

    def _seeds(self, topic: str) -> list[str]:
        """Articles on the topic in two of the magazines that carry it."""
        draw = Random(f"seeds {self.seed} {topic}")
        carried = [page for page in self.plan.articles[topic] if page.site.kind is SiteKind.MAGAZINE]
        hosts = draw.sample(sorted({page.site.host for page in carried}), 2)
        return [draw.choice([page.url for page in carried if page.site.host == host]) for host in hosts]

    def _planned(self, url: str) -> PlannedPage | None:
        key = page_key(url)
        if key is None:
            return None
        host, slash, path = key.partition("/")
        key = _MIRRORED.get(host, host) + slash + path
        return self._by_key.get(key) or self._by_key.get(_COPY.sub("", key))

    def _unplanned(self, url: str) -> WebPage | None:
        """A page that is not planned: of a calendar, of a search, or a sitemap."""
        spelled = canonical(url)
        if spelled is None:
            return None
        parts = urlsplit(spelled)
        host = parts.hostname or ""
        day = day_of(host, parts.path)
        if day is not None:
            return WebPage(day.url, render_calendar(self.plan, day), content_type(self.plan.sites[host]))
        site = self.plan.sites.get(host)
        if site is not None and site.kind is SiteKind.MAGAZINE and parts.path == "/search":
            return WebPage(spelled, render_search(self.plan, site, spelled), content_type(site))
        if host == SITEMAP_HOST and parts.path == "/sitemap.xml":
            return WebPage(spelled, self._sitemap(), "application/xml")
        return None

    def _sitemap(self) -> bytes:
        places = "".join(
            f"<url><loc>{escape(page.url)}</loc></url>" for page in self.plan.by_host[SITEMAP_HOST]
        )
        return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{places}</urlset>'.encode()


def _counts(page: PlannedPage) -> bool:
    """Whether a page is about its topic, and open to crawlers."""
    if "/members/" in page.url or page.kind not in (PageKind.HOME, PageKind.SECTION, PageKind.ARTICLE):
        return False
    return page.site.kind is SiteKind.TOPICAL or page.kind is not PageKind.HOME


CALENDAR_MONTHS = 60
"""Months of each calendar that are frozen; the demo web has endless ones."""


def freeze(web: DemoWeb, path: str | Path) -> None:
    """Write the web's pages, copies, redirects and robots rules to a frozen web."""
    with WebWriter(path) as writer:
        for url in _all_urls(web):
            page = web.page(url)
            assert page is not None, url
            writer.add(url, page.body, page.content_type)
        for planned in web.plan.pages:
            moved = f"http://{planned.site.host}/moved/{planned.number}"
            writer.add_redirect(moved, planned.url)
        for host in web.plan.sites:
            rules = web.robots(host)
            if rules is not None:
                writer.add_robots(host, rules)


def _all_urls(web: DemoWeb) -> list[str]:
    urls = web.urls()
    for host, mirror in MIRRORS.items():
        urls += [page.url.replace(host, mirror, 1) for page in web.plan.by_host[host]]
    for host in HOSTS:
        first = first_day(host)
        urls += [first.month_after(months).url for months in range(CALENDAR_MONTHS)]
    return urls
