"""Crawling from Python."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

import lagotto
from lagotto import api
from lagotto.api import Crawl
from lagotto.config import Config
from lagotto.errors import CrawlDirectoryError, InputError, NotACrawl
from tests.servers import Served, demo_served


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with demo_served() as served:
        yield served


def start(server: Served, directory: Path, pages: int) -> lagotto.CrawlResult:
    words, seeds = server.web.topics()["birds"]
    return lagotto.crawl(
        words,
        seeds=list(seeds),
        directory=directory,
        max_pages=pages,
        proxy=server.proxy,
        delay=0.0,
        parsers=1,
    )


def test_a_crawl_in_one_call_and_its_results(server: Served, tmp_path: Path) -> None:
    result = start(server, tmp_path / "c", 20)
    assert (result.pages_fetched, result.why) == (20, "the budget of 20 pages is used")
    relevant = list(result.pages(relevant_only=True, with_text=True))
    assert len(relevant) == result.relevant > 0
    assert result.harvest_ratio == result.relevant / 20
    assert all(page.relevant and page.text for page in relevant)


async def test_it_works_where_an_event_loop_is_running(server: Served, tmp_path: Path) -> None:
    assert start(server, tmp_path / "c", 5).pages_fetched == 5


def test_resume_goes_on(server: Served, tmp_path: Path) -> None:
    start(server, tmp_path / "c", 5)
    assert lagotto.resume(tmp_path / "c", max_pages=12).pages_fetched == 12


async def test_stop_from_within(server: Served, tmp_path: Path) -> None:
    words, seeds = server.web.topics()["birds"]
    config = Config(topic=words, seeds=list(seeds), proxy=server.proxy, delay=0.0, parsers=1)
    async with Crawl(config, tmp_path / "c") as crawl:
        async for _ in crawl:
            if crawl.statistics.pages >= 3:
                crawl.stop("enough")
    assert crawl.why == "enough"
    assert crawl.stopping


async def test_a_crawl_must_be_opened(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="must be opened"):
        await Crawl(Config(topic="birds", seeds=["http://a.example/"]), tmp_path / "c").run()


def test_there_must_be_something_to_resume(tmp_path: Path) -> None:
    with pytest.raises(NotACrawl):
        lagotto.resume(tmp_path)


async def test_one_may_stop_listening_at_any_time(server: Served, tmp_path: Path) -> None:
    words, seeds = server.web.topics()["birds"]
    config = Config(topic=words, seeds=list(seeds), proxy=server.proxy, delay=0.0, parsers=1, max_pages=30)
    async with Crawl(config, tmp_path / "c") as crawl:
        async for _ in crawl:
            if crawl.statistics.pages >= 3:
                break
    assert 3 <= crawl.statistics.pages < 30
    async with Crawl.resume(tmp_path / "c") as again:
        await again.run()
    assert again.statistics.pages == 30


async def test_a_crawl_waits_for_whoever_listens(
    server: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "BACKLOG", 5)
    words, seeds = server.web.topics()["birds"]
    config = Config(
        topic=words, seeds=list(seeds), proxy=server.proxy, delay=0.0, concurrency=2, max_pages=40
    )
    heard = 0
    async with Crawl(config, tmp_path / "c") as crawl:
        async for _ in crawl:
            heard += 1
            await asyncio.sleep(0.02)
            assert crawl.statistics.concluded - heard <= 5 + 2 * config.concurrency
    assert crawl.statistics.pages == 40


async def test_a_crawl_that_cannot_be_opened_leaves_no_lock(server: Served, tmp_path: Path) -> None:
    words, seeds = server.web.topics()["birds"]
    config = Config(topic=words, seeds=list(seeds), proxy=server.proxy, delay=0.0, parsers=1, max_pages=2)
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "warc").write_text("in the way")
    with pytest.raises(CrawlDirectoryError):
        await Crawl(config, tmp_path / "c").__aenter__()
    (tmp_path / "c" / "warc").unlink()
    async with Crawl.resume(tmp_path / "c") as crawl:
        await crawl.run()
    assert crawl.statistics.pages == 2
