"""Another crawler on a served web: Scrapy, breadth first, reaches just the pages that `bfs` reaches."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from lagotto.crawling.assembly import OpenCrawl, make_fetcher, make_parser, make_worker
from lagotto.crawling.config import Config
from lagotto.crawling.frontier import Hosts
from lagotto.crawling.worker.seeding import seed_lease
from lagotto.crawling.worker.statistics import Statistics
from lagotto.focus.registry import build_strategy
from lagotto.focus.topic import Topic
from lagotto.lab.checks.store_calls import hold_all, queue
from lagotto.lab.demo import DemoWeb
from lagotto.lab.demo.web import freeze
from lagotto.lab.experiments.one_run import Everywhere
from lagotto.lab.serving.server import WebServer
from lagotto.lab.webs.importing import import_web
from lagotto.lab.webs.web import FrozenWeb
from lagotto.store import storage_at

SPIDER = """
    import sys

    import scrapy
    from scrapy.crawler import CrawlerProcess

    class Plain(scrapy.Spider):
        name = "plain"
        start_urls = [sys.argv[1]]

        def parse(self, response):
            for path in ("a", "area"):
                for href in response.css(path + "::attr(href)").getall():
                    url = response.urljoin(href.strip())
                    if url.startswith(("http:", "https:")):
                        yield scrapy.Request(url.replace("https:", "http:", 1))
            for source in response.css("frame::attr(src), iframe::attr(src)").getall():
                yield scrapy.Request(response.urljoin(source))

    process = CrawlerProcess({
        "LOG_LEVEL": "ERROR", "ROBOTSTXT_OBEY": False, "COOKIES_ENABLED": False, "RETRY_ENABLED": False,
        "DEPTH_PRIORITY": 1, "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
        "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue", "TELNETCONSOLE_ENABLED": False,
        "CONCURRENT_REQUESTS": 16, "DOWNLOAD_DELAY": 0, "REDIRECT_MAX_TIMES": 10, "URLLENGTH_LIMIT": 4000,
    })
    process.crawl(Plain)
    process.start()
"""


@pytest.fixture(scope="module")
def scrapy_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter that has Scrapy, which is no dependency of ours."""
    folder = tmp_path_factory.mktemp("scrapy")
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    command: list[str | Path] = [
        python,
        "-m",
        "pip",
        "--disable-pip-version-check",
        "install",
        "--quiet",
        "scrapy",
    ]
    installed = subprocess.run(command, capture_output=True, text=True)
    if installed.returncode:
        pytest.skip(f"Scrapy could not be installed: {installed.stderr.strip().splitlines()[-1]}")
    return python


@pytest.fixture(params=["demo", "wikischools"])
def web(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[FrozenWeb, str]]:
    """A web, and the page to start from."""
    path = tmp_path / "a.web"
    if request.param == "demo":
        demo = DemoWeb()
        freeze(demo, path)
        seed = demo.topics()["truffles"].seeds[0]
    else:
        source = request.getfixturevalue("lagotto_data") / "webs" / "wikischools" / "pages.jsonl.zst"
        if not source.exists():
            pytest.skip(f"there is no {source}")
        import_web([source], path)
        seed = "http://schools-wikipedia.org/wp/s/Sport.htm"
    with FrozenWeb.open(path) as web:
        yield web, seed


def pages_served(web: FrozenWeb, server: WebServer) -> set[str]:
    """Pages that were asked for, each under the one URL that it counts by."""
    asked = (web.resolve(f"http://{entry.host}{entry.path}") for entry in server.log if entry.status == 200)
    return {url for url in asked if url is not None}


async def crawl_with_scrapy(web: FrozenWeb, seed: str, python: Path, folder: Path) -> set[str]:
    script = folder / "spider.py"
    script.write_text(dedent(SPIDER))
    async with WebServer(web, robots={}) as server:
        crawl = await asyncio.create_subprocess_exec(
            python, script, seed, env={"http_proxy": server.proxy}, stderr=asyncio.subprocess.PIPE
        )
        _, said = await crawl.communicate()
        assert crawl.returncode == 0, said.decode()
        return pages_served(web, server)


async def crawl_with_bfs(web: FrozenWeb, seed: str) -> set[str]:
    store = await hold_all(await storage_at(":memory:").create(b""))
    await queue(store, [seed_lease(seed)])
    async with WebServer(web, robots={}) as server:
        config = Config(proxy=server.proxy, delay=0.0, obey_robots=False, content_seen=False, retries=0)
        strategy = build_strategy("bfs", Topic("sport"), {})
        parser, fetcher = make_parser(config, (), strategy), make_fetcher(config, [seed])
        crawl = OpenCrawl(store, strategy, Everywhere(), fetcher, parser, Hosts(), Statistics())
        worker = await make_worker(config, crawl)
        try:
            assert await worker.run() == "the frontier is empty"
        finally:
            await parser.close()
            await fetcher.close()
            await store.close()
        return pages_served(web, server)


@pytest.mark.long
@pytest.mark.timeout(1800)
async def test_scrapy_reaches_the_same_pages(
    web: tuple[FrozenWeb, str], scrapy_python: Path, tmp_path: Path
) -> None:
    frozen, seed = web
    theirs = await crawl_with_scrapy(frozen, seed, scrapy_python, tmp_path)
    ours = await crawl_with_bfs(frozen, seed)
    print(f"{len(frozen)} pages: Scrapy reached {len(theirs)}, bfs {len(ours)}", file=sys.stderr)
    assert len(ours) > len(frozen) / 2
    assert theirs - ours == set()
    assert ours - theirs == set()
