"""The network half of a page's life: address, robots.txt, request, parse."""

from __future__ import annotations

from msgspec import Struct

from lagotto.records import Failure, Fetched, Lease, Link, Page
from lagotto.seams import Fetcher, Parser


class Visit(Struct):
    """What came of a lease before anybody judged it."""

    lease: Lease
    answer: Fetched | Failure
    page: Page | Failure | None = None
    """None when the answer is not to be parsed."""


class NotYet(Struct):
    """The host had to be asked for something else first; the link stays queued."""

    lease: Lease
    sent_at: float = 0.0
    sitemaps: list[str] = []


async def prepare(lease: Lease, fetcher: Fetcher) -> NotYet | Visit | None:
    """Fetch robots.txt if it is not known and obey it; None when the page itself may be asked for."""
    if not fetcher.robots_known(lease.url):
        sent_at = await fetcher.fetch_robots(lease.url)
        if sent_at:
            return NotYet(lease, sent_at, fetcher.sitemaps(lease.url))
    refusal = fetcher.allowed(lease.url)
    return Visit(lease, refusal) if refusal else None


async def parse_answer(answer: Fetched, parser: Parser, *, obey_robots: bool = True) -> Page | Failure | None:
    """The page in the answer; None when its status says that there is none."""
    if answer.status != 200 or is_sitemap(answer):
        return None
    page = await parser.parse(answer)
    if isinstance(page, Page):
        page.noindex = obey_robots and (page.noindex or answer.noindex)
        page.nofollow = obey_robots and (page.nofollow or answer.nofollow)
        if page.refresh and all(link.url != page.refresh for link in page.links):
            page.links.append(Link(page.refresh))
    return page


def is_sitemap(answer: Fetched) -> bool:
    """Whether the answer is XML that lists URLs rather than a page for people."""
    kind = answer.content_type.partition(";")[0].strip()
    return kind in {"application/xml", "text/xml", "application/rss+xml", "application/atom+xml"}
