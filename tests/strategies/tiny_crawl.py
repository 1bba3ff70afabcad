"""Crawls of hand-made webs of a few pages, with the real worker and a store in memory.

One page at a time from lease to commit, so the order of fetches is the strategy's alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from itertools import count

import msgspec

from lagotto.assembly import make_worker
from lagotto.config import Config
from lagotto.crawling.events import Event, PageDone
from lagotto.crawling.seeding import seed_lease
from lagotto.crawling.statistics import Statistics
from lagotto.frontier import Scope
from lagotto.lab.replay import ReplayFetcher, ReplayParser
from lagotto.lab.web import WebPage
from lagotto.records import Outcome, Page
from lagotto.store import SqliteStore
from lagotto.strategies.base import Strategy
from lagotto.testing import make_page
from lagotto.urls import SHARDS, checksum

ROOT = "http://tiny.example/"


def page(name: str, text: str, links: Mapping[str, str] | Iterable[str] = (), context: str = "") -> Page:
    """A page of the tiny web; links by name, with an anchor or without, all in the same context.

    Its content counts as its own even where another page has the same words.
    """
    anchors = dict(links) if isinstance(links, Mapping) else dict.fromkeys(links, "")
    made = make_page(
        f"{ROOT}{name}", "", text, {f"{ROOT}{target}": anchor for target, anchor in anchors.items()}
    )
    for link in made.links:
        link.context_terms = context.split()
        link.url_terms = []
    made.fingerprint = made.simhash = checksum(made.url)
    return made


class TinyWeb:
    """Pages by URL, as a crawl in replay sees them."""

    def __init__(self, *pages: Page) -> None:
        self._pages = {page.url: page for page in pages}

    def page(self, url: str) -> WebPage | None:
        """The page, already parsed."""
        found = self._pages.get(url)
        return WebPage(url, msgspec.msgpack.encode(found)) if found else None


class NoSnapshots(SqliteStore):
    """A store as a crash leaves it: what was learned is in the samples alone."""

    def snapshot(self, state: bytes, *, at_once: bool = False) -> None:
        """Keep nothing."""


class TinyCrawl:
    """A crawl that can be stopped after some pages and gone on with by another strategy object."""

    def __init__(self, web: TinyWeb, *seeds: str, snapshots: bool = True) -> None:
        self.web = web
        self.store = SqliteStore.memory() if snapshots else NoSnapshots.memory()
        self.store.acquire(range(SHARDS), "test")
        self.store.add_seeds([seed_lease(f"{ROOT}{seed}") for seed in seeds])
        self.outcomes: list[Outcome] = []
        self._statistics = Statistics()
        self._ticks = count()

    @property
    def order(self) -> list[str]:
        """Names of the pages in fetch order."""
        return [outcome.lease.url.removeprefix(ROOT) for outcome in self.outcomes]

    def run(self, strategy: Strategy, pages: int = 100) -> list[str]:
        """Crawl until so many pages are fetched in all, or none is left; returns all pages in fetch order."""
        asyncio.run(self._run(strategy, pages))
        return self.order

    async def _run(self, strategy: Strategy, pages: int) -> None:
        worker = make_worker(
            Config(delay=0.0, concurrency=1, max_pages=pages, retries=0),
            store=self.store,
            strategy=strategy,
            scope=Scope(),
            fetcher=ReplayFetcher(self.web),
            parser=ReplayParser(),
            statistics=self._statistics,
            tell=self._note,
            now=lambda: float(next(self._ticks)),
            wall=lambda: 0.0,
        )
        await worker.run()

    def _note(self, event: Event) -> None:
        if isinstance(event, PageDone) and event.outcome.status == 200:
            self.outcomes.append(event.outcome)


def crawl(strategy: Strategy, web: TinyWeb, *seeds: str) -> list[str]:
    """Names of all pages that the strategy fetches, in order."""
    return TinyCrawl(web, *seeds).run(strategy)
