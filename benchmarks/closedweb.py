"""A part of a frozen web whose links all lead to its own pages.

Crawlers order their queues differently, so from the same seeds they fetch different pages, and some meet many
more dead links than others. If a closed web is crawled to its end, all fetch the same pages once, and their
cost can be compared. Links that led out are replaced by links to pages inside, so that pages keep their
number of links.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Sequence, Set
from html import escape, unescape
from pathlib import Path

from lagotto.base.urls import canonical, checksum, host_of, origin_of
from lagotto.lab.webs.freezing import WebWriter
from lagotto.lab.webs.spelling import plain_links
from lagotto.lab.webs.web import FrozenWeb

PAGES_OF_A_HOST = 150
_HREF = re.compile(rb"""(\bhref\s*=\s*)("[^"]*"|'[^']*'|[^\s"'>]+)""", re.IGNORECASE)
# Links outside of hrefs, or in disguise.
_OTHER_LINKS = re.compile(rb"<base\b|<i?frame\b|http-equiv=.?refresh", re.IGNORECASE)


def close_web(source: Path, seeds: Iterable[str], pages: int, path: Path) -> None:
    """Freeze the first pages found breadth first, some of each host, with all links leading to them."""
    with FrozenWeb.open(source) as web:
        kept = _reachable(web, seeds, pages)
        urls = list(kept)
        with WebWriter(path) as writer:
            for url, body in kept.items():
                writer.add(url, _turned_inwards(web, url, body, kept.keys(), urls))


def _reachable(web: FrozenWeb, seeds: Iterable[str], pages: int) -> dict[str, bytes]:
    """URL -> body of the pages to keep."""
    found: dict[str, bytes] = {}
    of_host: Counter[str] = Counter()
    waiting = deque(url for url in map(web.resolve, seeds) if url is not None)
    while waiting and len(found) < pages:
        url = waiting.popleft()
        page = web.page(url)
        host = host_of(url)
        if url in found or page is None or of_host[host] >= PAGES_OF_A_HOST or _OTHER_LINKS.search(page.body):
            continue
        of_host[host] += 1
        found[url] = body = plain_links(page.body)
        references = (_reference(url, href[2]) for href in _HREF.finditer(body))
        targets = (web.resolve(reference) for reference in references if reference is not None)
        waiting.extend(target for target in targets if target is not None and target not in found)
    return found


def _reference(url: str, href: bytes) -> str | None:
    """The URL that a link of a page leads to, None when it leads to no page at all."""
    reference = unescape(href.strip(b"\"'").decode("utf-8", "replace"))
    return None if reference.startswith("#") else canonical(reference, url)


def _turned_inwards(web: FrozenWeb, url: str, body: bytes, kept: Set[str], urls: Sequence[str]) -> bytes:
    """The page with all its links leading to kept pages, with one spelling for each."""

    def inwards(found: re.Match[bytes]) -> bytes:
        reference = _reference(url, found[2])
        if reference is None:
            return found[0]
        target = web.resolve(reference)
        if target is None or target not in kept:
            target = urls[checksum(reference) % len(urls)]
        if origin_of(target) == origin_of(url):
            target = target.removeprefix(origin_of(url))
        return found[1] + b'"' + escape(target).encode() + b'"'

    return _HREF.sub(inwards, body)
