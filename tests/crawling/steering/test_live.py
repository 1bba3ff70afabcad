"""Every command on a live crawl: it takes hold at once, and still holds after kill -9 and resume."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import lagotto
from lagotto.base.views import Status, TakenCommand
from lagotto.store import storage_at
from tests.crawling.steering.live import Live, live, until
from tests.site import tree_url

pytestmark = pytest.mark.timeout(180)


@pytest.fixture
async def crawl(tmp_path: Path) -> AsyncIterator[Live]:
    async with live(tmp_path / "crawl") as found:
        yield found


async def steer(crawl: Live, **asked: object) -> list[TakenCommand]:
    """Steer from Python, in a thread, since the site is served from here."""
    return await asyncio.to_thread(lagotto.steer, crawl.directory, who="anna", **asked)


def taken(crawl: Live) -> list[TakenCommand]:
    with storage_at(crawl.directory).reader() as reader:
        return reader.commands()


def figures(crawl: Live) -> Status:
    with storage_at(crawl.directory).reader() as reader:
        return reader.status()


def committed(crawl: Live, url: str) -> bool:
    with storage_at(crawl.directory).reader() as reader:
        return any(row.url == url for row in reader.rows())


async def stands_still(crawl: Live) -> bool:
    """Whether no request comes while two other commands run, which takes twenty delays or more."""
    before = crawl.served
    for _ in range(2):
        await crawl.lagotto("status", str(crawl.directory))
    return crawl.served == before


async def exported(crawl: Live, *options: str) -> list[dict[str, object]]:
    code, out = await crawl.lagotto("export", str(crawl.directory), *options)
    assert code == 0, out
    return [json.loads(line) for line in out.splitlines()]


async def test_pause_holds_until_unpause(crawl: Live) -> None:
    directory = str(crawl.directory)
    await crawl.crawl()
    await crawl.until_served(10)
    code, said = await crawl.lagotto("pause", directory)
    assert (code, said.partition(":")[0]) == (0, "pause")
    assert await stands_still(crawl)
    _, status = await crawl.lagotto("status", directory)
    assert f"paused         yes; go on with `lagotto unpause {directory}`" in status
    await crawl.kill()
    before = crawl.served
    await crawl.resume()
    assert crawl.process is not None
    assert crawl.process.stderr is not None
    line = (await asyncio.wait_for(crawl.process.stderr.readline(), 30)).decode()
    while "unpause" not in line:
        line = (await asyncio.wait_for(crawl.process.stderr.readline(), 30)).decode()
    assert f"`lagotto unpause {directory}`" in line
    assert await stands_still(crawl)
    code, said = await crawl.lagotto("unpause", directory)
    assert code == 0, said
    await crawl.until_served(before + 10)


async def test_stop_ends_the_process_and_resume_goes_on(crawl: Live) -> None:
    await crawl.crawl()
    await crawl.until_served(10)
    code, said = await crawl.lagotto("stop", str(crawl.directory))
    assert code == 0, said
    code, said = await crawl.ended()
    assert code == 0, said
    assert "finished: stopped by" in said
    before = crawl.served
    await crawl.resume()
    await crawl.until_served(before + 10)


async def test_stop_of_a_crawl_that_does_not_run_is_refused(crawl: Live) -> None:
    await crawl.crawl("--max-pages", "3")
    await crawl.ended()
    code, said = await crawl.lagotto("stop", str(crawl.directory))
    assert code == 2
    assert "no crawl runs" in said


async def test_a_budget_can_be_raised_and_lowered(crawl: Live) -> None:
    await crawl.crawl("--max-pages", "500")
    await crawl.until_served(10)
    (done,) = await steer(crawl, max_pages=60)
    assert done.applied
    await crawl.kill()
    await crawl.resume()
    code, said = await crawl.ended()
    assert code == 0
    assert "the budget of 60 pages is used" in said
    await crawl.resume("--max-pages", "70")
    assert "the budget of 70 pages is used" in (await crawl.ended())[1]
    assert len(await exported(crawl)) == 70


async def test_delay_and_concurrency_change_at_once(crawl: Live) -> None:
    await crawl.crawl()
    await crawl.until_served(10)
    (done,) = await steer(crawl, delay=30.0, concurrency=2)
    assert done.applied
    before = crawl.served
    assert await stands_still(crawl) or crawl.served <= before + len(crawl.site.hosts)
    await crawl.kill()
    _, status = await crawl.lagotto("status", str(crawl.directory))
    assert "delay 30" in status
    await steer(crawl, delay=0.0)
    before = crawl.served
    await crawl.resume()
    await crawl.until_served(before + 20)


async def test_a_seed_that_is_added_comes_before_links(crawl: Live) -> None:
    """On the host of the new seed many better links wait."""
    late = tree_url(599, crawl.site.hosts)
    await crawl.crawl("--strategy", "static", "--option", "page_threshold=-1", "--concurrency", "1")
    await crawl.until_served(30)
    await steer(crawl, add_seeds=[late])
    before = crawl.served
    await until(lambda: late in crawl.site.fetches())
    assert crawl.served <= before + 6
    await until(lambda: committed(crawl, late))  # a page in flight would be fetched again after the kill
    await crawl.kill()
    await crawl.resume()
    await crawl.until_served(before + 20)
    assert crawl.site.fetches()[late] == 1


async def test_exclude_sets_links_aside_and_unexclude_brings_them_back(crawl: Live) -> None:
    pattern = r"[13579]\.html$"
    await crawl.crawl()
    await crawl.until_served(40)
    code, said = await crawl.lagotto("steer", str(crawl.directory), "--exclude", pattern, "--preview")
    assert code == 0, said
    assert "queued links would be set aside" in said
    (done,) = await steer(crawl, exclude=[pattern])
    assert "set aside" in done.outcome
    before = len(crawl.site.log)
    await crawl.until_served(crawl.served + 10)
    await crawl.kill()
    await crawl.resume()
    code, said = await crawl.ended()
    assert "the frontier is empty" in said
    # What was leased when the command came is fetched all the same.
    odd = [request.path for request in crawl.site.log[before + 2 * 16 :] if request.path[-6] in "13579"]
    assert odd == []
    aside = figures(crawl).aside
    assert aside > 0
    served = crawl.served
    (done,) = await steer(crawl, unexclude=[pattern])
    assert done.applied
    assert (figures(crawl).aside, figures(crawl).queued) == (0, aside)
    await crawl.resume("--max-pages", str(served + aside))
    await crawl.ended()
    assert crawl.served >= served + aside


async def test_include_keeps_only_what_matches(crawl: Live) -> None:
    host = crawl.site.hosts[0]
    await crawl.crawl()
    await crawl.until_served(30)
    await steer(crawl, include=[host])
    before = len(crawl.site.log)
    await crawl.kill()
    await crawl.resume()
    await crawl.ended()
    later = Counter(request.host for request in crawl.site.log[before + 2 * 16 :])
    assert set(later) <= {host}


async def test_a_blocked_host_is_asked_no_more_until_it_is_unblocked(crawl: Live) -> None:
    host = crawl.site.hosts[1]
    await crawl.crawl()
    await crawl.until_served(20)
    await steer(crawl, block_hosts=[host])
    await crawl.until_served(crawl.served + 5)
    before = crawl.served_by(host)
    await crawl.until_served(crawl.served + 10)
    await crawl.kill()
    await crawl.resume()
    await crawl.until_served(crawl.served + 20)
    assert crawl.served_by(host) == before
    _, said = await crawl.lagotto("explain", str(crawl.directory), tree_url(1, crawl.site.hosts))
    assert "host rules     blocked" in said
    await steer(crawl, unblock_hosts=[host])
    await until(lambda: crawl.served_by(host) > before + 3)


async def test_a_limited_host_gives_no_more_pages_than_that(crawl: Live) -> None:
    host = crawl.site.hosts[2]
    await crawl.crawl()
    await crawl.until_served(10)
    await steer(crawl, limit_hosts={host: 9})
    await crawl.kill()
    await crawl.resume("--max-pages", "120")
    await crawl.ended()
    assert crawl.served_by(host) <= 9 + 2, "pages that were under way when it was killed may come twice"
    rows = [row for row in await exported(crawl) if row["host"] == host]
    assert len(rows) == 9


async def test_a_boosted_host_comes_first(crawl: Live) -> None:
    host = crawl.site.hosts[1]
    # Slow, so that the host has links left when the crawl is killed.
    await crawl.crawl("--delay", "0.05", "--concurrency", "1")
    await crawl.until_served(30)
    await steer(crawl, boost_hosts={host: 100.0})
    await crawl.kill()
    before = len(crawl.site.log)
    await crawl.resume("--delay", "0")
    await crawl.until_served(crawl.served + 10)
    await crawl.kill()
    later = Counter(r.host for r in crawl.site.log[before:] if r.path != "/robots.txt")
    assert later[host] >= 8


async def test_a_mark_reaches_the_export_and_survives(crawl: Live) -> None:
    directory = str(crawl.directory)
    await crawl.crawl("--strategy", "scent")
    await crawl.until_served(30)
    await crawl.kill()
    page = next(row for row in await exported(crawl) if row["relevant"])["url"]
    assert isinstance(page, str)
    await crawl.resume()
    await crawl.until_served(crawl.served + 5)
    code, said = await crawl.lagotto("feedback", directory, page, "--off")
    assert code == 0, said
    await crawl.kill()
    assert page not in {row["url"] for row in await exported(crawl, "--relevant-only")}
    _, said = await crawl.lagotto("explain", directory, page)
    assert "verdict        off topic, as marked by" in said
    assert "on topic" not in said.replace("off topic", "")
    await crawl.resume()
    await crawl.until_served(crawl.served + 30)
    await crawl.kill()
    assert page not in {row["url"] for row in await exported(crawl, "--relevant-only")}
    code, said = await crawl.lagotto("feedback", directory, page, "--unmark")
    assert code == 0, said
    assert page in {row["url"] for row in await exported(crawl, "--relevant-only")}


@pytest.mark.parametrize("strategy", ["scent", "best-first"])
async def test_words_can_be_edited(crawl: Live, strategy: str) -> None:
    await crawl.crawl("--strategy", strategy, "--no-judge-again")
    await crawl.until_served(20)
    code, said = await crawl.lagotto("steer", str(crawl.directory), "--words", "stork=3 -heron")
    assert code == 0, said
    await crawl.kill()
    await crawl.resume("--max-pages", str(crawl.served + 60))
    await crawl.ended()
    (done,) = taken(crawl)[:1]
    assert done.applied
    assert done.who
    # Pages with such numbers have all the words.
    last = next(
        str(row["url"])
        for row in reversed(await exported(crawl))
        if int(str(row["title"]).removeprefix("Page ")) % 12 in (1, 5, 7, 11)
    )
    _, said = await crawl.lagotto("explain", str(crawl.directory), last)
    assert "stork" in said
    assert "heron" not in said.partition("verdict")[2]
