"""Pages of a frozen web as a crawl would parse them.

A frozen web ends somewhere, and a link that leads out of it says nothing about a strategy: only links to
pages of the web are kept, each under the one spelling that the web counts its page by, redirects followed.
So a replay meets every page once, and never an error.
"""

from __future__ import annotations

from lagotto.hashing import hash_link
from lagotto.lab.spelling import plain_links
from lagotto.lab.web import FrozenWeb, WebPage
from lagotto.parse.page import parse_page
from lagotto.records import Link, Page

MAX_HOPS = 10


def analyse(web: FrozenWeb, page: WebPage, phrases: tuple[str, ...] = ()) -> Page:
    """A page as a crawl would parse it, its links as the web knows them, robots directives aside."""
    parsed = parse_page(page.url, plain_links(page.body), page.content_type, phrases=phrases)
    links: dict[str, Link] = {}
    for link in [*parsed.links, *([Link(parsed.refresh)] if parsed.refresh else [])]:
        target = _target(web, link.url)
        if target is not None and target != page.url:
            link.url = target
            hash_link(link)
            links.setdefault(target, link)
    parsed.links = list(links.values())
    parsed.refresh = ""
    parsed.noindex = parsed.nofollow = False
    return parsed


def _target(web: FrozenWeb, url: str) -> str | None:
    """The page that a link leads to in the end, None when it leads out of the web."""
    for _ in range(MAX_HOPS):
        page = web.resolve(url)
        if page is not None:
            return page
        redirect = web.redirect(url)
        if redirect is None:
            return None
        url = redirect
    return None
