"""Pages are judged again by the term counts that were kept with them, as by their texts."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from lagotto.base.text import counted_terms, counting
from lagotto.crawling.config import Config
from lagotto.crawling.rejudging import judge_pages
from lagotto.crawling.session import Crawl
from lagotto.focus.strategies.base import Strategy
from lagotto.store import storage_at
from lagotto.store.sqlite import database, lock
from tests.servers import Served, demo_served

PAGES = 40


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with demo_served() as served:
        yield served


async def crawled(server: Served, directory: Path, name: str) -> Strategy:
    """The strategy of a finished crawl of some pages."""
    words, seeds = server.web.topics()["birds"]
    config = Config(
        topic=words,
        seeds=list(seeds),
        proxy=server.proxy,
        delay=0.0,
        parsers=1,
        max_pages=PAGES,
        strategy=name,
    )
    async with Crawl(config, directory) as crawl:
        await crawl.run()
        assert crawl._worker is not None
        return crawl._worker.memory.strategy


def change(directory: Path, statement: str) -> None:
    (directory / lock.FILE).unlink()  # As after a kill: what was changed is not noticed.
    with closing(sqlite3.connect(directory / database.FILE)) as db:
        db.execute(statement)
        db.commit()


@pytest.mark.parametrize("name", ["scent", "hybrid"])
async def test_counts_and_texts_give_the_same_verdicts(server: Served, tmp_path: Path, name: str) -> None:
    strategy = await crawled(server, tmp_path / "c", name)
    with storage_at(tmp_path / "c").reader() as reader:
        pages = list(reader.judged_pages(counting("en", ())))
        assert len(pages) > PAGES // 2
        for page in pages:
            assert page.terms == counted_terms(page.title, page.text or "", page.language or "en")
        by_counts = judge_pages(reader, strategy, language="en")
    change(tmp_path / "c", "DELETE FROM terms")
    with storage_at(tmp_path / "c").reader() as reader:
        assert judge_pages(reader, strategy, language="en") == by_counts
    assert by_counts is not None
    assert len(by_counts.judgements) == len(pages)


async def test_damaged_counts_are_made_from_the_text_again(server: Served, tmp_path: Path) -> None:
    strategy = await crawled(server, tmp_path / "c", "scent")
    with storage_at(tmp_path / "c").reader() as reader:
        before = judge_pages(reader, strategy, language="en")
    change(tmp_path / "c", "UPDATE terms SET terms = x'00ff' WHERE page % 2")
    with storage_at(tmp_path / "c").reader() as reader:
        assert {page.text is None for page in reader.judged_pages(counting("en", ()), with_text=False)} == {
            True,
            False,
        }
        assert judge_pages(reader, strategy, language="en") == before
