"""One run: a strategy crawls an analysed web in replay; the fetched pages are returned.

A run knows nothing of labels, except for the single answers of a simulated teacher where there is one. It is
judged afterwards.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count

from msgspec import Struct

from lagotto.base.batch import Batch
from lagotto.base.protocols import Parser, Store
from lagotto.base.urls import SHARDS
from lagotto.crawling.assembly import OpenCrawl, make_worker
from lagotto.crawling.config import Config
from lagotto.crawling.encoding import EncodingParser
from lagotto.crawling.frontier import Hosts, Scope
from lagotto.crawling.rejudging import judge_pages, store_verdicts
from lagotto.crawling.worker.events import Event, Listeners, PageDone
from lagotto.crawling.worker.seeding import seed_lease
from lagotto.crawling.worker.statistics import Statistics
from lagotto.crawling.worker.worker import Clock, Worker
from lagotto.focus.judging.encoder import Encoder
from lagotto.focus.strategies.base import Strategy
from lagotto.focus.teaching.during import Answer
from lagotto.focus.topic import Topic
from lagotto.lab.experiments.replay import Analysis, ReplayFetcher, ReplayParser
from lagotto.lab.experiments.teacher import Asking
from lagotto.store import storage_at

DIGITS = 6
"""Digits of a relevance that are kept."""


class Again(Struct):
    """What judging all pages again gave; the lists are in fetch order."""

    relevance: list[float | None]
    """None for a page that was not judged, since its content was seen before."""
    relevant: list[bool]
    recall: float
    recall_low: float
    recall_high: float
    presence: float | None
    """Chance that the web has the topic; None if the strategy does not judge that."""
    here: bool
    cpu_seconds: float


async def judge_again(
    store: Store, strategy: Strategy, topic: Topic, numbers: Sequence[int], encoder: Encoder | None = None
) -> Again | None:
    """Judge the pages with these numbers again; None if the strategy judges no page twice."""
    started = time.process_time()
    found = judge_pages(
        store.reader(), strategy, language=topic.language, phrases=topic.phrases, encoder=encoder
    )
    if found is None:
        return None
    await store_verdicts(store, found)
    seconds = time.process_time() - started
    rows = {row.seq: row for row in store.reader().rows()}
    pages = [rows[number] for number in numbers]
    judging = found.judging
    return Again(
        relevance=[None if page.relevance is None else round(page.relevance, DIGITS) for page in pages],
        relevant=[bool(page.relevant) for page in pages],
        recall=judging.recall,
        recall_low=judging.recall_low,
        recall_high=judging.recall_high,
        presence=None if judging.naming is None else judging.presence,
        here=judging.here,
        cpu_seconds=seconds,
    )


Fetched = Callable[[int], None]
"""Called after each page with the number of pages so far."""


class Replayed(Struct):
    """A run as the crawler saw it; the lists are in fetch order, seeds included."""

    urls: list[str] = []
    relevance: list[float | None] = []
    """As judged at fetch; None for a page whose content was seen before."""
    relevant: list[bool] = []
    """The strategy's verdict at fetch; False for a page whose content was seen before."""
    frontier: int = 0
    """Links left in the frontier."""
    cpu_seconds: float = 0.0
    """CPU time of the crawl, without what judging again took."""
    why: str = ""
    """Why it ended."""
    again: Again | None = None
    """All pages judged again at the end; None if that was not wanted, or the strategy does not do it."""
    encoded: Again | None = None
    """The same with a sentence encoder."""
    marks: dict[str, bool] = {}
    """URL -> what the simulated teacher said of the page."""


class Extras(Struct, frozen=True, kw_only=True):
    """What a run does besides crawling."""

    topic: Topic
    encoder: Encoder | None = None
    """Judges all pages again a second time, with this encoder."""
    encode: bool = False
    """Whether the strategy reads with the encoder while it crawls."""
    marks: int = 0
    """Pages that the simulated teacher is asked about."""
    answer: Answer | None = None
    random_seed: int = 0


class Everywhere(Scope):
    """No limits, as the web is finite and all its links lead to its own pages; traps are avoided."""

    def _look_at(self, url: str) -> None:
        """Nothing looks wrong."""


def replay(
    strategy: Strategy,
    analysis: Analysis,
    seeds: Sequence[str],
    budget: int,
    *,
    content_seen: bool = True,
    fetched: Fetched = lambda pages: None,
    extras: Extras | None = None,
) -> Replayed:
    """Crawl with one page at a time from lease to commit, so that the order is exact and repeatable.

    With `extras` all pages are judged again at the end, as a crawl does it.
    """
    config = Config(
        delay=0.0,
        concurrency=1,
        max_pages=budget,
        retries=0,
        content_seen=content_seen,
        language=extras.topic.language if extras else "en",
        ask=extras.marks if extras else 0,
        random_seed=extras.random_seed if extras else 0,
    )
    with _without_collector():
        return asyncio.run(_Run(strategy, config, fetched, extras).crawl(analysis, seeds))


class _Run:
    """A run that is under way."""

    def __init__(self, strategy: Strategy, config: Config, fetched: Fetched, extras: Extras | None) -> None:
        self.strategy = strategy
        self.config = config
        self.fetched = fetched
        self.extras = extras
        self.storage = storage_at(":memory:")
        self.run = Replayed()
        self.numbers: list[int] = []
        """Number of each page in the store."""
        self.asking: Asking | None = None

    async def crawl(self, analysis: Analysis, seeds: Sequence[str]) -> Replayed:
        """Crawl, and judge again."""
        store = await self.storage.create(b"", keep_text=self.extras is not None)
        await store.acquire(range(SHARDS), "lab")
        statistics = Statistics()
        statistics.known = (await store.commit(Batch(seeds=[seed_lease(url) for url in seeds]))).new
        worker = await self._worker(store, analysis, statistics)
        if self.extras and self.extras.marks and self.extras.answer:
            self.asking = Asking(worker, self.storage, self.config, self.extras.topic, self.extras.answer)
            self.run.marks = self.asking.marks
        run = self.run
        started = time.process_time()
        run.why = await worker.run()
        run.cpu_seconds = time.process_time() - started
        run.frontier = statistics.known - statistics.concluded
        if self.extras is not None:
            await self._take_answers()
            await self._judge_again(store, self.extras)
        await store.close()
        return run

    async def _worker(self, store: Store, analysis: Analysis, statistics: Statistics) -> Worker:
        ticks = count()
        parser: Parser = ReplayParser()
        encoder = self.extras.encoder if self.extras and self.extras.encode else None
        if encoder is not None and self.strategy.use_encoder(encoder):
            parser = EncodingParser(parser, encoder)
        return await make_worker(
            self.config,
            OpenCrawl(
                store=store,
                strategy=self.strategy,
                scope=Everywhere(),
                fetcher=ReplayFetcher(analysis),
                parser=parser,
                hosts=Hosts(),
                statistics=statistics,
            ),
            Listeners(tell=self._tell, take_commands=self._take_answers),
            # Time stands for order alone: two runs of the same crawl are the same to the last byte.
            Clock(now=lambda: float(next(ticks)), wall=lambda: 0.0),
        )

    def _tell(self, event: Event) -> None:
        if isinstance(event, PageDone) and event.status == 200:
            run = self.run
            run.urls.append(event.url)
            run.relevance.append(None if event.relevance is None else round(event.relevance, DIGITS))
            run.relevant.append(bool(event.relevant))
            self.numbers.append(event.page)
            self.fetched(len(run.urls))

    async def _take_answers(self) -> None:
        if self.asking is not None:
            await self.asking.go_on()

    async def _judge_again(self, store: Store, extras: Extras) -> None:
        run, strategy = self.run, self.strategy
        run.again = await judge_again(store, strategy, extras.topic, self.numbers)
        # Only who judges whole harvests reads with an encoder.
        if extras.encoder is not None and type(strategy).rejudge is not Strategy.rejudge:
            run.encoded = await judge_again(store, strategy, extras.topic, self.numbers, extras.encoder)


@contextmanager
def _without_collector() -> Iterator[None]:
    """A run makes millions of small objects and hardly a cycle, so looking for cycles is lost time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
            gc.collect()
