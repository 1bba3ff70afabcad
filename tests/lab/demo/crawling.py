"""A crawler small enough to see through, to try the demo web with."""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable
from html import unescape
from typing import NamedTuple

from lagotto.base.urls import canonical, host_of
from lagotto.lab.demo import DemoWeb
from lagotto.lab.webs.spelling import plain_links

Score = Callable[[str, str, int], float]
"""(text of the page, anchor, depth of the link) -> link score."""
LINK = re.compile(r'<a [^>]*?href="([^"]*)"[^>]*>([^<]*)</a>')
TAG = re.compile(r"<[^>]*>")


class Read(NamedTuple):
    """What a page says."""

    text: str
    links: list[tuple[str, str]]
    """Target as written, and anchor."""


def read(body: bytes) -> Read:
    html = plain_links(body).decode("utf-8", "replace")
    links = [(unescape(href), unescape(anchor)) for href, anchor in LINK.findall(html)]
    return Read(unescape(TAG.sub(" ", html)), links)


def allowed(web: DemoWeb, url: str) -> bool:
    path = url[url.index(host_of(url)) + len(host_of(url)) :]
    rules = (web.robots(host_of(url)) or "").splitlines()
    closed = [rule.removeprefix("Disallow: ") for rule in rules if rule.startswith("Disallow: ")]
    return not any(path.startswith(prefix) for prefix in closed)


def crawl(web: DemoWeb, seeds: list[str], score: Score, budget: int) -> list[str]:
    """URLs in fetch order, best link first; a copy of a page is fetched but not followed."""
    frontier = [(0.0, number, url, 0) for number, url in enumerate(seeds)]
    known, contents = set(seeds), set()
    fetched: list[str] = []
    while frontier and len(fetched) < budget:
        _, _, url, depth = heapq.heappop(frontier)
        target = web.redirect(url)
        body = web.get(target or url)
        if body is None or not allowed(web, target or url):
            continue
        fetched.append(target or url)
        if body in contents:
            continue
        contents.add(body)
        page = read(body)
        text = page.text.lower()
        for href, anchor in page.links:
            link = canonical(href, target or url)
            if link is not None and link not in known:
                known.add(link)
                heapq.heappush(
                    frontier, (-score(text, anchor.lower(), depth + 1), len(known), link, depth + 1)
                )
    return fetched
