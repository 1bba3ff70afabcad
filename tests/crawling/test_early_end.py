"""Crawls that end after a handful of pages say what stopped them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lagotto.crawling.config import Config
from lagotto.crawling.session import Crawl
from tests.site import Site

BIRDS = "The heron and the eagle are birds. Birds nest, birds fly, birds sing. " * 5
RAILWAYS = "Timetables of trains, their platforms and their carriages. " * 5


def page(text: str, *links: str, head: str = "") -> str:
    anchors = " ".join(f'<a href="{link}">link {number}</a>' for number, link in enumerate(links))
    return f"<html><head><title>A page</title>{head}</head><body><p>{text}</p>{anchors}</body></html>"


async def crawled(site: Site, directory: Path, **options: Any) -> Crawl:
    config = Config(
        topic="birds",
        seeds=[f"http://{site.hosts[0]}/"],
        delay=0.0,
        parsers=1,
        allow_private=["127.0.0.0/8"],
        **options,
    )
    async with Crawl(config, directory) as crawl:
        await crawl.run()
    return crawl


async def sentences(pages: dict[str, str], directory: Path, robots: str = "", **options: Any) -> str:
    async with Site(pages, robots=robots) as site:
        return "\n".join((await crawled(site, directory, **options)).ended_early)


async def test_a_seed_that_asks_robots_to_go_away(tmp_path: Path) -> None:
    closed = page(BIRDS, "/a", "/b", head='<meta name="robots" content="noindex, nofollow">')
    said = await sentences({"/": closed, "/a": page(BIRDS)}, tmp_path / "c")
    assert "not kept, since the page asks robots not to index it: http://127.0.0.1" in said
    assert "2 links left out (page-nofollow: on a page that asks robots to follow none" in said
    assert "only --no-robots follows them" in said


async def test_a_seed_that_opts_out(tmp_path: Path) -> None:
    closed = page(BIRDS, head='<meta name="robots" content="noai">')
    said = await sentences({"/": closed}, tmp_path / "c", obey_opt_outs=True)
    assert "not kept, since the page opts out of being mined or used for AI: http://127.0.0.1" in said
    assert "without --obey-opt-outs it is kept" in said


async def test_nofollow_of_links_is_another_reason(tmp_path: Path) -> None:
    marked = page(BIRDS).replace("</p>", '</p><a rel="nofollow" href="/a">a</a>')
    pages = {"/": marked, "/a": page(BIRDS + "Also the wren.")}
    said = await sentences(pages, tmp_path / "c", obey_nofollow=True)
    assert "1 link left out (nofollow: marked rel=nofollow, see --ignore-nofollow)" in said
    assert "1 link left out" not in await sentences(pages, tmp_path / "d", obey_nofollow=False)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"same_site": True}, "2 links left out (other-site: a URL of another site, see --same-site); leave"),
        ({"include": ["/none$"]}, "2 links left out (not-included: a URL that matches no --include); widen"),
        ({"exclude": ["example"]}, "2 links left out (excluded: a URL that matches an --exclude); narrow"),
    ],
)
async def test_all_links_out_of_scope(tmp_path: Path, options: dict[str, Any], sentence: str) -> None:
    pages = {"/": page(BIRDS, "http://a.example/", "http://b.example/")}
    assert sentence in await sentences(pages, tmp_path / "c", **options)


async def test_links_that_robots_txt_forbids(tmp_path: Path) -> None:
    pages = {"/": page(BIRDS, "/closed/a", "/closed/b")}
    said = await sentences(pages, tmp_path / "c", "User-agent: *\nDisallow: /closed")
    assert "2 URLs without a page (robots: its robots.txt forbids it)" in said


@pytest.mark.parametrize("strategy", ["static", "dynamic"])
async def test_a_strategy_that_follows_relevant_pages_only(tmp_path: Path, strategy: str) -> None:
    pages = {"/": page(RAILWAYS, "/a", "/b"), "/a": page(BIRDS), "/b": page(BIRDS)}
    said = await sentences(pages, tmp_path / "c", strategy=strategy)
    assert f"2 links left out by the strategy (low-score): {strategy} follows links of relevant pages" in said
    assert f"judged off topic by {strategy}: http://127.0.0.1" in said
    assert "a lower --option page_threshold (now 0.02)" in said
    assert "such as scent" in said


async def test_neural_says_which_links_it_follows(tmp_path: Path) -> None:
    pages = {"/": page(RAILWAYS, "/a"), "/a": page(RAILWAYS + "More.", "/b"), "/b": page(BIRDS)}
    said = await sentences(pages, tmp_path / "c", strategy="neural")
    assert "1 link left out by the strategy (low-score): neural follows all links of seeds" in said
    assert "a lower --option threshold (now 0.5)" in said


async def test_pages_without_links(tmp_path: Path) -> None:
    assert "the pages have no links to follow" in await sentences({"/": page(BIRDS)}, tmp_path / "c")


async def test_only_dead_hosts(tmp_path: Path) -> None:
    pages = {"/": page(BIRDS, "http://127.0.0.1:1/a", "http://127.0.0.1:1/b")}
    said = await sentences(pages, tmp_path / "c", retries=1, retry_wait=0.05)
    assert "2 links left on hosts that do not answer" in said
    assert "`lagotto resume` tries them again" in said


async def test_a_small_site_that_was_fetched_as_a_whole_did_not_end_early(tmp_path: Path) -> None:
    pages = {
        "/": page(BIRDS, "/a", "/missing", "http://a.example/", "mailto:a@a.example"),
        "/a": page(BIRDS + "One more bird.", "/b"),
        "/b": page(BIRDS + "And another.", "/"),
    }
    assert await sentences(pages, tmp_path / "c", same_site=True) == ""


async def test_a_crawl_whose_budget_is_used_did_not_end_early(tmp_path: Path) -> None:
    pages = {"/": page(RAILWAYS, "/a", "/b")}
    assert await sentences(pages, tmp_path / "c", strategy="static", max_pages=1) == ""


async def test_a_resumed_crawl_with_nothing_to_do_says_the_same(tmp_path: Path) -> None:
    async with Site({"/": page(RAILWAYS, "/a", "/b")}) as site:
        first = await crawled(site, tmp_path / "c", strategy="static")
        async with Crawl.resume(tmp_path / "c") as again:
            await again.run()
    assert again.ended_early == first.ended_early != []
