"""A crawl that has dried up asks search engines, over real HTTP, and goes on with what they bring."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import lagotto
from lagotto.base.urls import canonical
from lagotto.store import storage_at
from tests.cli.test_engines import call
from tests.crawling.seeds.searxng_server import hits, serving
from tests.site import Site

PAGE = (
    "<title>Solar {0}</title><p>Solar power from panels and roofs, page {0} about the power of the sun.</p>"
)


async def test_a_crawl_that_has_dried_up_asks_and_goes_on(tmp_path: Path) -> None:
    async with Site({f"/{name}": PAGE.format(name * 5) for name in "abcd"}) as site:
        a, b, c, dead = (f"http://{site.hosts[0]}/{name}" for name in ("a", "b", "c", "dead"))
        async with serving(one=hits(a, b), two=hits(b, c, dead)) as engines:
            local = ["--allow-private", "127.0.0.0/8", "--delay", "0", "--strategy", "dynamic"]
            crawl = str(tmp_path / "c")
            code, _, said = await call("crawl", "solar power", "--seed", a, *local, "-o", crawl)
            assert code in (0, 3), said
            asked = ["--refill-seeds", "--engine", f"searxng:{engines.url}#one,two"]
            code, out, said = await call("resume", crawl, *asked)
            assert code in (0, 3), said
            assert "solar" in engines.asked[0]["q"]
            assert "; 3 new seeds" in said
            assert " named 2 URLs: 1 new, 1 fetched, " in out
            assert " named 3 URLs: 3 new, 2 fetched, " in out
            code, _, said = await call("resume", crawl, "--engine", "brave")
            assert (code, "--refill-seeds" in said) == (2, True)
    with storage_at(crawl).reader() as reader:
        fetched = {row.url for row in reader.rows() if row.status == 200}
    assert fetched == {canonical(url) for url in (a, b, c)}


async def test_the_same_from_python(tmp_path: Path) -> None:
    async with Site({f"/{name}": PAGE.format(name * 5) for name in "ab"}) as site:
        a, b = (f"http://{site.hosts[0]}/{name}" for name in "ab")
        async with serving(one=hits(a, b)) as engines:
            options: dict[str, Any] = {
                "allow_private": ["127.0.0.0/8"],
                "delay": 0.0,
                "strategy": "bfs",
                "parsers": 1,
            }
            crawl = partial(lagotto.crawl, "solar power", seeds=[a], directory=tmp_path / "c", **options)
            await asyncio.to_thread(crawl)
            grow = partial(lagotto.grow, tmp_path / "c", engines=[f"searxng:{engines.url}#one"])
            [share] = await asyncio.to_thread(grow)
    assert (share.named, share.new, share.fetched) == (2, 1, 1)
