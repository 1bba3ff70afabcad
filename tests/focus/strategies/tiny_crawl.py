"""Crawls of hand-made webs of a few pages, with the real worker and a store in memory.

One page at a time from lease to commit, so the order of fetches is the strategy's alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from itertools import count

import msgspec

from lagotto.base.batch import Batch, Committed
from lagotto.base.records import Outcome, Page
from lagotto.base.urls import checksum
from lagotto.crawling.assembly import OpenCrawl, make_worker
from lagotto.crawling.config import Config
from lagotto.crawling.frontier import Hosts, Scope
from lagotto.crawling.worker.seeding import seed_lease
from lagotto.crawling.worker.statistics import Statistics
from lagotto.crawling.worker.worker import Clock
from lagotto.focus.strategies.base import Strategy
from lagotto.lab.checks import make_page
from lagotto.lab.experiments.replay import ReplayFetcher, ReplayParser
from lagotto.lab.webs.web import WebPage
from lagotto.store.sqlite import database
from lagotto.store.sqlite.commands import CommandList
from lagotto.store.sqlite.store import SqliteStore
from tests.store.blocking import Blocking

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


class RecordingStore(SqliteStore):
    """A store in memory that remembers the outcomes of pages.

    Without snapshots it is as a crash leaves it: what was learned is in the samples alone.
    """

    def __init__(self, *, snapshots: bool) -> None:
        db = database.connect(":memory:")
        database.set_up(db)
        super().__init__(db, None, CommandList())
        self.snapshots = snapshots
        self.outcomes: list[Outcome] = []

    async def commit(self, batch: Batch) -> Committed:
        """Commit, and remember."""
        if not self.snapshots:
            batch.snapshot = None
        self.outcomes += [outcome for outcome in batch.outcomes if outcome.status == 200]
        return await super().commit(batch)


class TinyCrawl:
    """A crawl that can be stopped after some pages and gone on with by another strategy object."""

    def __init__(self, web: TinyWeb, *seeds: str, snapshots: bool = True) -> None:
        self.web = web
        self.store = RecordingStore(snapshots=snapshots)
        Blocking(self.store).hold_all().add_seeds([seed_lease(f"{ROOT}{seed}") for seed in seeds])
        self.outcomes = self.store.outcomes
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
        worker = await make_worker(
            Config(delay=0.0, concurrency=1, max_pages=pages, retries=0),
            OpenCrawl(
                store=self.store,
                strategy=strategy,
                scope=Scope(),
                fetcher=ReplayFetcher(self.web),
                parser=ReplayParser(),
                hosts=Hosts(),
                statistics=self._statistics,
            ),
            clock=Clock(now=lambda: float(next(self._ticks)), wall=lambda: 0.0),
        )
        await worker.run()


def crawl(strategy: Strategy, web: TinyWeb, *seeds: str) -> list[str]:
    """Names of all pages that the strategy fetches, in order."""
    return TinyCrawl(web, *seeds).run(strategy)
