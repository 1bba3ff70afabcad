"""Whole crawls that wait for hosts with better links instead of asking every host whose turn it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lagotto.base.errors import InputError
from lagotto.crawling import config as configuration
from lagotto.crawling.assembly import patience_of
from lagotto.crawling.config import Config
from lagotto.crawling.session import Crawl
from lagotto.crawling.worker.events import PageDone
from lagotto.focus.registry import build_strategy
from lagotto.focus.topic import Topic
from lagotto.lab.demo.web import DemoWeb
from lagotto.lab.serving.server import WebServer

PAGES = 200


async def found(directory: Path, **options: Any) -> int:
    """Relevant pages of the demo web among the first ones, its 60 hosts asked politely."""
    web = DemoWeb(1)
    words, seeds = web.topics()["truffles"]
    urls = []
    async with WebServer(web) as server:
        values = {"topic": words, "seeds": list(seeds), "proxy": server.proxy, "delay": 0.05, **options}
        config = configuration.from_values({"max_pages": PAGES, **values})
        async with Crawl(config, directory) as crawl:
            async for event in crawl:
                if isinstance(event, PageDone) and event.status == 200:
                    urls.append(event.url)
    assert len(urls) == PAGES
    return sum(web.hits("truffles", urls))


async def test_a_crawl_of_few_pages_waits_for_the_hosts_that_have_them(tmp_path: Path) -> None:
    patient = await found(tmp_path / "patient")
    assert patient > 1.5 * await found(tmp_path / "hasty", patience=0.0)


@pytest.mark.parametrize(
    ("config", "patience"),
    [
        (Config(), 0.0),
        (Config(max_pages=9), 0.25),
        (Config(max_pages=9, delay=2.0), 0.5),
        (Config(max_pages=9, max_time=9.0), 0.0),
        (Config(max_pages=9, concurrency=17), 0.0),
        (Config(max_pages=9, patience=3.0), 3.0),
        (Config(patience=3.0), 3.0),
        (Config(max_pages=9, patience=0.0), 0.0),
    ],
)
def test_patience_is_for_crawls_whose_pages_are_limited(config: Config, patience: float) -> None:
    config.check()
    assert patience_of(config, build_strategy("scent", Topic("birds"), {})) == patience
    assert not patience_of(config, build_strategy("bfs", Topic("birds"), {}))


@pytest.mark.parametrize(
    ("patience", "sentence"),
    [(-1.0, "must not be negative"), (float("nan"), "must be a finite"), (float("inf"), "must be a finite")],
)
def test_patience_is_not_negative(patience: float, sentence: str) -> None:
    with pytest.raises(InputError, match=f"--patience {sentence}"):
        Config(patience=patience).check()
