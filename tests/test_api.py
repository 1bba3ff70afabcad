"""A crawl that one opens, runs and listens to."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from lagotto.base.batch import Command
from lagotto.base.errors import CrawlDirectoryError, InputError
from lagotto.base.text import count_terms
from lagotto.crawling import assembly
from lagotto.crawling.config import Config
from lagotto.crawling.session import Crawl
from lagotto.crawling.steering.commands import Mark, encode
from lagotto.crawling.worker import events as event_queue
from lagotto.focus.strategies.scent import Scent
from tests.servers import Served, demo_served
from tests.site import Site


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with demo_served() as served:
        yield served


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
    with pytest.raises(InputError, match="open it first"):
        await Crawl(Config(topic="birds", seeds=["http://a.example/"]), tmp_path / "c").run()


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
    monkeypatch.setattr(event_queue, "BACKLOG", 5)
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


async def test_marked_pages_are_read_in_their_own_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[dict[str, int]] = []

    def feedback(self: Scent, terms: dict[str, int], on: bool, url: str = "") -> None:
        read.append(terms)

    monkeypatch.setattr(Scent, "feedback", feedback)
    page = '<html lang="de"><title>Vögel</title><body><p>Vögel bauen ihre Nester in Bäumen.</p></body></html>'
    async with Site({"/": page}) as site:
        url = f"http://{site.hosts[0]}/"
        config = Config(topic="birds", seeds=[url], delay=0.0, parsers=1, allow_private=["127.0.0.0/8"])
        async with Crawl(config, tmp_path / "c") as crawl:
            await crawl.run()
            crawl.storage.send(Command(encode(Mark(url, on=True))))
            assert await crawl.take_commands() == 1
    assert read == [count_terms("Vögel bauen ihre Nester in Bäumen.", "de")]


async def test_a_crawl_whose_encoder_fails_at_its_end_is_judged_without_it(
    server: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    words, seeds = server.web.topics()["birds"]
    config = Config(topic=words, seeds=list(seeds), proxy=server.proxy, delay=0.0, parsers=1, max_pages=20)

    def fail(_: Config) -> None:
        raise InputError("cannot read the encoder: too many open files")

    async with Crawl(config, tmp_path / "c") as crawl:
        monkeypatch.setattr(assembly, "make_encoder", fail)
        assert await crawl.run() == "the budget of 20 pages is used"
    assert crawl.judging is not None
    assert "judged without the encoder: cannot read the encoder" in caplog.text


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
