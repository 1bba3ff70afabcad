"""The robots.txt texts of the demo web."""

from __future__ import annotations

from lagotto.demo import calendar
from lagotto.demo.sites import MEMBERS_HOSTS, Site, SiteKind

CRAWL_DELAYS = {"slow-kiln.example": "1", "corner-shop.example": "0.5"}
SITEMAP_HOST = "nightsky.example"


def robots_text(site: Site) -> str | None:
    """A site's robots.txt, None when it has none."""
    rules = []
    if site.kind is SiteKind.MAGAZINE:
        rules.append("Disallow: /search")
    if site.host in MEMBERS_HOSTS:
        rules.append("Disallow: /members/")
    if site.host in calendar.CLOSED_HOSTS:
        rules.append("Disallow: /calendar/")
    if site.host in CRAWL_DELAYS:
        rules.append(f"Crawl-delay: {CRAWL_DELAYS[site.host]}")
    text = "\n".join(["User-agent: *", *rules, ""]) if rules else ""
    if site.host == SITEMAP_HOST:
        text += f"Sitemap: http://{site.host}/sitemap.xml\n"
    return text or None
