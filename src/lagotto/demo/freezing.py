"""Freezing the demo web into a file, for tests and comparisons that replay it."""

from __future__ import annotations

from pathlib import Path

from lagotto.demo import calendar
from lagotto.demo.sites import MIRRORS
from lagotto.demo.web import DemoWeb
from lagotto.lab.webs.freezing import WebWriter

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
    for host in calendar.HOSTS:
        first = calendar.first_day(host)
        urls += [first.month_after(months).url for months in range(CALENDAR_MONTHS)]
    return urls
