"""Signals by which sites opt out of uses: recorded with each page, obeyed on demand, respected by exports."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

import lagotto
from lagotto.base.errors import InputError
from lagotto.base.facts import OptOut, Use
from lagotto.base.records import Reason
from lagotto.base.views import StoredPage
from lagotto.cli.look import facts_lines
from lagotto.harvest.export.options import FactCounts, left_out_sentence
from lagotto.store import storage_at
from tests.crawling.stored import stored_pages
from tests.site import Site

ROBOTS = """
User-agent: *
Content-Signal: search=yes, ai-input=no
Disallow: /private

User-agent: GPTBot
User-agent: CCBot
Disallow: /robots

User-agent: Google-Extended
Disallow: /robots
Allow: /robots/open
"""
TDM = [
    {"location": "/file/*", "tdm-reservation": 1, "tdm-policy": "http://policy.example/"},
    {"location": "/file/open", "tdm-reservation": 0},
    {"location": 7},
    "nonsense",
]


def page(name: str, head: str = "") -> str:
    return f"<title>{name}</title>{head}<p>Birds, herons and owls of the {name} page, told apart."


def answer(name: str, **headers: str) -> Any:
    return lambda _: web.Response(text=page(name), content_type="text/html", headers=headers)


NAMES = ["plain", "meta", "noai", "header", "tagged", "robots", "robots/open", "file/one", "file/open"]
PAGES: dict[str, Any] = {
    "/": page("home") + "".join(f"<a href=/{name}>{name}</a> " for name in NAMES),
    "/plain": page("plain"),
    "/meta": page("meta", '<meta name="tdm-reservation" content="1">'),
    "/noai": page("noai", '<meta name="robots" content="noai">'),
    "/header": answer("header", **{"TDM-Reservation": "1", "tdm-policy": "http://policy.example/h"}),
    "/tagged": answer("tagged", **{"X-Robots-Tag": "noai, noimageai"}),
    "/robots": page("robots"),
    "/robots/open": page("open"),
    "/file/one": page("one"),
    "/file/open": page("free"),
    "/.well-known/tdmrep.json": lambda _: web.json_response(TDM),
}


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with Site(PAGES, ROBOTS.replace("Content-Signal", "X-Signal")) as site:
        yield site


def said(stored: StoredPage) -> list[OptOut]:
    return stored.facts.opt_outs if stored.facts else []


async def test_signals_are_recorded_and_nothing_is_left_out(site: Site, tmp_path: Path) -> None:
    pages = await stored_pages(site, tmp_path / "crawl")
    assert {path for path, stored in pages.items() if stored.is_page} == {
        "/",
        *(f"/{name}" for name in NAMES),
    }
    assert said(pages["/meta"]) == [OptOut(Use.TDM, "meta")]
    assert said(pages["/header"]) == [OptOut(Use.TDM, "header", "http://policy.example/h")]
    assert said(pages["/tagged"]) == [
        OptOut(Use.AI, "header", "noai"),
        OptOut(Use.IMAGES, "header", "noimageai"),
    ]
    assert said(pages["/robots"]) == [OptOut(Use.AI, "robots.txt", "CCBot, GPTBot, Google-Extended")]
    assert said(pages["/robots/open"]) == [OptOut(Use.AI, "robots.txt", "CCBot, GPTBot")]
    assert pages["/plain"].facts is None
    assert said(pages["/file/one"]) == [], "the file is not asked for"
    assert "/.well-known/tdmrep.json" not in {request.path for request in site.log}
    facts = pages["/header"].facts
    assert facts is not None
    assert facts_lines(facts) == ["opts out of    tdm (header: http://policy.example/h)"]


async def test_pages_that_opt_out_are_left_out_on_demand(site: Site, tmp_path: Path) -> None:
    pages = await stored_pages(site, tmp_path / "crawl", obey_opt_outs=True)
    kept = {path for path, stored in pages.items() if stored.is_page}
    assert kept == {"/", "/plain", "/file/open"}
    one = pages["/file/one"]
    assert (one.row.reason, one.detail) == (Reason.OPT_OUT, "tdm (tdmrep.json: http://policy.example/)")
    assert (one.row.text, one.row.title, one.place, one.row.relevance) == ("", "", None, None)
    assert said(one) == [OptOut(Use.TDM, "tdmrep.json", "http://policy.example/")]
    asked = [request.path for request in site.log]
    assert asked[:2] == ["/robots.txt", "/.well-known/tdmrep.json"]
    assert asked.count("/.well-known/tdmrep.json") == 1
    with storage_at(tmp_path / "crawl").reader() as reader:
        assert reader.status().reasons[Reason.OPT_OUT] == 7


async def test_the_file_takes_a_turn_of_its_host(site: Site, tmp_path: Path) -> None:
    await stored_pages(site, tmp_path / "crawl", obey_opt_outs=True, delay=0.2, max_pages=1)
    assert [request.path for request in site.log[:3]] == ["/robots.txt", "/.well-known/tdmrep.json", "/"]
    assert all(later.at - earlier.at >= 0.19 for earlier, later in pairwise(site.log[:3]))


async def test_content_signals_count_for_all_pages_of_the_host(tmp_path: Path) -> None:
    async with Site({"/": page("home")}, ROBOTS) as site:
        pages = await stored_pages(site, tmp_path / "crawl", obey_opt_outs=True)
    assert said(pages["/"]) == [OptOut(Use.AI_INPUT, "robots.txt", "ai-input=no")]
    assert pages["/"].row.reason == Reason.OPT_OUT


async def test_exports_respect_what_they_are_told_to(site: Site, tmp_path: Path) -> None:
    pages = await stored_pages(site, tmp_path / "crawl")

    def exported(name: str, **options: Any) -> set[str]:
        lagotto.export_crawl(tmp_path / "crawl", tmp_path / name, **options)
        lines = (tmp_path / name).read_text().splitlines()
        return {json.loads(line)["url"].partition(site.hosts[0])[2] for line in lines}

    everything = {path for path, stored in pages.items() if stored.is_page}
    tdm = {"/meta", "/header"}
    ai = {"/noai", "/tagged", "/robots", "/robots/open"}
    assert exported("rows") == set(pages)
    assert exported("chunks", chunks=50) == everything - tdm, "training is what chunks are made for"
    assert exported("all chunks", chunks=50, respect="none") == everything
    assert exported("both", respect="tdm, ai") == set(pages) - tdm - ai
    assert exported("images", respect="images", sort="relevance") == set(pages) - {"/tagged"}
    lagotto.export_crawl(tmp_path / "crawl", tmp_path / "facts", facts=True)
    said_by = {
        row["url"]: row["facts"] for row in map(json.loads, (tmp_path / "facts").read_text().splitlines())
    }
    meta = next(facts for url, facts in said_by.items() if url.endswith("/meta"))
    assert json.loads(meta) == {"opt_outs": [{"use": "tdm", "source": "meta"}]}
    assert exported("all", respect="all") == set(pages) - tdm - ai
    with pytest.raises(InputError, match="--respect cannot be 'tdm,robots'"):
        exported("wrong", respect="tdm,robots")
    with pytest.raises(InputError, match="--respect cannot be 'tdm,none'"):
        exported("wrong", respect="tdm,none")
    with storage_at(tmp_path / "crawl").reader() as reader:
        assert (
            left_out_sentence(reader, "tdm")
            == "left out 2 pages that opt out of tdm; --respect none keeps all"
        )
        assert left_out_sentence(reader, "none") == left_out_sentence(reader, "search") == ""
    counts = FactCounts(pages.values())
    assert (counts.pages, counts.opt_outs[Use.TDM, "meta"]) == (len(pages), 1)
    assert counts.opt_outs[Use.AI, "robots.txt"] == 2
