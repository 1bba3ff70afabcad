"""What a user may ask of a crawl, each option tried on a real site."""

from __future__ import annotations

import asyncio
import base64
import gzip
import time
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from lagotto.base.errors import SeedError
from lagotto.crawling.worker.events import Finished, SeedFailed
from tests.crawling.test_crawl import crawl_site, html
from tests.site import Site, tree_site, tree_url


async def test_depth(tmp_path: Path) -> None:
    async with Site({}) as site:
        site.pages.update(tree_site(31, site.hosts))
        rows, _ = await crawl_site(site, tmp_path / "c", seeds=[tree_url(0, site.hosts)], depth=2)
    assert max(row.depth for row in rows.values()) == 2
    assert len(rows) == 7


async def test_language(tmp_path: Path) -> None:
    async with Site({"/": html("Katzen")}) as site:
        await crawl_site(site, tmp_path / "c", language="de")
    assert {request.headers["Accept-Language"] for request in site.log} == {"de,*;q=0.5"}


async def test_include_and_exclude(tmp_path: Path) -> None:
    pages = {"/": html("front", "/birds/a", "/birds/secret", "/banks/b")}
    pages |= {path: html(path) for path in ("/birds/a", "/birds/secret", "/banks/b")}
    async with Site(pages) as site:
        rows, _ = await crawl_site(site, tmp_path / "c", include=["/birds/"], exclude=["secret$"])
    assert list(rows) == ["/", "/birds/a"]


async def test_same_site(tmp_path: Path) -> None:
    async with Site({}, addresses=["127.0.5.1", "127.0.5.2"]) as site:
        away = f"http://{site.hosts[1]}/away"
        site.pages |= {
            "/": html("front", away, "/here", "/gone"),
            "/here": html("here"),
            "/away": html("away"),
        }
        site.pages["/gone"] = lambda _: web.Response(status=301, headers={"Location": away})
        rows, _ = await crawl_site(site, tmp_path / "c", same_site=True)
    assert {request.host for request in site.log} == {site.hosts[0]}
    assert (rows["/gone"].reason, rows["/here"].status) == ("redirect-refused", 200)


async def test_max_bytes(tmp_path: Path) -> None:
    async with Site({}) as site:
        site.pages.update(tree_site(200, site.hosts))
        seeds = [tree_url(0, site.hosts)]
        rows, events = await crawl_site(site, tmp_path / "c", seeds=seeds, max_bytes=5000, concurrency=1)
    assert isinstance(events[-1], Finished)
    assert events[-1].why == "the budget of 5000 bytes is used"
    size = len(site.pages["/page0.html"])
    assert 5000 / size <= len(rows) <= 5000 / size + 3


async def test_max_time(tmp_path: Path) -> None:
    async with Site({}) as site:
        site.pages.update(tree_site(200, site.hosts))
        seeds = [tree_url(0, site.hosts)]
        started = time.monotonic()
        _, events = await crawl_site(site, tmp_path / "c", seeds=seeds, max_time=1.0, delay=0.1)
    assert isinstance(events[-1], Finished)
    assert events[-1].why == "the time of 1 s is used"
    assert time.monotonic() - started < 30
    assert sum(site.fetches().values()) < 15


async def test_cookies_and_passwords_stay_where_they_belong(tmp_path: Path) -> None:
    cookies = tmp_path / "cookies.txt"
    cookies.write_text("127.0.5.1\tFALSE\t/\tFALSE\t0\tkey\tbiscuit\n")
    async with Site({}, addresses=["127.0.5.1", "127.0.5.2"]) as site:
        first, second = site.hosts
        site.pages |= {
            "/": html("front", "/moved", f"http://{second}/other"),
            "/moved": lambda _: web.Response(status=302, headers={"Location": f"http://{second}/target"}),
            "/other": html("other"),
            "/target": html("target"),
        }
        options = {"cookies": str(cookies), "auth": [f"me:secret@http://{first}"]}
        await crawl_site(site, tmp_path / "c", **options)
    password = "Basic " + base64.b64encode(b"me:secret").decode()
    for request in site.log:
        ours = request.host == first
        assert (request.headers.get("Cookie") == "key=biscuit") == ours
        assert (request.headers.get("Authorization") == password) == ours
    assert {request.path for request in site.log if request.host == second} >= {"/other", "/target"}
    kept = b"".join(path.read_bytes() for path in (tmp_path / "c").rglob("*.*") if path.name != "config.toml")
    assert b"biscuit" not in kept
    for warc in (tmp_path / "c" / "warc").iterdir():
        assert b"biscuit" not in gzip.decompress(warc.read_bytes())
        assert base64.b64encode(b"me:secret") not in gzip.decompress(warc.read_bytes())


async def test_a_proxy_that_is_down_is_named(tmp_path: Path) -> None:
    async with Site({}) as site:
        gone = site.hosts[0]
    with pytest.raises(SeedError, match=r"fetched: the proxy cannot be reached .*; check --proxy"):
        await crawl_site(site, tmp_path / "c", proxy=f"http://{gone}", seeds=["http://a.example/"])


async def test_sitemaps_of_every_kind_and_an_index_that_names_itself(tmp_path: Path) -> None:
    def index(request: web.Request) -> web.Response:
        named = ["/index.xml", "/packed.xml.gz", "/plain.txt"]
        entries = "".join(f"<sitemap><loc>http://{request.host}{path}</loc></sitemap>" for path in named)
        return web.Response(text=f"<sitemapindex>{entries}</sitemapindex>", content_type="text/xml")

    def packed(request: web.Request) -> web.Response:
        urlset = (
            f"<?xml version='1.0'?><urlset><url><loc>http://{request.host}/from-packed</loc></url></urlset>"
        )
        return web.Response(body=gzip.compress(urlset.encode()), content_type="application/gzip")

    def plain(request: web.Request) -> web.Response:
        return web.Response(text=f"http://{request.host}/from-plain\nhttp://{request.host}/from-index\n")

    pages: dict[str, Any] = {
        "/": html("front"),
        "/index.xml": index,
        "/packed.xml.gz": packed,
        "/plain.txt": plain,
    }
    pages |= {f"/from-{name}": html(name) for name in ("packed", "plain", "index")}
    async with Site(pages) as site:
        site.robots = f"Sitemap: http://{site.hosts[0]}/index.xml"
        rows, _ = await crawl_site(site, tmp_path / "c", sitemaps=True, include=["from-"])
        plainly, _ = await crawl_site(site, tmp_path / "d", seeds=[f"http://{site.hosts[0]}/plain.txt"])
    assert {"/from-packed", "/from-plain", "/from-index"} <= rows.keys()
    assert [rows[path].reason for path in ("/index.xml", "/packed.xml.gz", "/plain.txt")] == ["sitemap"] * 3
    assert max(site.fetches().values()) <= 2, "once in each crawl"
    assert plainly["/plain.txt"].reason == "", "without --sitemaps a list of URLs is a page"


async def test_a_sitemap_may_be_redirected(tmp_path: Path) -> None:
    def packed(request: web.Request) -> web.Response:
        urlset = f"<?xml version='1.0'?><urlset><url><loc>http://{request.host}/from</loc></url></urlset>"
        return web.Response(body=gzip.compress(urlset.encode()), content_type="application/gzip")

    def moved(_: web.Request) -> web.Response:
        return web.Response(status=301, headers={"Location": "/new.xml.gz"})

    pages: dict[str, Any] = {"/": html("front"), "/old.xml.gz": moved, "/new.xml.gz": packed}
    pages["/from"] = html("packed")
    async with Site(pages) as site:
        site.robots = f"Sitemap: http://{site.hosts[0]}/old.xml.gz"
        rows, _ = await crawl_site(site, tmp_path / "c", sitemaps=True)
    assert rows["/from"].status == 200


async def test_a_missing_sitemap_does_not_end_the_crawl(tmp_path: Path) -> None:
    async with Site({"/": html("front")}) as site:
        site.robots = f"Sitemap: http://{site.hosts[0]}/none.xml"
        rows, _ = await crawl_site(site, tmp_path / "c", sitemaps=True, delay=0.1)
    assert (rows["/none.xml"].status, rows["/"].status) == (404, 200)


async def test_a_seed_that_fails_is_told_and_the_others_go_on(tmp_path: Path) -> None:
    async with Site({"/": html("front")}) as site:
        missing = f"http://{site.hosts[0]}/missing"
        seeds = [missing, f"http://{site.hosts[0]}/"]
        rows, events = await crawl_site(site, tmp_path / "c", seeds=seeds)
    assert [(event.url, event.why) for event in events if isinstance(event, SeedFailed)] == [
        (missing, "the server answered with status 404 (Not Found)")
    ]
    assert rows["/"].status == 200


async def test_a_seed_that_is_busy_for_a_moment_is_tried_again(tmp_path: Path) -> None:
    answers = iter([503, 200])

    def busy(_: web.Request) -> web.Response:
        return web.Response(status=next(answers), text=html("here now"), content_type="text/html")

    async with Site({"/": busy}) as site:
        rows, _ = await crawl_site(site, tmp_path / "c")
    assert rows["/"].status == 200


async def test_a_seed_that_is_forbidden_says_so(tmp_path: Path) -> None:
    async with Site({"/": html("front")}, robots="User-agent: *\nDisallow: /") as site:
        with pytest.raises(SeedError, match=r"its robots.txt forbids it; start from a page that robots.txt"):
            await crawl_site(site, tmp_path / "c")


async def test_a_dead_host_is_not_asked_once_for_each_of_its_links(tmp_path: Path) -> None:
    attempts = 0

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal attempts
        attempts += 1
        writer.transport.abort()

    dead = await asyncio.start_server(refuse, "127.0.5.9", 0)
    host = f"127.0.5.9:{dead.sockets[0].getsockname()[1]}"
    async with dead, Site({"/live": html("live")}) as site:
        links = [f"http://{host}/{n}" for n in range(50)]
        site.pages["/"] = html("front", *links, "/live")
        rows, events = await crawl_site(site, tmp_path / "c", retry_wait=0.2)
    assert attempts <= 4
    assert rows["/live"].status == 200
    assert isinstance(events[-1], Finished)
    assert events[-1].why == "only hosts that do not answer are left"
    assert len(rows) < 10, "the other links stay queued"
