"""Visiting the pages of a crawl again, on a real site."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator

import lagotto
from lagotto.base.errors import InputError
from lagotto.base.protocols.storage import Severity
from lagotto.base.records import Found
from lagotto.crawling.revisit.calls import diff, visit_all
from lagotto.crawling.revisit.plan import DAY
from lagotto.crawling.revisit.session import Revisiting
from lagotto.crawling.steering.commands import SetOptions
from lagotto.crawling.steering.effect import effect_at, send
from lagotto.crawling.worker.worker import Clock
from lagotto.store import storage_at
from tests.conftest import PROJECT
from tests.crawling.revisit.changing_site import ChangingSite, crawled


async def test_a_round_finds_what_changed_and_asks_only_for_that(tmp_path: Path) -> None:
    async with ChangingSite() as site:
        await crawled(site, tmp_path)
        site.log.clear()
        site.texts["plain"] += '<p>A crane has come too, and stays.</p><a href="/new">a new page</a>'
        result = await visit_all(tmp_path)
        assert (result.visited, result.same, result.changed, result.new_links) == (5, 4, 1, 1)
        assert result.why == "all 5 pages were visited"
        asked = {each.path: each.headers for each in site.log}
        assert "If-None-Match" in asked["/etag"]
        assert "If-Modified-Since" in asked["/dated"]
        assert "/new" not in asked, "new links wait for the crawl"
    storage = storage_at(tmp_path)
    assert {finding.severity for finding in storage.examine()} == {Severity.GOOD}
    with storage.reader() as reader:
        [changed] = [visit for visit in reader.visits() if visit.found is Found.CHANGED]
        [page] = reader.pages_at([changed.page], with_text=True)
        assert "crane" in (page.row.text or "")
        assert page.place == changed.place
        assert b"crane" in reader.body(page.place).body if page.place else False
        assert [each.link.url for each in reader.waiting_links()] == [site.url("new")]
        old, _ = reader.page_versions(site.url("plain"))
        assert old.place is not None
        assert b"crane" not in reader.body(old.place).body
    found = diff(tmp_path, site.url("plain"))
    assert any(line.startswith("+A crane has come too") for line in found.lines)
    assert diff(tmp_path, site.url("etag")).lines == []


async def test_revisit_records_name_their_profile_and_original(tmp_path: Path) -> None:
    async with ChangingSite() as site:
        await crawled(site, tmp_path)
        await visit_all(tmp_path)
    dates: dict[str, str] = {}
    revisits: dict[str, dict[str, str]] = {}
    for path in sorted((tmp_path / "warc").glob("*.warc.gz")):
        with path.open("rb") as stream:
            for record in ArchiveIterator(stream, parse_http=False):
                headers = dict(record.headers)
                name = headers.get("WARC-Target-URI", "").rpartition("/")[2]
                if headers["WARC-Type"] == "response":
                    dates.setdefault(name, headers["WARC-Date"])
                if headers["WARC-Type"] == "revisit":
                    revisits[name] = headers
    assert {name: each["WARC-Profile"].rpartition("/")[2] for name, each in revisits.items()} == {
        "etag": "server-not-modified",
        "dated": "server-not-modified",
        "plain": "identical-payload-digest",
        "": "identical-payload-digest",
    }
    assert all(each["WARC-Refers-To-Date"] == dates[name] for name, each in revisits.items())
    assert "WARC-Payload-Digest" in revisits["plain"]


async def test_pages_are_gone_only_if_the_server_says_so(tmp_path: Path) -> None:
    async with ChangingSite() as site:
        await crawled(site, tmp_path)
        site.statuses = {"etag": 404, "dated": 410, "plain": 500, "clock": 301}
        result = await visit_all(tmp_path)
        assert (result.same, result.gone, result.failed, result.moved) == (1, 2, 1, 1)
        with storage_at(tmp_path).reader() as reader:
            assert reader.status().gone == 2
            assert {page.row.url for page in reader.stored_pages() if page.gone} == {
                site.url("etag"),
                site.url("dated"),
            }
            assert [each.link.url for each in reader.waiting_links()] == [site.url("elsewhere")]
        site.log.clear()
        site.statuses = {}
        result = await visit_all(tmp_path)
        assert (result.visited, result.same) == (3, 3), "what is gone is asked for again after a long time"


async def test_robots_and_budget_hold(tmp_path: Path) -> None:
    async with ChangingSite() as site:
        await crawled(site, tmp_path)
        site.log.clear()
        site.robots = "User-agent: *\nDisallow: /plain\n"
        result = await visit_all(tmp_path)
        assert (result.visited, result.failed) == (5, 1)
        assert site.url("plain") not in site.fetches()
        site.log.clear()
        site.robots = None
        result = await visit_all(tmp_path, max_pages=2)
        assert (result.visited, sum(site.fetches().values())) == (2, 2)
        assert "2 pages" in result.why


async def test_a_paused_crawl_can_be_visited_again(tmp_path: Path) -> None:
    """A pause holds back new pages."""
    async with ChangingSite() as site:
        await crawled(site, tmp_path)
        await asyncio.to_thread(lagotto.pause, tmp_path)
        assert (await visit_all(tmp_path)).visited == 5
        assert effect_at(storage_at(tmp_path)).paused


async def test_watching_goes_on_for_days(tmp_path: Path) -> None:
    """Time is injected: half a day passes with every look at the clock."""

    class Days:
        def __init__(self, start: float) -> None:
            self.passed, self.start = 0.0, start

        def now(self) -> float:
            self.passed += DAY / 2
            return self.passed

        def wall(self) -> float:
            return self.start + self.passed

    async with ChangingSite() as site:
        await crawled(site, tmp_path)
        with storage_at(tmp_path).reader() as reader:
            start = reader.status().last_at or 0.0
        days = Days(start)
        site.log.clear()
        async with Revisiting(
            tmp_path, watch=True, max_pages=20, clock=Clock(days.now, days.wall)
        ) as watching:
            await watching.run()
        assert watching.visited == 20
        assert min(site.fetches().values()) >= 2, "every page was visited several times"
        assert days.passed > 7 * DAY


async def test_a_round_that_was_stopped_is_gone_on_with(tmp_path: Path) -> None:
    async with ChangingSite() as site:
        await crawled(site, tmp_path)
        async with Revisiting(tmp_path, concurrency=1) as revisiting:
            revisiting.tell = lambda _: revisiting.stop()
            assert await revisiting.run() == "stopped"
        assert 0 < revisiting.visited < 5
        assert (await visit_all(tmp_path)).visited == 5 - revisiting.visited
        assert (await visit_all(tmp_path)).visited == 5


async def test_nothing_is_due_right_after_a_crawl(tmp_path: Path) -> None:
    async with ChangingSite() as site:
        await crawled(site, tmp_path)
        async with Revisiting(tmp_path, due=True) as revisiting:
            await revisiting.run()
        assert revisiting.visited == 0
        assert revisiting.next_due is not None


KILLED = """
import asyncio, sys
from lagotto.crawling.revisit.calls import visit_all
asyncio.run(visit_all(sys.argv[1]))
"""


@pytest.mark.parametrize("moment", ["commit.inside:4", "commit.after:4", "warc.torn:2", "warc.written:3"])
async def test_a_killed_round_is_gone_on_with(tmp_path: Path, moment: str) -> None:
    async with ChangingSite() as site:
        await crawled(site, tmp_path)
        for name in ("plain", "clock"):
            site.texts[name] += "<p>A crane has come too.</p>"
        environment = {**os.environ, "LAGOTTO_CRASH_AT": moment}
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", KILLED, str(tmp_path), cwd=PROJECT, env=environment
        )
        assert await process.wait() == -signal.SIGKILL
        await visit_all(tmp_path)
    storage = storage_at(tmp_path)
    assert {finding.severity for finding in storage.examine()} == {Severity.GOOD}
    with storage.reader() as reader:
        assert len({visit.page for visit in reader.visits()}) == 5
        assert len(list(reader.visits())) == 5, "no page is visited twice in a round"
        for name in ("plain", "clock"):
            assert len(reader.page_versions(site.url(name))) == 2


async def test_bad_input_is_refused_in_a_sentence(tmp_path: Path) -> None:
    async with ChangingSite() as site:
        await crawled(site, tmp_path)
        with pytest.raises(InputError, match="an hour to 90 days"):
            Revisiting(tmp_path, every=1.0)
        with pytest.raises(InputError, match="no option 'depth'"):
            Revisiting(tmp_path, depth=3)
        with pytest.raises(InputError, match="is no page of the crawl"):
            diff(tmp_path, site.url("never"))
        with pytest.raises(InputError, match="there is no version 7"):
            diff(tmp_path, site.url(), old=7)


@pytest.mark.parametrize(("budget", "visits"), [(0, 5), (4, 4)])
async def test_the_crawls_budget_is_not_that_of_a_round(tmp_path: Path, budget: int, visits: int) -> None:
    async with ChangingSite() as site:
        await crawled(site, tmp_path)
        async with Revisiting(tmp_path, max_pages=budget, concurrency=1) as revisiting:

            def steer_once(_: object) -> None:
                if revisiting.visited == 1:
                    send(revisiting.storage, [SetOptions({"max_pages": 2, "max_time": 0.001})], "somebody")

            revisiting.tell = steer_once
            await revisiting.run()
        assert revisiting.visited == visits
    assert effect_at(revisiting.storage).config.max_pages == 2, "it is kept for new pages"
    with revisiting.storage.reader() as reader:
        assert [command.applied for command in reader.commands()] == [True]
