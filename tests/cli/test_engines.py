"""A crawl that begins with a search: engines over real HTTP, their priorities in the frontier."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from aiohttp import web

from tests.crawling.seeds.searxng_server import hits, serving
from tests.site import Site

PAGE = "<title>{0}</title><p>Solar power from panels, page {0}.</p>"


async def call(*arguments: str) -> tuple[int, str, str]:
    """Run the command line beside the servers of this process."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "lagotto",
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    return process.returncode or 0, out.decode(), err.decode()


async def test_a_crawl_without_seeds_asks_and_orders_by_agreement(tmp_path: Path) -> None:
    async with Site({f"/{name}": PAGE.format(name) for name in "abc"}) as site:
        a, b, c = (f"http://{site.hosts[0]}/{name}" for name in "abc")
        broken = web.HTTPTooManyRequests()
        async with serving(
            one=hits(a, b), two=hits(c, b), three=hits(b, c), four=lambda _: broken
        ) as engines:
            local = ["--allow-private", "127.0.0.0/8"]
            asked = ["--engine", f"searxng:{engines.url}#one,two,three,four"]
            code, shown, failed = await call("seeds", "solar power", *asked, *local, "--json")
            assert code == 0, failed
            seeds = json.loads(shown)["seeds"]
            options = [
                "-o",
                str(tmp_path / "c"),
                "--concurrency",
                "1",
                "--delay",
                "0",
                "--strategy",
                "static",
            ]
            code, said, complained = await call("crawl", "solar power", *asked, *local, *options)
            assert code == 3, complained  # The pages have no links, so nothing is left after them.
            only_common = await call("seeds", "solar power", *asked, *local, "--agree", "all")
        _, rows, _ = await call("export", str(tmp_path / "c"))
    assert [(seed["url"], seed["priority"]) for seed in seeds] == [(b, 1), (c, 2), (a, 3)]
    assert "left out" in failed
    assert "four" in failed
    assert f"1  {b}" in said
    assert [json.loads(row)["url"] for row in rows.splitlines()] == [b, c, a]
    assert only_common[1].splitlines()[0].startswith(f"1  {b}")
    assert len(only_common[1].splitlines()) == 1


async def test_a_query_log_is_searched_for_by_its_keywords(tmp_path: Path) -> None:
    log = tmp_path / "queries.txt"
    log.write_text('"heat pump" prices\nheat pump noise\n"heat pump" solar\nsolar roofs\n')
    async with Site({f"/{name}": PAGE.format(name) for name in "abc"}) as site:
        a, b, c = (f"http://{site.hosts[0]}/{name}" for name in "abc")
        async with serving(one=hits(a, b, c)) as engines:
            code, said, complained = await call(
                *("crawl", "--query-log", str(log), "--engine", f"searxng:{engines.url}#one"),
                *("--engine-results", "2", "--allow-private", "127.0.0.0/8", "--delay", "0"),
                *("--strategy", "dynamic", "--max-pages", "3", "-o", str(tmp_path / "c")),
            )
            assert code == 3, complained  # The pages have no links, so nothing is left after them.
            assert engines.asked[0]["q"].startswith('"heat pump" solar')
    assert f"what {log} asks for" in said
    assert "from 2 seeds" in said


async def test_no_engine_at_all_is_told(tmp_path: Path) -> None:
    code, _, said = await call(
        "crawl", "solar power", "--engine", "searxng:http://127.0.0.1:9", "-o", str(tmp_path / "c")
    )
    assert code == 2
    assert "no search engine answered" in said
    assert not (tmp_path / "c").exists()
