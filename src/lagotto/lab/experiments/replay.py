"""Replay: an analysed web in place of the network, without sockets and without waiting."""

from __future__ import annotations

from typing import Protocol

import msgspec

from lagotto.base.facts import OptOut
from lagotto.base.records import Failure, Fetched, Page, Reason
from lagotto.lab.webs.web import WebPage

_decoder = msgspec.msgpack.Decoder(Page)


class Analysis(Protocol):
    """An analysed web: whole, or on demand."""

    def page(self, url: str) -> WebPage | None:
        """The page's analysis as its body."""
        ...


class ReplayFetcher:
    """Answers from an analysed web: 200 for what it holds, 404 for the rest."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis

    async def address(self, host: str) -> str | Failure:
        """No address: nothing is connected to."""
        return ""

    def robots_known(self, url: str) -> bool:
        """Nobody needs to be asked."""
        return True

    def robots_host(self, url: str) -> str:
        """Nobody."""
        return ""

    async def fetch_robots(self, url: str) -> float:
        """No request leaves."""
        return 0.0

    def refusal(self, url: str) -> Failure | None:
        """A frozen web may be read."""
        return None

    def crawl_delay(self, url: str) -> float:
        """No waiting."""
        return 0.0

    def sitemaps(self, url: str) -> list[str]:
        """None."""
        return []

    def opt_outs(self, url: str) -> list[OptOut]:
        """None."""
        return []

    async def fetch(self, url: str) -> Fetched | Failure:
        """The page's analysis stands for its body, to be read by `ReplayParser`."""
        page = self.analysis.page(url)
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


def read_page(analysis: Analysis, url: str) -> Page:
    """One page of an analysed web."""
    page = analysis.page(url)
    if page is None:
        raise KeyError(url)
    return _decoder.decode(page.body)
