"""Replay: a frozen web behind the seams of a crawl, without sockets and without waiting.

Pages of a web are parsed once; the analysis is itself kept as a frozen web whose bodies are
parsed pages, beside the web's own file. Links are kept under the one spelling that the web counts
a page by, so that a crawl meets every page once.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import msgspec

from lagotto.lab.freezing import WebWriter
from lagotto.lab.spelling import plain_links
from lagotto.lab.web import FrozenWeb, WebPage
from lagotto.parse import parse_page
from lagotto.records import Failure, Fetched, Link, Page, Reason

ANALYSIS_VERSION = 1
_TYPE = "application/x-lagotto-page"
_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Page)


def analysis_of(
    web: FrozenWeb, phrases: tuple[str, ...] = (), progress: Callable[[int, int], None] | None = None
) -> FrozenWeb:
    """The web's parsed pages, read from the file beside it or made now."""
    marks = [web.content_hash[:16], str(ANALYSIS_VERSION)]
    if phrases:
        marks.append(msgspec.json.encode(sorted(phrases)).hex()[:24])
    path = web.path.with_name(f"{web.path.name}.{'-'.join(marks)}.pages")
    if not path.exists():
        _analyse(web, path, phrases, progress)
    return FrozenWeb.open(path)


def _analyse(
    web: FrozenWeb, path: Path, phrases: tuple[str, ...], progress: Callable[[int, int], None] | None
) -> None:
    """Parse every page into a file of its own, put in place when it is whole."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    with WebWriter(unfinished) as writer:
        for number, page in enumerate(web, 1):
            writer.add(page.url, _encoder.encode(analyse(web, page, phrases)), _TYPE)
            if progress is not None and number % 100 == 0:
                progress(number, len(web))
    unfinished.replace(path)


def analyse(web: FrozenWeb, page: WebPage, phrases: tuple[str, ...] = ()) -> Page:
    """A page as a crawl would parse it, its links under the web's own spellings."""
    parsed = parse_page(page.url, plain_links(page.body), page.content_type, phrases=phrases)
    links: dict[str, Link] = {}
    for link in parsed.links:
        link.url = web.resolve(link.url) or link.url
        links.setdefault(link.url, link)
    links.pop(page.url, None)
    parsed.links = list(links.values())
    return parsed


class ReplayFetcher:
    """Answers from a frozen web: 200 for what it holds, 404 for the rest."""

    def __init__(self, web: FrozenWeb) -> None:
        self.web = web

    async def address(self, host: str) -> str | Failure:
        """No address: nothing is connected to."""
        return ""

    def robots_known(self, url: str) -> bool:
        """Nobody needs to be asked."""
        return True

    async def fetch_robots(self, url: str) -> float:
        """No request leaves."""
        return 0.0

    def allowed(self, url: str) -> Failure | None:
        """A frozen web may be read."""
        return None

    def crawl_delay(self, url: str) -> float:
        """No waiting."""
        return 0.0

    def sitemaps(self, url: str) -> list[str]:
        """None."""
        return []

    async def fetch(self, url: str) -> Fetched | Failure:
        """The page's analysis stands for its body, to be read by `ReplayParser`."""
        redirect = self.web.redirect(url)
        if redirect is not None:
            return Fetched(url=url, status=301, location=redirect)
        page = self.web.page(url)
        if page is None:
            return Fetched(url=url, status=404)
        return Fetched(url=page.url, status=200, body=page.body, content_type="text/html")

    async def close(self) -> None:
        """Nothing is open."""


class ReplayParser:
    """Reads a page from its analysis."""

    async def parse(self, fetched: Fetched) -> Page | Failure:
        """Decode the page that was parsed when the web was analysed."""
        try:
            return _decoder.decode(fetched.body)
        except msgspec.DecodeError as error:
            return Failure(Reason.PARSE_CRASH, str(error))

    async def close(self) -> None:
        """Nothing is open."""
