"""Answers that are lost: exports go on without them, the doctor names them, resuming fetches them again."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from lagotto.crawling import config as configuration
from lagotto.crawling.session import Crawl
from lagotto.store import storage_at
from lagotto.store.sqlite.lost import lost_pages
from tests.crawling.audit import lagotto, lagotto_fails
from tests.site import Site, tree_site, tree_url

PAGES = 12


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with Site({}) as site:
        site.pages.update(tree_site(PAGES, site.hosts))
        yield site


async def crawl(directory: Path, site: Site) -> None:
    given = {"topic": "birds", "seeds": [tree_url(0, site.hosts)], "delay": 0.0, "concurrency": 1}
    config = configuration.from_values(given | {"allow_private": ["127.0.0.0/8"], "strategy": "bfs"})
    async with Crawl(config, directory) as running:
        await running.run()


async def resume(directory: Path) -> str:
    async with Crawl.resume(directory) as running:
        await running.run()
        return running.notice


def cut_warc(directory: Path, pages: int) -> Path:
    """Take the last answers away; returns their file."""
    with storage_at(directory).reader() as reader:
        places = [page.place for page in reader.stored_pages() if page.place is not None]
    path = directory / "warc" / places[-pages].file
    os.truncate(path, places[-pages].offset + 5)
    return path


async def test_what_is_lost_is_named_and_fetched_again(tmp_path: Path, site: Site) -> None:
    directory = tmp_path / "crawl"
    await crawl(directory, site)
    before = json.loads(f"[{','.join(lagotto('export', str(directory)).splitlines())}]")
    cut_warc(directory, 4)
    assert len(lost_pages(directory)) == 4
    assert "the answers of 4 pages are lost" in lagotto_fails("doctor", str(directory), code=1)
    site.log.clear()
    assert "4 pages that had lost their stored answers were fetched again" in await resume(directory)
    assert len(site.fetches()) == 4
    assert lost_pages(directory) == []
    assert "error" not in lagotto("doctor", str(directory))
    assert json.loads(f"[{','.join(lagotto('export', str(directory)).splitlines())}]") == before
    assert len(lagotto("export", str(directory), "--format", "cdxj").splitlines()) == PAGES
    site.log.clear()
    assert await resume(directory) == ""
    assert not site.fetches()


async def test_a_page_that_is_gone_by_now_is_kept_as_text(tmp_path: Path, site: Site) -> None:
    directory = tmp_path / "crawl"
    await crawl(directory, site)
    cut_warc(directory, 1).unlink()
    site.pages.clear()
    assert f"{PAGES} pages that had lost" in await resume(directory)
    assert lost_pages(directory) == []
    rows = [json.loads(line) for line in lagotto("export", str(directory), "--with-text").splitlines()]
    assert len(rows) == PAGES
    assert all("This is page" in row["text"] for row in rows)


async def test_a_host_that_does_not_answer_leaves_them_for_the_next_time(tmp_path: Path, site: Site) -> None:
    directory = tmp_path / "crawl"
    await crawl(directory, site)
    cut_warc(directory, 2)
    await site._runner.cleanup()
    crawl_again = Crawl.resume(directory, retries=0)
    async with crawl_again:
        assert "2 could not be" in crawl_again.notice
    assert len(lost_pages(directory)) == 2


@pytest.mark.parametrize("format", ["cdxj", "wacz", "folder", "markdown", "dataset", "jsonl"])
async def test_every_export_goes_on_without_them(tmp_path: Path, site: Site, format: str) -> None:
    directory = tmp_path / "crawl"
    await crawl(directory, site)
    cut_warc(directory, 3)
    options = ["--with-text"] if format in ("jsonl", "folder", "wacz") else []
    output = str(tmp_path / f"out.{format}")
    said = lagotto_fails("export", str(directory), "--format", format, "-o", output, *options, code=0)
    assert "left out 3 stored answers that cannot be read" in said
