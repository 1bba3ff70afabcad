"""A crawl that is watched: events, metrics while it runs, the webhook when it has ended."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from yarl import URL

import lagotto
from lagotto.base.errors import InputError, LagottoError
from lagotto.base.events import CommandTaken, JudgedAgain, Marked, PageDone
from lagotto.crawling.steering.commands import Mark, Pause, Unpause
from lagotto.crawling.steering.effect import send
from lagotto.store import storage_at
from tests.base.test_frames import PAGES
from tests.crawling.monitoring.test_metrics import read
from tests.crawling.monitoring.test_metrics_server import get
from tests.crawling.monitoring.test_webhook import Hook
from tests.site import Site, tree_site, tree_url


def configured(seed: str, **options: object) -> lagotto.Config:
    usual = {"delay": 0.0, "parsers": 1, "strategy": "bfs", "allow_private": ["127.0.0.0/8"], "retries": 0}
    return lagotto.Config(seeds=[seed], **{"topic": "birds"} | usual | options)  # type: ignore[arg-type]


async def test_a_crawl_is_watched_to_its_end(tmp_path: Path) -> None:
    hook = Hook(200)
    async with Site(PAGES) as site, hook.served() as url:
        monitor = lagotto.Monitor(metrics=0, events=str(tmp_path / "events.jsonl"), webhook=url)
        config = configured(f"http://{site.hosts[0]}/", headers=["X-Key: secret"])
        async with lagotto.Crawl(config, tmp_path / "crawl", monitor=monitor) as crawl:
            port = URL(crawl.metrics_url).port or 0
            before = read((await get(port))[2])
            await crawl.run()
            after = read((await get(port))[2])
    name = str(tmp_path / "crawl")
    assert (before["lagotto_pages_total", name, ""], after["lagotto_pages_total", name, ""]) == (0, 2)
    assert after["lagotto_urls_without_page_total", name, "http-status 404"] == 1
    events = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text().splitlines()]
    assert [event["type"] for event in events].count("page") == 3
    assert events[-1]["type"] == "finished"
    [told] = hook.told
    assert (told["event"], told["pages"], told["topic"], told["why"]) == ("finished", 2, "birds", crawl.why)
    assert "secret" not in json.dumps([told, events])


async def test_marks_and_judgings_are_told_once_and_in_order(tmp_path: Path) -> None:
    lines, directory = tmp_path / "events.jsonl", tmp_path / "crawl"
    async with Site({}) as site:
        site.pages.update(tree_site(400, site.hosts))
        seed = tree_url(0, site.hosts)
        # A crawl that stops by itself judges all pages again after 150 of them; others do so later.
        config = configured(seed, topic="heron eagle", strategy="scent", stop="auto")
        async with lagotto.Crawl(config, directory, monitor=lagotto.Monitor(events=str(lines))) as crawl:
            pages = 0
            async for event in crawl:
                if isinstance(event, JudgedAgain) and crawl.paused:
                    send(crawl.storage, [Unpause()])
                pages += isinstance(event, PageDone)
                if isinstance(event, PageDone) and pages == 1:
                    send(crawl.storage, [Mark(seed, False), Mark("http://never.example/", True)], "anna")
                elif isinstance(event, PageDone) and pages == 150:
                    send(crawl.storage, [Pause()])  # Until the pages have been judged.
    with storage_at(directory).reader() as reader:
        kept = [event for event in reader.events(0) if isinstance(event, Marked | JudgedAgain | CommandTaken)]
    told = [json.loads(line) for line in lines.read_text().splitlines()]
    for event in (*told, *(expected := [msgspec.to_builtins(event) for event in kept])):
        event.pop("at", None)
        event.pop("n", None)
    kinds = {event["type"] for event in expected}
    assert [event for event in told if event["type"] in kinds] == expected
    assert [event["type"] for event in expected].count("judged") >= 2
    assert [event["url"] for event in expected if event["type"] == "marked"] == [seed]


async def test_a_crawl_that_fails_is_told_of_too(tmp_path: Path) -> None:
    hook = Hook(200)
    async with Site({}) as site, hook.served() as url:
        config = configured(f"http://{site.hosts[0]}/nothing")
        with pytest.raises(LagottoError):
            async with lagotto.Crawl(
                config, tmp_path / "crawl", monitor=lagotto.Monitor(webhook=url)
            ) as crawl:
                await crawl.run()
    [told] = hook.told
    assert told["event"] == "failed"
    assert "no seed could be fetched" in str(told["why"])


async def test_a_webhook_that_fails_leaves_the_crawl_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    hook = Hook(404)
    async with Site(PAGES) as site, hook.served() as url:
        config = configured(f"http://{site.hosts[0]}/")
        async with lagotto.Crawl(config, tmp_path / "crawl", monitor=lagotto.Monitor(webhook=url)) as crawl:
            await crawl.run()
    assert "the webhook was not told of the end: it answered with status 404" in caplog.text


async def test_what_makes_no_sense_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    config = configured("http://a.example/")
    for monitor in (lagotto.Monitor(metrics=99999), lagotto.Monitor(webhook="nonsense")):
        with pytest.raises(InputError, match="needs"):
            lagotto.Crawl(config, tmp_path / "crawl", monitor=monitor)
    with pytest.raises(InputError, match="name another file"):
        async with lagotto.Crawl(config, tmp_path / "crawl", monitor=lagotto.Monitor(events=str(tmp_path))):
            pass
    assert not (tmp_path / "crawl").exists()
