"""A call each, for scripts and notebooks: a whole crawl, its outlook, and a word on one of its pages."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import uvloop
from msgspec import Struct

from lagotto import assembly, registry
from lagotto import config as configuration
from lagotto.api import Crawl
from lagotto.config import CONFIG_FILE
from lagotto.crawling.feedback import Mark, add_mark
from lagotto.crawling.memory import replay
from lagotto.errors import InputError
from lagotto.records import FetchedRow
from lagotto.store import CrawlReader
from lagotto.store.lock import holder
from lagotto.strategies.base import Strategy
from lagotto.urls import seed_url

T = TypeVar("T")


class CrawlResult(Struct):
    """What a finished crawl left behind."""

    directory: Path
    why: str
    pages_fetched: int
    relevant: int

    @property
    def harvest_ratio(self) -> float:
        """Relevant pages a fetched page."""
        return self.relevant / self.pages_fetched if self.pages_fetched else 0.0

    def pages(self, *, relevant_only: bool = False, with_text: bool = False) -> Iterator[FetchedRow]:
        """Concluded URLs in fetch order."""
        with CrawlReader.open(self.directory) as reader:
            yield from reader.rows(relevant_only=relevant_only, with_text=with_text)


def crawl(topic: str = "", *, seeds: list[str], directory: str | Path, **options: Any) -> CrawlResult:
    """Crawl for a topic and return what was found; `options` are those of `Config`.

    Works in scripts and in notebooks, where an event loop is already running.
    """
    config = configuration.from_values({"topic": topic, "seeds": seeds, **options})
    return _finish(Crawl(config, directory))


def resume(directory: str | Path, **changes: Any) -> CrawlResult:
    """Go on with a crawl; `changes` replace parts of its configuration, such as `max_pages`."""
    return _finish(Crawl.resume(directory, **changes))


def outlook(directory: str | Path) -> dict[str, float]:
    """How the crawl in a directory is doing by its strategy's own judgement, also while it runs.

    Among other things: `expected`, relevant pages a fetch that the best links promise; `marginal`, what the
    latest fetches brought; `recall`, the share of relevant pages that is fetched. Some strategies have none.
    """
    path = Path(directory)
    with CrawlReader.open(path) as reader:
        learned = reader.learned()
    config = configuration.load(path / CONFIG_FILE)
    strategy = registry.build_strategy(
        config.strategy, assembly.make_topic(config), config.options, config.random_seed
    )
    replay(strategy, *learned)
    return strategy.outlook()


def feedback(directory: str | Path, url: str, *, on: bool) -> str:
    """Say of a page of a crawl whether it is on topic.

    A crawl that runs takes it up by itself; one that does not is opened, learns it and ranks its frontier
    anew. The mark is kept in any case; if nothing can be learned from it, a sentence says why.
    """
    path = Path(directory)
    wanted = seed_url(url)
    with CrawlReader.open(path) as reader:
        story = reader.story(wanted)
        if story is None or story.page is None or story.page.relevance is None:
            raise InputError(f"{wanted} is no page of the crawl in {path}, so nothing can be learned from it")
        has_text = reader.text(story.page.number) is not None
    add_mark(path, Mark(wanted, on, time.time()))

    async def take() -> None:
        async with Crawl.resume(path) as crawl:
            crawl.take_feedback()

    if holder(path) is None:
        _run_anywhere(take)
    return _why_in_vain(configuration.load(path / CONFIG_FILE).strategy, has_text=has_text)


def _why_in_vain(strategy: str, *, has_text: bool) -> str:
    """Why nothing is learned from a mark on a page, as a sentence; empty if something is."""
    if registry.strategy_class(strategy).feedback is Strategy.feedback:
        return f"nothing is learned from that, since strategy '{strategy}' learns from no feedback"
    return "" if has_text else "nothing is learned from that page, since its text was not kept"


def _finish(crawl: Crawl) -> CrawlResult:
    async def to_the_end() -> CrawlResult:
        async with crawl:
            why = await crawl.run()
        stats = crawl.statistics
        return CrawlResult(crawl.directory, why, stats.pages, stats.relevant)

    return _run_anywhere(to_the_end)


def _run_anywhere(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine to its end, in a thread of its own where an event loop is running already."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return uvloop.run(main())
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(uvloop.run, main()).result()
