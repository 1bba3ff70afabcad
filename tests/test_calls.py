"""Whole crawls, and what is asked of them, in one call each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import lagotto
from lagotto.base.errors import NotACrawl
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


async def test_a_crawl_that_was_stopped_before_its_first_page_goes_on(server: Served, tmp_path: Path) -> None:
    words, seeds = server.web.topics()["birds"]
    config = lagotto.Config(topic=words, seeds=list(seeds), proxy=server.proxy, delay=0.0, parsers=1)
    async with lagotto.Crawl(config, tmp_path / "c") as crawl:
        crawl.stop()
        await crawl.run()
    assert lagotto.outlook(tmp_path / "c")["pages"] == 0
    assert lagotto.resume(tmp_path / "c", max_pages=5).pages_fetched == 5


def test_a_topic_may_be_a_list_in_which_a_phrase_is_one_element(server: Served, tmp_path: Path) -> None:
    _, seeds = server.web.topics()["birds"]
    lagotto.crawl(
        ["heron", "song bird"],
        seeds=list(seeds),
        directory=tmp_path / "c",
        proxy=server.proxy,
        delay=0.0,
        parsers=1,
        max_pages=1,
    )
    assert 'heron "song bird"' in (tmp_path / "c" / "config.toml").read_text().replace("\\", "")


def test_there_must_be_something_to_resume(tmp_path: Path) -> None:
    with pytest.raises(NotACrawl):
        lagotto.resume(tmp_path)


def test_the_outlook_is_that_of_the_crawl(server: Served, tmp_path: Path) -> None:
    start(server, tmp_path / "c", 30)
    figures = lagotto.outlook(tmp_path / "c")
    assert 0 < figures["recall"] <= 1
    assert 0 <= figures["expected"] <= 1
    with pytest.raises(NotACrawl):
        lagotto.outlook(tmp_path)


def test_what_the_last_judging_found_is_read_without_judging(server: Served, tmp_path: Path) -> None:
    start(server, tmp_path / "c", 80)
    stored = lagotto.judging_of(tmp_path / "c")
    assert stored is not None
    assert stored.here
    assert 0 <= stored.recall_low < stored.recall < stored.recall_high <= 1
    assert stored.precision is not None
    assert 0 < stored.precision <= 1
    assert stored == lagotto.judge(tmp_path / "c", encoder="none")
    with pytest.raises(NotACrawl):
        lagotto.judging_of(tmp_path)
