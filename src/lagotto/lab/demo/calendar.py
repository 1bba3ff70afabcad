"""The calendar trap: an endless number of pages, one for each month."""

from __future__ import annotations

import re
from random import Random
from typing import NamedTuple

from lagotto.lab.demo.sites import MEMBERS_HOSTS, Site, SiteKind

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
