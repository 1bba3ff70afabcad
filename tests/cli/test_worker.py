"""Several workers on one crawl in PostgreSQL, as processes of their own."""

from __future__ import annotations

import asyncio
import os
import sys
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import uuid4

import pytest

from lagotto import api as calls
from lagotto.base.protocols.storage import Severity
from lagotto.store import storage_at, with_crawl
from tests.conftest import PROJECT
from tests.postgres import server_for
from tests.site import Site, tree_site, tree_url

PAGES = 120
HOSTS = [f"127.0.10.{n}" for n in range(1, 17)]


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Location of a database."""
    return server_for(tmp_path_factory)


@asynccontextmanager
async def process(*arguments: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """`lagotto` with these arguments; it is killed if it still runs at the end."""
    running = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "lagotto", *arguments), cwd=PROJECT, stdout=asyncio.subprocess.DEVNULL
    )
    try:
        yield running
    finally:
        if running.returncode is None:
            running.kill()
            await running.wait()


def start(site: Site, database: str, name: str, folder: Path, *more: str) -> Sequence[str]:
    seed = tree_url(0, site.hosts)
    return (
        *("crawl", "heron", "--seed", seed, "--store", database, "--crawl", name, "-o", str(folder)),
        *("--delay", "0.05", "--ip-delay", "0", "--allow-private", "127.0.0.0/8", "--quiet", *more),
    )


async def workers_seen(location: str, wanted: int) -> None:
    """Wait until so many workers hold shards."""
    store = await storage_at(location).open()
    try:
        while len({holder.owner for holder in await store.holders() if holder.owner}) < wanted:
            await asyncio.sleep(0.1)
    finally:
        await store.close()


@pytest.mark.timeout(180)
async def test_three_workers_crawl_as_one(database: str, tmp_path: Path) -> None:
    name = f"three-{uuid4().hex[:8]}"
    location = with_crawl(database, name)
    async with Site({}, addresses=HOSTS) as site:
        site.pages.update(tree_site(PAGES, site.hosts))
        expected = {tree_url(number, site.hosts) for number in range(PAGES)}
        async with process(*start(site, database, name, tmp_path, "--max-pages", "10")) as first:
            assert await first.wait() == 0
        with storage_at(location).reader() as reader:
            assert reader.status().pages == 10
        calls.steer(location, max_pages=0)
        worker = ("worker", "--store", database, "--crawl", name, "--quiet")
        async with process(*worker) as one, process(*worker) as two, process(*worker) as three:
            codes = [await each.wait() for each in (one, two, three)]
        assert codes == [0, 0, 0]
        fetches = site.fetches()
    with storage_at(location).reader() as reader:
        committed = Counter(row.url for row in reader.rows())
        parts = {page.place.file for page in reader.stored_pages() if page.place is not None}
        first_page = next(reader.stored_pages())
        assert first_page.place is not None
        assert reader.body(first_page.place).url == first_page.row.url
    assert committed == dict.fromkeys(expected, 1)
    assert max(fetches.values()) == 1, "no page was asked for twice"
    assert len(parts) > 1, "several workers wrote WARC files, each its own"
    assert all(finding.severity is Severity.GOOD for finding in storage_at(location).examine())
    storage_at(location).discard()


@pytest.mark.timeout(180)
async def test_workers_share_one_budget_and_obey_commands(database: str, tmp_path: Path) -> None:
    name = f"budget-{uuid4().hex[:8]}"
    location = with_crawl(database, name)
    async with Site({}, addresses=HOSTS) as site:
        site.pages.update(tree_site(4000, site.hosts))
        first = process(*start(site, database, name, tmp_path, "--concurrency", "4", "--max-pages", "3000"))
        second = process("worker", "--store", database, "--crawl", name, "--quiet")
        async with first as one:
            while not storage_at(location).exists():
                await asyncio.sleep(0.1)
            async with second as two:
                await workers_seen(location, 2)
                paused = await asyncio.to_thread(calls.pause, location)
                assert paused.taken_at is not None
                await quiet(site)
                await asyncio.to_thread(calls.unpause, location)
                with storage_at(location).reader() as reader:
                    enough = reader.status().pages + 100
                await asyncio.to_thread(calls.steer, location, max_pages=enough)
                assert [await one.wait(), await two.wait()] == [0, 0]
    with storage_at(location).reader() as reader:
        pages = reader.status().pages
    assert enough <= pages <= enough + 2 * 8, "not more than what was in flight beyond the budget"
    storage_at(location).discard()


async def quiet(site: Site) -> None:
    """Wait until nobody has asked for anything for half a second."""
    seen = -1
    while len(site.log) != seen:
        seen = len(site.log)
        await asyncio.sleep(0.5)


@pytest.mark.timeout(120)
async def test_a_stop_ends_all_workers(database: str, tmp_path: Path) -> None:
    name = f"stop-{uuid4().hex[:8]}"
    location = with_crawl(database, name)
    async with Site({}, addresses=HOSTS) as site:
        site.pages.update(tree_site(4000, site.hosts))
        async with process(*start(site, database, name, tmp_path)) as one:
            while not storage_at(location).exists():
                await asyncio.sleep(0.1)
            async with process("worker", "--store", database, "--crawl", name, "--quiet") as two:
                await workers_seen(location, 2)
                await asyncio.to_thread(calls.stop, location)
                assert [await one.wait(), await two.wait()] == [0, 0]
    assert not storage_at(location).running()
    storage_at(location).discard()


async def test_a_directory_cannot_be_shared(tmp_path: Path) -> None:
    async with process("worker", "--store", str(tmp_path), "--crawl", "x") as refused:
        assert await refused.wait() == 2
    assert os.listdir(tmp_path) == []
