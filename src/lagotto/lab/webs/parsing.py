"""Pages of a frozen web as a crawl would parse them.

Links that lead out of the frozen web say nothing about a strategy. Only links to its own pages are kept, with
redirects followed and URLs spelled as in the web. So a replay meets every page once, and never an error.
"""

from __future__ import annotations

from lagotto.base.hashing import hash_link
from lagotto.base.records import Link, Page
from lagotto.lab.webs.spelling import plain_links
from lagotto.lab.webs.web import FrozenWeb, WebPage
from lagotto.parse.page import parse_page

MAX_HOPS = 10


def analyse(web: FrozenWeb, page: WebPage, phrases: tuple[str, ...] = ()) -> Page:
    """Parse a page as a crawl would, with links as the web spells them; robots directives are ignored."""
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
    """The page that a link leads to, redirects followed; None if it leads out of the web."""
    for _ in range(MAX_HOPS):
        page = web.resolve(url)
        if page is not None:
            return page
        redirect = web.redirect(url)
        if redirect is None:
            return None
        url = redirect
    return None
