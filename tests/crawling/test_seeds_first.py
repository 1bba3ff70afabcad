"""Seeds of the user are fetched before any link, whatever the strategy gives to links."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import lagotto
from lagotto.base.records import SEED_SCORE
from lagotto.crawling.config import Config
from lagotto.crawling.inputs import seed_leases
from tests.site import Site

LINKS = "".join(f'<li><a href="/bird{n}.html">bird heron eagle bird {n}</a> a bird</li>' for n in range(40))
SEED = f"<html><title>Bird heron</title><body><h1>bird heron eagle</h1><ul>{LINKS}</ul></body></html>"


@pytest.mark.parametrize("strategy", ["static", "dynamic", "hybrid", "best-first", "priority", "scent"])
async def test_all_seeds_come_before_the_first_link(strategy: str, tmp_path: Path) -> None:
    pages = {f"/bird{n}.html": f"<title>bird {n}</title><p>A bird, a heron, {n}.</p>" for n in range(40)}
    other = "<title>Another</title><p>Nothing of the kind.</p>"
    async with Site({"/": SEED, "/second.html": other, "/third.html": other + "!", **pages}) as site:
        root = f"http://{site.hosts[0]}"
        await asyncio.to_thread(
            lagotto.crawl,
            "bird heron eagle",
            seeds=[f"{root}/", f"{root}/second.html", f"{root}/third.html"],
            directory=tmp_path / "crawl",
            strategy=strategy,
            max_pages=12,
            concurrency=1,
            delay=0.0,
            allow_private=["127.0.0.0/8"],
        )
    asked = [request.path for request in site.log if request.path != "/robots.txt"]
    assert asked[:3] == ["/", "/second.html", "/third.html"]


def test_seeds_of_search_engines_may_wait() -> None:
    config = Config(seeds=["http://a.example/", "http://b.example/"], seed_scores=[0.5])
    assert [lease.score for lease in seed_leases(config)] == [0.5, SEED_SCORE]
