"""The index of a running crawl is kept up to date by a process of its own."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import lagotto
from lagotto.crawling.index_beside import IndexBeside
from lagotto.harvest.search import Search, beside
from lagotto.harvest.search.beside import follow
from lagotto.harvest.search.index import PageIndex
from tests.base.test_frames import PAGES
from tests.harvest.search.birds import HERON, STORK, Birds
from tests.site import Site


async def test_a_crawl_with_an_index_ends_with_all_its_pages_in_it(tmp_path: Path) -> None:
    async with Site(PAGES) as site:
        config = lagotto.Config(
            topic="birds",
            seeds=[f"http://{site.hosts[0]}/"],
            strategy="bfs",
            delay=0.0,
            parsers=1,
            index=True,
            allow_private=["127.0.0.0/8"],
        )
        async with lagotto.Crawl(config, tmp_path / "crawl") as crawl:
            await crawl.run()
    index = PageIndex.open(tmp_path / "crawl" / "index")
    assert (index.state.page, index.searcher.num_docs) == (3, 3)


def test_updates_go_on_until_the_input_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crawl = Birds(tmp_path / "crawl", (HERON,))
    ours, theirs = os.pipe()
    updates = []

    class Watched(Search):
        def refresh(self) -> None:
            super().refresh()
            updates.append(PageIndex.open(crawl.directory / "index").state.page)
            if len(updates) == 1:
                crawl.fetch(STORK)
            elif len(updates) == 2:
                os.close(theirs)

    monkeypatch.setattr(beside, "Search", Watched)
    with open(ours) as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        follow(str(crawl.directory), every=0.01)
    assert updates == [1, 2, 2]
    crawl.close()


async def test_a_process_that_fails_is_told_of(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    await IndexBeside(str(tmp_path / "nothing")).finish()
    assert "`lagotto search` will see to it" in caplog.text
