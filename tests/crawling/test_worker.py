"""The worker keeps budgets, commits together what arrives together, and ends as it should."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import count

import pytest

from lagotto.base.batch import Batch, Content, Seen
from lagotto.base.protocols import Fetcher
from lagotto.base.records import Failure, Fetched, Outcome
from lagotto.crawling.assembly import OpenCrawl, make_worker
from lagotto.crawling.config import Config
from lagotto.crawling.frontier import Hosts, Scope
from lagotto.crawling.worker.events import Event, Finished, Listeners, PageDone
from lagotto.crawling.worker.seeding import seed_lease
from lagotto.crawling.worker.statistics import Statistics
from lagotto.crawling.worker.worker import SLOW, Clock, Worker
from lagotto.focus.strategies.simple import BreadthFirst
from lagotto.focus.topic import Topic
from lagotto.lab.checks import make_page
from lagotto.lab.experiments.replay import ReplayFetcher, ReplayParser
from tests.focus.strategies.tiny_crawl import TinyWeb
from tests.store.stores import RecordingStore

HOSTS = 12
SEED = "http://seed.example/"


def url(n: int) -> str:
    return f"http://host{n}.example/"


def web(text: str = "birds of host") -> TinyWeb:
    """A seed that links to a page on each of twelve hosts."""
    links = {url(n): f"host {n}" for n in range(HOSTS)}
    pages = [make_page(url(n), "", f"{text} {n}" if text.endswith("host") else text) for n in range(HOSTS)]
    return TinyWeb(make_page(SEED, "", "many birds", links), *pages)


class Recorded:
    """A crawl of the web with a store in memory."""

    def __init__(self, store: RecordingStore | None = None, fetcher: Fetcher | None = None) -> None:
        self.store = store or RecordingStore()
        self.fetcher = fetcher or ReplayFetcher(web())
        self.statistics = Statistics()
        self.events: list[Event] = []
        self.commands_taken = 0

    async def worker(self, clock: Clock | None = None, **options: object) -> Worker:
        await self.store.acquire(range(256), "local")
        await self.store.commit(Batch(seeds=[seed_lease(SEED)]))

        async def take_commands() -> None:
            self.commands_taken += 1

        config = Config(delay=0.0, retries=0, **options)  # type: ignore[arg-type]
        crawl = OpenCrawl(
            store=self.store,
            strategy=BreadthFirst(Topic("birds")),
            scope=Scope(),
            fetcher=self.fetcher,
            parser=ReplayParser(),
            hosts=Hosts(),
            statistics=self.statistics,
        )
        return await make_worker(
            config, crawl, Listeners(self.events.append, take_commands=take_commands), clock
        )

    @property
    def pages(self) -> list[str]:
        return [event.url for event in self.events if isinstance(event, PageDone)]


async def test_pages_that_arrive_together_are_one_commit() -> None:
    crawl = Recorded()
    worker = await crawl.worker(concurrency=16)
    assert await worker.run() == "the frontier is empty"
    assert (len(crawl.pages), len(set(crawl.pages))) == (HOSTS + 1, HOSTS + 1)
    batches = [len(batch.outcomes) for batch in crawl.store.batches if batch.outcomes]
    assert batches[0] == 1
    assert max(batches) > 1
    assert crawl.commands_taken >= len(batches), "commands are looked for after each commit"
    assert crawl.events[-1] == Finished("the frontier is empty")


@pytest.mark.parametrize("concurrency", [1, 16])
async def test_the_page_budget_is_met_exactly(concurrency: int) -> None:
    crawl = Recorded()
    worker = await crawl.worker(concurrency=concurrency, max_pages=4)
    assert await worker.run() == "the budget of 4 pages is used"
    assert (crawl.statistics.pages, (await crawl.store.spent()).pages) == (4, 4)
    assert crawl.store.reader().status().queued == HOSTS - 3, "the others are still queued"


@pytest.mark.parametrize(("budget", "left"), [(5, 2), (3, 0)])
async def test_pages_of_other_workers_count_for_the_budget(budget: int, left: int) -> None:
    store = RecordingStore()
    await store.acquire(range(256), "another worker")
    others = [seed_lease(f"http://other.example/{n}") for n in range(3)]
    await store.commit(Batch(seeds=others))
    await store.commit(Batch(outcomes=[Outcome(lease, 1.0, status=200) for lease in others]))
    crawl = Recorded(store)
    worker = await crawl.worker(max_pages=budget, concurrency=1)
    assert await worker.run() == f"the budget of {budget} pages is used"
    assert len(crawl.pages) == left


async def test_the_time_is_used_up() -> None:
    ticks = count()
    crawl = Recorded()
    clock = Clock(now=lambda: float(next(ticks)), wall=lambda: 0.0)
    worker = await crawl.worker(clock, max_time=30.0, concurrency=1)
    assert await worker.run() == "the time of 30 s is used"
    assert 0 < len(crawl.pages) < HOSTS + 1
    assert (await crawl.store.spent()).seconds > 0


async def test_a_stopped_worker_commits_what_is_under_way() -> None:
    release = asyncio.Event()

    class Waiting(ReplayFetcher):
        async def fetch(self, url: str) -> Fetched | Failure:
            if url != SEED:
                worker.stop("stopped by the test")
                await release.wait()
            return await super().fetch(url)

    crawl = Recorded(fetcher=Waiting(web()))
    worker = await crawl.worker(concurrency=4)
    running = asyncio.create_task(worker.run())
    while worker.frontier.in_flight < 4:
        await asyncio.sleep(0)
    release.set()
    assert await running == "stopped by the test"
    assert len(crawl.pages) == 5
    assert crawl.store.reader().status().queued == HOSTS - 4


async def test_an_error_in_a_visit_ends_the_crawl_and_keeps_what_was_committed() -> None:
    class Broken(ReplayFetcher):
        async def fetch(self, url: str) -> Fetched | Failure:
            if url != SEED:
                raise RuntimeError("broken fetcher")
            return await super().fetch(url)

    crawl = Recorded(fetcher=Broken(web()))
    worker = await crawl.worker()
    with pytest.raises(RuntimeError, match="broken fetcher"):
        await worker.run()
    status = crawl.store.reader().status()
    assert (status.pages, status.queued) == (1, HOSTS)


async def test_a_page_that_lost_a_race_counts_as_a_duplicate() -> None:
    class Blind(RecordingStore):
        """Knows no contents before the commit, as when another worker commits at the same moment."""

        async def seen(self, contents: Sequence[Content]) -> list[Seen]:
            return [Seen() for _ in contents]

    crawl = Recorded(Blind(), ReplayFetcher(web("the same birds everywhere")))
    worker = await crawl.worker(concurrency=1)
    await worker.run()
    assert crawl.statistics.reasons["duplicate"] == HOSTS - 1
    assert crawl.statistics.relevant <= 2
    told = [event.reason for event in crawl.events if isinstance(event, PageDone)]
    assert told.count("duplicate") == HOSTS - 1


async def test_a_worker_offers_no_link_while_slow_hosts_take_all_its_requests() -> None:
    release, time = asyncio.Event(), [100.0]

    class Waiting(ReplayFetcher):
        async def fetch(self, url: str) -> Fetched | Failure:
            await release.wait()
            return await super().fetch(url)

    crawl = Recorded(fetcher=Waiting(web()))
    await crawl.store.acquire(range(256), "local")
    await crawl.store.commit(Batch(seeds=[seed_lease(url(0))]))
    worker = await crawl.worker(Clock(now=lambda: time[0], wall=lambda: 0.0), concurrency=1, max_pages=9)
    running = asyncio.create_task(worker.run())
    while not worker.frontier.in_flight:
        await asyncio.sleep(0)
    assert worker.best_offer() is not None, "a request may end at any moment"
    time[0] += SLOW + 0.1
    assert worker.best_offer() is None
    worker.stop("stopped by the test")
    release.set()
    assert await running == "stopped by the test"
